import { rm, rmdir, stat, unlink } from 'node:fs/promises';
import { join } from 'node:path';
import { allocatedBytes } from './allocated-bytes.ts';
import { isNotFound } from './file-system-errors.ts';
import { shardsIn, walkShard } from './walk-shards.ts';

/** Suffix of the name of a file that is being written. */
export const UNFINISHED = '.part';

/** The part of the bound that an eviction leaves, so that the next one is not due at once. */
const KEEP = 0.9;

/** Last uses are told apart by the minute. */
const BUCKET_MS = 60_000;

interface FoundFile {
  readonly path: string;
  /** On the disk. */
  readonly bytes: number;
  /** Minutes since the epoch. */
  readonly lastUse: number;
}

interface Usage {
  /** On the disk, with the folders. */
  total: number;
  /** Bytes of the files by the minute of their last use. */
  readonly byMinute: Map<number, number>;
}

/**
 * Measures what the renditions in a folder take on the disk, with the shards but without the folder itself. Above the bound it
 * removes those that were used least recently, by their time of modification. It walks the folder and holds no more than a
 * number for each minute: a cache may have millions of files.
 *
 * @returns bytes that are left; more than the bound only if everything that it may remove is gone
 */
export async function evictLeastRecentlyUsed(root: string, maxBytes: number): Promise<number> {
  const { total, byMinute } = await measure(root);
  if (total <= maxBytes) return total;
  const target = maxBytes * KEEP;
  return await removeUpTo(root, total, target, lastMinuteToGo(byMinute, total - target));
}

async function measure(root: string): Promise<Usage> {
  const usage: Usage = { total: 0, byMinute: new Map() };
  for await (const shard of shardsIn(root)) {
    usage.total += await folderBytes(join(root, shard));
    for await (const { lastUse, bytes } of walkRenditions(root, shard)) {
      usage.total += bytes;
      usage.byMinute.set(lastUse, (usage.byMinute.get(lastUse) ?? 0) + bytes);
    }
  }
  return usage;
}

/** The latest minute from which files must go so that enough bytes do. */
function lastMinuteToGo(byMinute: ReadonlyMap<number, number>, excess: number): number {
  let removable = 0;
  for (const minute of [...byMinute.keys()].sort((a, b) => a - b)) {
    removable += byMinute.get(minute) ?? 0;
    if (removable >= excess) return minute;
  }
  return Number.POSITIVE_INFINITY;
}

/** Removes everything before the last minute, then as much of that minute as it takes. */
async function removeUpTo(root: string, total: number, target: number, lastMinute: number): Promise<number> {
  let left = total;
  for (const isDue of [before(lastMinute), upTo(lastMinute)]) {
    for await (const shard of shardsIn(root)) {
      if (left <= target) return left;
      left -= await removeFrom(root, shard, isDue, left - target);
    }
  }
  return left;
}

/**
 * Removes files that are due until enough bytes are free, and the folder if it is empty then.
 *
 * @returns bytes that it has freed
 */
async function removeFrom(
  root: string,
  shard: string,
  isDue: (file: FoundFile) => boolean,
  excess: number,
): Promise<number> {
  let freed = 0;
  for await (const file of walkRenditions(root, shard)) {
    if (freed >= excess) return freed;
    if (!isDue(file)) continue;
    freed += await removeFile(file);
  }
  return freed + (await removeIfEmpty(join(root, shard)));
}

function before(minute: number): (file: FoundFile) => boolean {
  return (file) => file.lastUse < minute;
}

function upTo(minute: number): (file: FoundFile) => boolean {
  return (file) => file.lastUse <= minute;
}

/** If a file is gone, another process has removed it. An unfinished one got its final name instead, which frees nothing. */
async function removeFile({ path, bytes }: FoundFile): Promise<number> {
  const isRemoved = await unlink(path).then(() => true, ignoringMissing);
  return isRemoved === true || !path.endsWith(UNFINISHED) ? bytes : 0;
}

async function removeIfEmpty(folder: string): Promise<number> {
  const bytes = await folderBytes(folder);
  return await rmdir(folder).then(
    () => bytes,
    () => 0,
  );
}

async function folderBytes(folder: string): Promise<number> {
  const found = await stat(folder).catch(ignoringMissing);
  return found === undefined ? 0 : allocatedBytes(found);
}

/** The files of a shard, unfinished ones too. Removes folders of images, which former versions of the service have made. */
async function* walkRenditions(root: string, shard: string): AsyncGenerator<FoundFile, void, undefined> {
  for await (const entry of walkShard(root, shard)) {
    if (!('uuid' in entry)) continue;
    if (entry.rest === '') await rm(entry.path, { recursive: true, force: true });
    const found = await stat(entry.path).catch(ignoringMissing);
    if (found?.isFile())
      yield {
        path: entry.path,
        bytes: allocatedBytes(found),
        lastUse: Math.floor(found.mtimeMs / BUCKET_MS),
      };
  }
}

/** Other processes remove files, too. */
function ignoringMissing(error: unknown): undefined {
  if (isNotFound(error)) return undefined;
  throw error;
}
