import {
  type ManageWebhooks,
  type ShownWebhook,
  UnknownWebhook,
} from '../../application/webhooks/manage-webhooks.ts';
import { TOKENS } from '../tokens.ts';
import { action, command } from './command-line/command.ts';
import { operand, option, TEXT } from './command-line/option.ts';
import { printAs } from './command-line/output.ts';
import { CURSOR, formatOption } from './command-line/shared-options.ts';
import { UsageError } from './command-line/usage-error.ts';
import { withStorage } from './with-storage.ts';

const ENDPOINT = operand('N|URL', TEXT);

export const webhooks = command({
  summary:
    'lists the endpoints of webhooks; resumes one that has stopped, or moves one to a place in the feed',
  options: { format: formatOption('one line per endpoint') },
  run: ({ format }) =>
    manageWebhooks(async (manage) => (await manage.list()).forEach(printAs(format, rowOf))),
  actions: {
    resume: action({
      operands: { endpoint: ENDPOINT },
      run: ({ endpoint }) => manageWebhooks((manage) => manage.resume(endpoint)),
    }),
    replay: action({
      operands: { endpoint: ENDPOINT },
      options: { after: option('CURSOR', 'everything behind it is delivered again', CURSOR) },
      run: ({ endpoint, after }) => manageWebhooks((manage) => manage.replay(endpoint, after)),
    }),
  },
});

async function manageWebhooks(work: (manage: ManageWebhooks) => Promise<void>): Promise<number> {
  return await withStorage(async (storage) => {
    try {
      await work(storage.get(TOKENS.changeUseCases).manageWebhooks);
      return 0;
    } catch (error) {
      throw error instanceof UnknownWebhook ? new UsageError(error.message) : error;
    }
  });
}

function rowOf({ number, state, lagSeconds, url, lastError }: ShownWebhook): string {
  const lag = `${Math.round(lagSeconds)} s`;
  return `${String(number).padEnd(3)} ${state.padEnd(8)} ${lag.padStart(10)}  ${url}  ${lastError ?? ''}`.trimEnd();
}
