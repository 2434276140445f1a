import { changeViews, ownedChangeView } from '../../adapters/http/changes/change-view.ts';
import { CHANGE_CURSOR } from '../../application/changes/change-cursors.ts';
import { EVERY_SPACE, type ReadChanges, type SeenSpace } from '../../application/changes/read-changes.ts';
import type { ChangePage } from '../../domain/ports/records/change-feed.ts';
import type { CatalogStorage } from '../catalog-storage.ts';
import { parseSpaceOption, SPACE } from './command-line/shared-options.ts';
import { stopOnSignal } from './command-line/signals.ts';
import { parseCommandLine, UsageError } from './command-line/usage.ts';
import { withStorage } from './with-storage.ts';

const PAGE = 1_000;
const LOOK_AGAIN_MS = 60_000;

interface ChangesCommand {
  readonly space: SeenSpace;
  readonly after: string | undefined;
  readonly follow: boolean;
}

/** Prints the feed, one change per line. */
export async function changes(args: readonly string[]): Promise<number> {
  const command = parseChanges(args);
  return await withStorage((storage) => printFrom(storage, command));
}

/** @throws {UsageError} */
function parseChanges(args: readonly string[]): ChangesCommand {
  const options = { ...SPACE, after: { type: 'string' }, follow: { type: 'boolean' } } as const;
  const { space, after, follow = false } = parseCommandLine({ args: [...args], options }).values;
  if (after !== undefined && !CHANGE_CURSOR.test(after)) {
    throw new UsageError('--after must be a cursor, or latest');
  }
  return { space: parseSpaceOption(space) ?? EVERY_SPACE, after, follow };
}

async function printFrom(
  { readChanges, followChanges }: CatalogStorage,
  { space, after, follow }: ChangesCommand,
): Promise<number> {
  const left = readerLeft();
  let page = await readChanges.from(space, after, PAGE);
  await print(page, readChanges);
  for (; page.more && !left.aborted; await print(page, readChanges)) {
    page = await readChanges.page(space, page.next, PAGE);
  }
  if (!follow) return 0;
  const stop = stopOnSignal();
  const ended = AbortSignal.any([stop.signal, left]);
  const wait = { withinMs: LOOK_AGAIN_MS, ended };
  while (!ended.aborted) {
    page = await followChanges.next(space, page.next, PAGE, wait);
    await print(page, readChanges);
  }
  return stop.exitCode() ?? 0;
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
