import { CHANGE_CURSOR } from '../../application/changes/change-cursors.ts';
import {
  type ManageWebhooks,
  type ShownWebhook,
  UnknownWebhook,
} from '../../application/webhooks/manage-webhooks.ts';
import { FORMAT, type Format, parseFormat } from './command-line/shared-options.ts';
import { parseCommandLine, UsageError } from './command-line/usage.ts';
import { withStorage } from './with-storage.ts';

const OPTIONS = { ...FORMAT, after: { type: 'string' } } as const;

type Work = (webhooks: ManageWebhooks) => Promise<void>;

/** Lists the endpoints, resumes one, or moves one back. */
export async function webhooks(args: readonly string[]): Promise<number> {
  const work = parse(args);
  await withStorage(async ({ manageWebhooks }) => {
    try {
      await work(manageWebhooks);
    } catch (error) {
      throw error instanceof UnknownWebhook ? new UsageError(error.message) : error;
    }
  });
  return 0;
}

/** @throws {UsageError} */
function parse(args: readonly string[]): Work {
  const { values, positionals } = parseCommandLine({
    args: [...args],
    options: OPTIONS,
    allowPositionals: true,
  });
  const { after, format } = values;
  const [action, name = '', ...others] = positionals;
  const isKnown = others.length === 0 && (after !== undefined) === (action === 'replay');
  if (isKnown && action === undefined) return list(parseFormat(format));
  if (!isKnown || name === '' || format !== undefined) throw unknown();
  if (action === 'resume') return async (manage) => await manage.resume(name);
  if (action === 'replay' && after !== undefined) return replay(name, after);
  throw unknown();
}

function unknown(): UsageError {
  return new UsageError('webhooks takes nothing, resume N|URL, or replay N|URL --after CURSOR');
}

function replay(name: string, cursor: string): Work {
  if (!CHANGE_CURSOR.test(cursor)) throw new UsageError('--after must be a cursor');
  return async (manage) => await manage.replay(name, cursor);
}

function list(format: Format): Work {
  return async (manage) => {
    for (const endpoint of await manage.list()) {
      console.log(format === 'json' ? JSON.stringify(endpoint) : lineOf(endpoint));
    }
  };
}

function lineOf({ number, state, lagSeconds, url, lastError }: ShownWebhook): string {
  const lag = `${Math.round(lagSeconds)} s`;
  return `${String(number).padEnd(3)} ${state.padEnd(8)} ${lag.padStart(10)}  ${url}  ${lastError ?? ''}`.trimEnd();
}
