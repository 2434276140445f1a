import { SingleBar } from 'cli-progress';
import { SpaceInUse } from '../../../domain/errors.ts';
import type { SpaceStatus } from '../../../domain/ports/records/spaces.ts';
import type { Space } from '../../../domain/space/space.ts';
import type { CatalogStorage } from '../../catalog-storage.ts';
import { requireOwnBlobs } from '../../start/prepare-storage.ts';
import type { Format } from '../command-line/shared-options.ts';
import { stopOnSignal } from '../command-line/signals.ts';
import { closingLine, countOf } from '../command-line/usage.ts';
import { withStorage } from '../with-storage.ts';
import { parseSpaces, type SpacesCommand } from './spaces-options.ts';

/** Resolves to 0, or 1 if the new name of a space is in use. */
export async function spaces(args: readonly string[]): Promise<number> {
  const command = parseSpaces(args);
  return await withStorage(async (storage) => await run(command, storage));
}

async function run(command: SpacesCommand, storage: CatalogStorage): Promise<number> {
  switch (command.action) {
    case 'list':
      return await list(storage, command.format);
    case 'set':
      await storage.spaces.setLimits(command.space, command.limits);
      closingLine(`The limits of ${nameOf(command.space)} are in force.`);
      return 0;
    case 'assign':
      return await assign(storage, command.from, command.to);
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

async function assign({ spaces: records }: CatalogStorage, from: Space, to: Space): Promise<number> {
  try {
    await records.rename(from, to);
  } catch (error) {
    if (!(error instanceof SpaceInUse)) throw error;
    console.error(`The space ${nameOf(to)} is in use: nothing was changed.`);
    return 1;
  }
  closingLine(`${nameOf(from)} is called ${nameOf(to)} from now on.`);
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
