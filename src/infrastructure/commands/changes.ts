import { changeViews, ownedChangeView } from '../../adapters/http/changes/change-view.ts';
import type { ChangeUseCases } from '../../application/changes/change-use-cases.ts';
import { EVERY_SPACE, type ReadChanges } from '../../application/changes/read-changes.ts';
import type { ChangePage } from '../../domain/ports/records/change-feed.ts';
import type { Space } from '../../domain/space/space.ts';
import { TOKENS } from '../tokens.ts';
import { command } from './command-line/command.ts';
import { flag, option } from './command-line/option.ts';
import { CURSOR, SPACE } from './command-line/shared-options.ts';
import { untilSignal } from './command-line/until-signal.ts';
import { withStorage } from './with-storage.ts';

const PAGE = 1_000;
const LOOK_AGAIN_MS = 60_000;

/** Prints the feed, one change per line. */
export const changes = command({
  summary: 'prints what has changed in the catalog, one JSON line per change',
  options: {
    after: option(
      'CURSOR',
      'begins behind a change, or with latest at the end (default: the oldest kept)',
      CURSOR.optional(),
    ),
    follow: flag('goes on as changes come'),
    space: option('NAME', "only this space, '' being one (default: all)", SPACE.optional()),
  },
  run: (call) => withStorage((storage) => printFrom(storage.get(TOKENS.changeUseCases), call)),
});

interface ChangesOptions {
  readonly space: Space | undefined;
  readonly after: string | undefined;
  readonly follow: boolean;
}

async function printFrom(
  { readChanges, followChanges }: ChangeUseCases,
  { space: only, after, follow }: ChangesOptions,
): Promise<number> {
  const space = only ?? EVERY_SPACE;
  const left = readerLeft();
  let page = await readChanges.from(space, after, PAGE);
  await print(page, readChanges);
  for (; page.more && !left.aborted; await print(page, readChanges)) {
    page = await readChanges.page(space, page.next, PAGE);
  }
  if (!follow) return 0;
  return await untilSignal(async (stop) => {
    const ended = AbortSignal.any([stop.signal, left]);
    while (!ended.aborted) {
      page = await followChanges.next(space, page.next, PAGE, { withinMs: LOOK_AGAIN_MS, ended });
      await print(page, readChanges);
    }
    return stop.exitCode() ?? 0;
  });
}

/** Aborted when the reader of the output has closed it, as `head` does. */
function readerLeft(): AbortSignal {
  const left = new AbortController();
  process.stdout.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code !== 'EPIPE') throw error;
    left.abort();
  });
  return left.signal;
}

async function print({ changes: some }: ChangePage, readChanges: ReadChanges): Promise<void> {
  if (some.length === 0) return;
  const views = await changeViews(some, readChanges, ownedChangeView);
  console.log(views.map((view) => JSON.stringify(view)).join('\n'));
}
