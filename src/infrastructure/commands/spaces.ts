import type { Container } from 'inversify';
import * as z from 'zod';
import { SpaceInUse } from '../../domain/errors.ts';
import type { LimitChange, SpaceRecords, SpaceStatus } from '../../domain/ports/records/space-records.ts';
import { COMMON_SPACE, type Space } from '../../domain/space/space.ts';
import { integer } from '../config/variable-types.ts';
import { resolveAll } from '../resolve-all.ts';
import { requireOwnBlobs } from '../start/prepare-storage.ts';
import { TOKENS } from '../tokens.ts';
import { action, command } from './command-line/command.ts';
import { CommandRefused } from './command-line/command-refused.ts';
import { EXIT_CONFIG, EXIT_NO_INPUT } from './command-line/exit-codes.ts';
import { flag, operand, option } from './command-line/option.ts';
import { closingLine, countOf, type Format, printAs } from './command-line/output.ts';
import { formatOption, SPACE } from './command-line/shared-options.ts';
import { untilSignal } from './command-line/until-signal.ts';
import { UsageError } from './command-line/usage-error.ts';
import { withBar } from './command-line/with-bar.ts';
import { withStorage } from './with-storage.ts';

const LIMIT = z
  .union(
    [z.literal('default'), z.literal('none').transform(() => null), integer(0, Number.MAX_SAFE_INTEGER)],
    'must be a whole number, none, or default for the limit of the settings',
  )
  .optional();

const LIMIT_VALUE = 'N|none|default';

/** Exit code 1 if the new name of a space is in use, 66 if there is no such space, 78 if writers would wait too long. */
export const spaces = command({
  summary: 'lists the spaces; limits one, gives one another name, or deletes one with all its images',
  options: { format: formatOption('one line per space') },
  run: ({ format }) => withStorage((storage) => list(storage.get(TOKENS.spaces), format)),
  actions: {
    set: action({
      operands: { space: operand('NAME', SPACE) },
      options: {
        maxBytes: option(LIMIT_VALUE, 'how many bytes of originals the space may hold', LIMIT),
        maxImages: option(LIMIT_VALUE, 'how many images; default is the limit of the settings', LIMIT),
      },
      run: async ({ space, maxBytes: bytes, maxImages: images }) => {
        if (bytes === undefined && images === undefined) {
          throw new UsageError('set needs --max-bytes, --max-images or both');
        }
        return await withStorage((storage) =>
          setLimits(storage.get(TOKENS.spaces), space, { bytes, images }),
        );
      },
    }),
    assign: action({
      operands: { from: operand('FROM', SPACE), to: operand('TO', SPACE) },
      options: { wait: flag("from or to '' above 10,000 images: uploads wait meanwhile") },
      run: async ({ from, to, wait }) => {
        if (from === to) throw new UsageError('assign needs two names');
        return await withStorage((storage) => assign(storage, { from, to, wait }));
      },
    }),
    remove: action({
      operands: { space: operand('NAME', SPACE) },
      options: {
        yes: {
          help: 'cannot be undone, so that this is required; can be repeated after an interruption',
          type: z.literal(true),
        },
      },
      run: ({ space }) => withStorage((storage) => remove(storage, space)),
    }),
  },
});

/** Names are quoted: they may be empty, or end with a space. */
function nameOf(space: Space): string {
  return JSON.stringify(space);
}

const HEADER = ['images', 'max. images', 'bytes', 'max. bytes', 'in the trash', 'space'];

async function list(records: SpaceRecords, format: Format): Promise<number> {
  const all = await records.findAll();
  if (format === 'table') console.log(lineOf(HEADER));
  all.forEach(printAs(format, (status) => lineOf(cellsOf(status))));
  return 0;
}

function cellsOf({ space, images, bytes, trashed, limits }: SpaceStatus): readonly string[] {
  const numbers = [images, limits.images, bytes, limits.bytes, trashed.images];
  return [...numbers.map((number) => number?.toLocaleString('en') ?? '-'), nameOf(space)];
}

const WIDTHS = [13, 13, 20, 20, 13];

function lineOf(cells: readonly string[]): string {
  return cells.map((cell, column) => cell.padStart(WIDTHS[column] ?? 0)).join(' ');
}

async function setLimits(records: SpaceRecords, space: Space, limits: LimitChange): Promise<number> {
  await records.setLimits(space, limits);
  console.error(`The limits of ${nameOf(space)} are in force.`);
  return 0;
}

/** Images that move while writers wait for less than a second. */
const MOVED_AT_ONCE = 10_000;

/** Measured on SQLite: see docs/spaces.md. */
const MOVED_A_SECOND = 17_000;

interface Renaming {
  readonly from: Space;
  readonly to: Space;
  readonly wait: boolean;
}

async function assign(storage: Container, { from, to, wait }: Renaming): Promise<number> {
  const { spaces: records, storageConfig } = resolveAll(storage, 'spaces', 'storageConfig');
  const { images, trashed } = await records.find(from);
  // Other spaces are numbers: their names alone change.
  const moves = from === COMMON_SPACE || to === COMMON_SPACE;
  if (moves && !storageConfig.readOnly && !wait) requireShortMove(images + trashed.images);
  await rename(records, from, to);
  console.error(`${nameOf(from)} is called ${nameOf(to)} from now on.`);
  return 0;
}

/** @throws {CommandRefused} */
function requireShortMove(images: number): void {
  if (images <= MOVED_AT_ONCE) return;
  const seconds = Math.ceil(images / MOVED_A_SECOND);
  throw new CommandRefused(
    EXIT_CONFIG,
    `${countOf(images, 'image')} would move in one transaction, for which uploads wait about ${countOf(seconds, 'second')}, or get 503: set READ_ONLY=true for the service and this command, or call it with --wait. Nothing was changed.`,
  );
}

/** @throws {CommandRefused} */
async function rename(records: SpaceRecords, from: Space, to: Space): Promise<void> {
  try {
    if (await records.rename(from, to)) return;
  } catch (error) {
    if (!(error instanceof SpaceInUse)) throw error;
    throw new CommandRefused(1, `The space ${nameOf(to)} is in use: nothing was changed.`);
  }
  throw new CommandRefused(
    EXIT_NO_INPUT,
    `There is no space ${nameOf(from)}; image-catalog spaces lists them.`,
  );
}

/** Resolves to 0, or to the exit code of the signal that has stopped it. */
async function remove(storage: Container, space: Space): Promise<number> {
  const { spaces: records, removeSpace } = resolveAll(storage, 'spaces', 'removeSpace');
  await requireOwnBlobs(storage.get(TOKENS.claimBlobStore), { dryRun: true });
  return await untilSignal(async ({ signal: stopped }) => {
    const removed = await withBar((await records.find(space)).images, (bar) =>
      removeSpace.execute(space, { stopped, onProgress: (deleted) => bar.update(deleted) }),
    );
    console.log(JSON.stringify({ space, removed }));
    closingLine(`${nameOf(space)} has ended; ${countOf(removed, 'image')} deleted.`);
    return 0;
  }, 'Stopped; the same call goes on from here.');
}
