import { text } from 'node:stream/consumers';
import { DevelopmentCatalog } from '../../adapters/sql/database/schema-of.ts';
import { SystemClock } from '../../adapters/system/clock-and-uuids.ts';
import { CatalogTooNew } from '../../domain/errors.ts';
import type { Space } from '../../domain/space/space.ts';
import { type Config, parseConfig } from '../config/config.ts';
import { readEnvironment } from '../config/environment.ts';
import { InvalidConfig } from '../config/invalid-config.ts';
import { checkDecoders } from '../doctor/check-decoders.ts';
import { checkProvider } from '../doctor/check-provider.ts';
import { type CheckResult, ok, problem } from '../doctor/check-result.ts';
import { checkStorage } from '../doctor/check-storage.ts';
import { checkToken, spaceOfToken } from '../doctor/check-token.ts';
import { fetchProviderFacts, type ProviderFacts } from '../doctor/provider-facts.ts';
import { parseCommandLine, UsageError } from './command-line/usage.ts';
import { withStorageOf } from './with-storage.ts';

type Print = (section: string, results: readonly CheckResult[]) => void;

/** Exit code 1 if there is a problem, 78 if the catalog is of a later or a development version. */
export async function doctor(args: readonly string[]): Promise<number> {
  const { readsToken, print, end } = parseOptions(args);
  const config = checkConfig(print);
  if (config !== undefined) {
    await examine(config, readsToken ? await text(process.stdin) : undefined, print);
  }
  return end();
}

async function examine(config: Config, token: string | undefined, print: Print): Promise<void> {
  const clock = new SystemClock();
  const facts = await fetchProviderFacts(config.idp.domain, config.idp.jwksUri, clock);
  print('identity provider', checkProvider(facts, config.idp));
  if (token !== undefined) {
    const settings = { ...config.idp, scopes: config.scopes, spaceClaim: config.spaceClaim };
    print('token', checkToken(token, keysOf(facts), settings, clock.now().getTime()));
  }
  await withStorageOf({ ...config, logLevel: 'silent' }, async (storage) => {
    print('decoders', await checkDecoders(storage.decoders));
    try {
      print('storage', await checkStorage(storage, { ...config, tokenSpace: tokenSpace(config, token) }));
    } catch (error) {
      if (error instanceof CatalogTooNew || error instanceof DevelopmentCatalog) {
        print('storage', [problem(error.message)]);
      }
      throw error;
    }
  });
}

function tokenSpace({ spaceClaim }: Config, token: string | undefined): Space | undefined {
  return token === undefined || spaceClaim === undefined ? undefined : spaceOfToken(token, spaceClaim);
}

function keysOf({ jwks }: ProviderFacts): { readonly keys: readonly unknown[] } | undefined {
  return 'value' in jwks ? jwks.value : undefined;
}

/** The other checks need a valid configuration. */
function checkConfig(print: Print): Config | undefined {
  try {
    const config = parseConfig(readEnvironment());
    print('configuration', [ok('Every variable is valid')]);
    return config;
  } catch (error) {
    if (!(error instanceof InvalidConfig)) throw error;
    print(
      'configuration',
      error.problems.map((text) => problem(text)),
    );
    return undefined;
  }
}

interface Options {
  readonly readsToken: boolean;
  readonly print: Print;
  /** Prints the summary. Returns the exit code. */
  readonly end: () => number;
}

function parseOptions(args: readonly string[]): Options {
  const { values } = parseCommandLine({
    args: [...args],
    options: { token: { type: 'string' }, format: { type: 'string', default: 'text' } },
  });
  // An argument is visible to other users of the machine.
  if (values.token !== undefined && values.token !== '-') {
    throw new UsageError('--token must be -: the token is read from standard input');
  }
  if (values.format !== 'text' && values.format !== 'json') {
    throw new UsageError('--format must be text or json');
  }
  return { readsToken: values.token !== undefined, ...reporter(values.format) };
}

function reporter(format: 'text' | 'json'): Pick<Options, 'print' | 'end'> {
  const levels: CheckResult['level'][] = [];
  return {
    print: (section, results) => {
      levels.push(...results.map(({ level }) => level));
      if (format === 'text') console.log(sectionText(section, results));
      else for (const result of results) console.log(JSON.stringify({ section, ...result }));
    },
    end: () => {
      if (format === 'text') console.log(summaryOf(levels));
      return levels.includes('problem') ? 1 : 0;
    },
  };
}

const MARKS: Readonly<Record<CheckResult['level'], string>> = {
  ok: 'ok     ',
  warning: 'warning',
  problem: 'PROBLEM',
};

function sectionText(section: string, results: readonly CheckResult[]): string {
  const lines = results.flatMap(({ level, text: finding, change }) => [
    `  ${MARKS[level]}  ${finding}.`,
    ...(change === undefined ? [] : [`           → ${change}`]),
  ]);
  return [`${section.charAt(0).toUpperCase()}${section.slice(1)}`, ...lines, ''].join('\n');
}

function summaryOf(levels: ReadonlyArray<CheckResult['level']>): string {
  const count = (level: CheckResult['level']): number => levels.filter((each) => each === level).length;
  const [problems, warnings] = [count('problem'), count('warning')];
  if (problems + warnings === 0) return 'All is well.';
  return `${problems} ${problems === 1 ? 'problem' : 'problems'}, ${warnings} ${warnings === 1 ? 'warning' : 'warnings'}.`;
}
