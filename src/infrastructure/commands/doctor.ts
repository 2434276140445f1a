import { text } from 'node:stream/consumers';
import * as z from 'zod';
import { PublishedKeys } from '../../adapters/http/auth/published-keys.ts';
import { DevelopmentCatalog } from '../../adapters/sql/schema/development-catalog.ts';
import { SystemClock } from '../../adapters/system/system-clock.ts';
import { CatalogTooNew } from '../../domain/errors.ts';
import type { Space } from '../../domain/space/space.ts';
import { type Config, parseConfig } from '../config/config.ts';
import { environmentWarnings } from '../config/environment-warnings.ts';
import { InvalidConfig } from '../config/invalid-config.ts';
import { readEnvironment } from '../config/read-environment.ts';
import type { Environment } from '../config/variable-table.ts';
import { oneOf } from '../config/variable-types.ts';
import { checkDecoders } from '../doctor/check-decoders.ts';
import { checkFiles } from '../doctor/check-files.ts';
import { checkNode } from '../doctor/check-node.ts';
import { checkProvider } from '../doctor/check-provider.ts';
import { type CheckResult, ok, problem, warning } from '../doctor/check-result.ts';
import { checkSignIn } from '../doctor/check-sign-in.ts';
import { checkStorage } from '../doctor/check-storage.ts';
import { checkToken, spaceOfToken, verifiedIssuer } from '../doctor/check-token.ts';
import { fetchProviderFacts, type ProviderFacts } from '../doctor/provider-facts.ts';
import { TOKENS } from '../tokens.ts';
import { command } from './command-line/command.ts';
import { option } from './command-line/option.ts';
import { countOf } from './command-line/output.ts';
import { withStorageOf } from './with-storage-of.ts';

type Print = (section: string, results: readonly CheckResult[]) => void;

/** Exit code 1 if there is a problem, 78 if the catalog is of a later or a development version. */
export const doctor = command({
  summary: 'checks the configuration, the identity provider and the storage, and says what to change',
  options: {
    // An argument is visible to other users of the machine.
    token: option(
      '-',
      'also explains how the service would judge the token on standard input',
      z.literal('-', 'must be -: the token is read from standard input').optional(),
    ),
    format: option(
      'text|json',
      'words, or one line per check (default: text)',
      oneOf('text', 'json').default('text'),
    ),
  },
  run: async ({ token, format }) => {
    const levels: CheckResult['level'][] = [];
    const print: Print = (section, results) => {
      levels.push(...results.map(({ level }) => level));
      if (format === 'text') console.log(sectionText(section, results));
      else for (const result of results) console.log(JSON.stringify({ section, ...result }));
    };
    print('Node.js', checkNode(process.version));
    const config = checkConfig(print);
    if (config !== undefined) {
      await examine(config, token === undefined ? undefined : await text(process.stdin), print);
    }
    if (format === 'text') console.log(summaryOf(levels));
    return levels.includes('problem') ? 1 : 0;
  },
});

async function examine(config: Config, token: string | undefined, print: Print): Promise<void> {
  const clock = new SystemClock();
  const facts = await fetchProviderFacts(config.idp, clock);
  const keys = await keysOf(facts);
  const tokenIssuer = token === undefined ? undefined : verifiedIssuer(token, keys);
  print('identity provider', [
    ...checkProvider(facts, { ...config.idp, tokenIssuer }),
    ...(hasSignIn(config) ? checkSignIn(facts.signIn, { ...config.idp, ...config.web }) : []),
  ]);
  if (token !== undefined) {
    const settings = { ...config.idp, scopes: config.scopes, spaceClaim: config.spaceClaim };
    print('token', [...checkToken(token, keys, settings, clock.now().getTime())]);
  }
  await withStorageOf({ ...config, logLevel: 'silent' }, async (storage) => {
    const isProduction = readEnvironment()['NODE_ENV'] === 'production';
    print('decoders', [
      ...(await checkDecoders(storage.get(TOKENS.decoders))),
      ...(await checkFiles(config, { workingFolder: process.cwd(), isProduction })),
    ]);
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

function hasSignIn({ web }: Config): boolean {
  return web.listener !== undefined && web.clientId !== undefined;
}

function tokenSpace({ spaceClaim }: Config, token: string | undefined): Space | undefined {
  return token === undefined || spaceClaim === undefined ? undefined : spaceOfToken(token, spaceClaim);
}

/** The keys that the service would use. `undefined` if they cannot be read. */
async function keysOf({ jwks }: ProviderFacts): Promise<PublishedKeys | undefined> {
  if ('failure' in jwks) return undefined;
  // `checkProvider` reports a set without a usable key.
  return await PublishedKeys.parse(jwks.value).catch(() => new PublishedKeys());
}

/** The other checks need a valid configuration. */
function checkConfig(print: Print): Config | undefined {
  try {
    const environment = readEnvironment();
    const warnings = environmentWarnings(environment).map(({ text: found, change }) =>
      warning(found, change),
    );
    return parseInto((results) => print('configuration', [...results, ...warnings]), environment);
  } catch (error) {
    if (!(error instanceof InvalidConfig)) throw error;
    print('configuration', problemsOf(error));
    return undefined;
  }
}

function parseInto(
  print: (results: readonly CheckResult[]) => void,
  environment: Environment,
): Config | undefined {
  try {
    const config = parseConfig(environment);
    print([ok('Every variable is valid')]);
    return config;
  } catch (error) {
    if (!(error instanceof InvalidConfig)) throw error;
    print(problemsOf(error));
    return undefined;
  }
}

function problemsOf({ problems }: InvalidConfig): readonly CheckResult[] {
  return problems.map((text) => problem(text));
}

const MARKS: Readonly<Record<CheckResult['level'], string>> = {
  ok: 'ok     ',
  hint: 'hint   ',
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
  if (problems > 0) return `${countOf(problems, 'problem')}, ${countOf(warnings, 'warning')}.`;
  return `${warnings === 0 ? 'All is well' : countOf(warnings, 'warning')}: the service is ready to start.`;
}
