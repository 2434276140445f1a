import { rmdir, stat, unlink } from 'node:fs/promises';
import { join } from 'node:path';
import { ignoreMissing } from './translating-file-system-errors.ts';
import { allocatedBytes, shardsIn, walkShard } from './walk-shards.ts';

export const UNFINISHED = '.part';

/** The part of the bound that remains, so that the next eviction is not due at once. */
const KEEP = 0.9;

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
  /** Bytes by the minute of last use. */
  readonly byMinute: Map<number, number>;
}

/**
 * Above the bound, removes the renditions that were modified least recently. It holds a number for each minute only: a cache may
 * have millions of files.
 *
 * @returns bytes that are left
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

function lastMinuteToGo(byMinute: ReadonlyMap<number, number>, excess: number): number {
  let removable = 0;
  for (const minute of [...byMinute.keys()].sort((a, b) => a - b)) {
    removable += byMinute.get(minute) ?? 0;
    if (removable >= excess) return minute;
  }
  return Number.POSITIVE_INFINITY;
}

/** Removes only as much of the last minute as it takes. */
async function removeUpTo(root: string, total: number, target: number, lastMinute: number): Promise<number> {
  let left = total;
  for (const minute of [lastMinute - 1, lastMinute]) {
    for await (const shard of shardsIn(root)) {
      if (left <= target) return left;
      left -= await removeFrom(root, shard, minute, left - target);
    }
  }
  return left;
}

/** @returns freed bytes */
async function removeFrom(root: string, shard: string, lastMinute: number, excess: number): Promise<number> {
  let freed = 0;
  for await (const file of walkRenditions(root, shard)) {
    if (freed >= excess) return freed;
    if (file.lastUse > lastMinute) continue;
    freed += await removeFile(file);
  }
  return freed + (await removeIfEmpty(join(root, shard)));
}

/** A missing unfinished file got its final name, which frees nothing. */
async function removeFile({ path, bytes }: FoundFile): Promise<number> {
  const isRemoved = await unlink(path).then(() => true, ignoreMissing);
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
  const found = await stat(folder).catch(ignoreMissing);
  return found === undefined ? 0 : allocatedBytes(found);
}

async function* walkRenditions(root: string, shard: string): AsyncGenerator<FoundFile, void, undefined> {
  for await (const entry of walkShard(root, shard)) {
    if (!('uuid' in entry)) continue;
    const found = await stat(entry.path).catch(ignoreMissing);
    if (found?.isFile()) {
      yield {
        path: entry.path,
        bytes: allocatedBytes(found),
        lastUse: Math.floor(found.mtimeMs / BUCKET_MS),
      };
    }
  }
}
