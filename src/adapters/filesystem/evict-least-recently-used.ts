import { rm, rmdir, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { isNotFound } from './file-system-errors.ts';
import { entriesOf, walkShards } from './walk-shards.ts';

/** What is left after an eviction, of the bound: so that the next one is not due at once. */
const KEEP = 0.9;

/** Last uses are told apart by the minute. */
const BUCKET_MS = 60_000;

interface FoundFile {
  readonly path: string;
  readonly size: number;
  /** Minutes since the epoch. */
  readonly lastUse: number;
}

/**
 * Measures the renditions in a folder by their last use (their time of modification) and, where they are more than the
 * bound, removes those used least recently. It walks the folder and keeps in memory no more than a number for each minute
 * that it has seen: a cache may have millions of files.
 *
 * @returns bytes that are left
 */
export async function evictLeastRecentlyUsed(root: string, maxBytes: number): Promise<number> {
  const bytesByMinute = new Map<number, number>();
  for await (const { lastUse, size } of walkRenditions(root)) {
    bytesByMinute.set(lastUse, (bytesByMinute.get(lastUse) ?? 0) + size);
  }
  const total = [...bytesByMinute.values()].reduce((sum, bytes) => sum + bytes, 0);
  if (total <= maxBytes) return total;
  const target = maxBytes * KEEP;
  return await removeUpTo(root, total, target, lastMinuteToGo(bytesByMinute, total - target));
}

/** The latest minute out of which files must go so that enough bytes do. */
function lastMinuteToGo(bytesByMinute: ReadonlyMap<number, number>, tooMany: number): number {
  let removable = 0;
  for (const minute of [...bytesByMinute.keys()].sort((a, b) => a - b)) {
    removable += bytesByMinute.get(minute) ?? 0;
    if (removable >= tooMany) return minute;
  }
  return Number.POSITIVE_INFINITY;
}

/** Everything older than the last minute goes, and of that minute as much as it takes. */
async function removeUpTo(root: string, total: number, target: number, lastMinute: number): Promise<number> {
  let left = total;
  for (const isDue of [before(lastMinute), within(lastMinute)]) {
    for await (const file of walkRenditions(root)) {
      if (left <= target) return left;
      if (!isDue(file)) continue;
      await remove(file.path);
      left -= file.size;
    }
  }
  return left;
}

function before(minute: number): (file: FoundFile) => boolean {
  return (file) => file.lastUse < minute;
}

function within(minute: number): (file: FoundFile) => boolean {
  return (file) => file.lastUse === minute;
}

/** With the last rendition of an image its folder goes. */
async function remove(path: string): Promise<void> {
  await rm(path, { force: true });
  await rmdir(dirname(path)).catch(() => undefined);
}

/** Folder by folder, because Node's recursive `opendir` fails as a whole where one folder vanishes on the way. */
async function* walkRenditions(root: string): AsyncGenerator<FoundFile, void, undefined> {
  for await (const image of walkShards(root)) {
    if (!('uuid' in image)) continue;
    for await (const { name } of entriesOf(image.path)) {
      const path = join(image.path, name);
      const found = await stat(path).catch(ignoringMissing);
      if (found?.isFile()) yield { path, size: found.size, lastUse: Math.floor(found.mtimeMs / BUCKET_MS) };
    }
  }
}

/** Other processes remove files, too. */
function ignoringMissing(error: unknown): undefined {
  if (isNotFound(error)) return undefined;
  throw error;
}
