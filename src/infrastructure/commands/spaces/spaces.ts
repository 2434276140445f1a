import { SingleBar } from 'cli-progress';
import { SpaceInUse } from '../../../domain/errors.ts';
import type { SpaceStatus } from '../../../domain/ports/records/spaces.ts';
import { COMMON_SPACE, type Space } from '../../../domain/space/space.ts';
import type { CatalogStorage } from '../../catalog-storage.ts';
import { requireOwnBlobs } from '../../start/prepare-storage.ts';
import { EXIT_CONFIG, EXIT_NO_INPUT } from '../command-line/exit-codes.ts';
import type { Format } from '../command-line/shared-options.ts';
import { stopOnSignal } from '../command-line/signals.ts';
import { closingLine, closingReport, countOf } from '../command-line/usage.ts';
import { withStorage } from '../with-storage.ts';
import { parseSpaces, type SpacesCommand } from './spaces-options.ts';

/** Resolves to 0, 1 if the new name of a space is in use, 66 if there is no such space, 78 if writers would wait too long. */
export async function spaces(args: readonly string[]): Promise<number> {
  const command = parseSpaces(args);
  return await withStorage(async (storage) => await run(command, storage));
}

async function run(command: SpacesCommand, storage: CatalogStorage): Promise<number> {
  switch (command.action) {
    case 'list':
      return await list(storage, command.format);
    case 'set':
      return await setLimits(storage, command);
    case 'assign':
      return await assign(storage, command);
    case 'remove':
      return await remove(storage, command.space);
  }
}

/** Names are quoted: they may be empty, or end with a space. */
function nameOf(space: Space): string {
  return JSON.stringify(space);
}

const HEADER = ['images', 'max. images', 'bytes', 'max. bytes', 'in the trash', 'space'];

async function list({ spaces: records }: CatalogStorage, format: Format): Promise<number> {
  const all = await records.findAll();
  if (format === 'table') console.log([HEADER, ...all.map(rowOf)].map(lineOf).join('\n'));
  else for (const status of all) console.log(JSON.stringify(viewOf(status)));
  return 0;
}

function viewOf({ space, images, bytes, trashed, limits }: SpaceStatus): SpaceStatus {
  return { space, images, bytes, trashed, limits };
}

function rowOf({ space, images, bytes, trashed, limits }: SpaceStatus): readonly string[] {
  const numbers = [images, limits.images, bytes, limits.bytes, trashed.images];
  return [...numbers.map((number) => number?.toLocaleString('en') ?? '-'), nameOf(space)];
}

const WIDTHS = [13, 13, 20, 20, 13];

function lineOf(cells: readonly string[]): string {
  return cells.map((cell, column) => cell.padStart(WIDTHS[column] ?? 0)).join(' ');
}

async function setLimits(
  { spaces: records }: CatalogStorage,
  { space, limits }: Extract<SpacesCommand, { action: 'set' }>,
): Promise<number> {
  await records.setLimits(space, limits);
  const { images, bytes, limits: inForce } = await records.find(space);
  const facts = { space, images, bytes, limits: inForce };
  closingReport(`The limits of ${nameOf(space)} are in force.`, 'limits set', facts);
  return 0;
}

/** Images that move while writers wait for less than a second. */
const MOVED_AT_ONCE = 10_000;

/** Measured on SQLite: see docs/spaces.md. */
const MOVED_A_SECOND = 17_000;

async function assign(
  { spaces: records, config }: CatalogStorage,
  { from, to, wait }: Extract<SpacesCommand, { action: 'assign' }>,
): Promise<number> {
  const { images, bytes, trashed } = await records.find(from);
  const moved = images + trashed.images;
  // Other spaces are numbers: their names alone change.
  const moves = from === COMMON_SPACE || to === COMMON_SPACE;
  if (moves && moved > MOVED_AT_ONCE && !config.readOnly && !wait) {
    const seconds = Math.ceil(moved / MOVED_A_SECOND);
    console.error(
      `${countOf(moved, 'image')} would move in one transaction, for which uploads wait about ${countOf(seconds, 'second')}, or get 503: set READ_ONLY=true for the service and this command, or call it with --wait. Nothing was changed.`,
    );
    return EXIT_CONFIG;
  }
  try {
    if (!(await records.rename(from, to))) {
      console.error(`There is no space ${nameOf(from)}; image-catalog spaces lists them.`);
      return EXIT_NO_INPUT;
    }
  } catch (error) {
    if (!(error instanceof SpaceInUse)) throw error;
    console.error(`The space ${nameOf(to)} is in use: nothing was changed.`);
    return 1;
  }
  const facts = { from, to, images, bytes, trashed: trashed.images };
  closingReport(`${nameOf(from)} is called ${nameOf(to)} from now on.`, 'space assigned', facts);
  return 0;
}

/** Resolves to 0, or to the exit code of the signal that has stopped it. */
async function remove(storage: CatalogStorage, space: Space): Promise<number> {
  await requireOwnBlobs(storage.claimBlobStore, { dryRun: true });
  const stop = stopOnSignal();
  try {
    const removed = await removeWithBar(storage, space, stop.signal);
    console.log(JSON.stringify({ space, removed }));
    closingLine(`${nameOf(space)} has ended; ${countOf(removed, 'image')} deleted.`);
    return 0;
  } catch (error) {
    const exitCode = stop.exitCode();
    if (exitCode === undefined) throw error;
    console.error('Stopped; the same call goes on from here.');
    return exitCode;
  }
}

async function removeWithBar(
  { spaces: records, removeSpace }: CatalogStorage,
  space: Space,
  stopped: AbortSignal,
): Promise<number> {
  const bar = new SingleBar({ stream: process.stderr, noTTYOutput: false });
  bar.start((await records.find(space)).images, 0);
  try {
    return await removeSpace.execute(space, { stopped, onProgress: (deleted) => bar.update(deleted) });
  } finally {
    bar.stop();
  }
}
