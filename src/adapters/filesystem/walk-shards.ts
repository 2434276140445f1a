import type { Dirent, Stats } from 'node:fs';
import { opendir } from 'node:fs/promises';
import { join } from 'node:path';
import { BLOB_KEY_LENGTH, type BlobKey, isBlobKey } from '../../domain/image/blob-key.ts';
import { isNotFound } from './translating-file-system-errors.ts';

const SHARD_DIGITS = 2;

/** 256 folders keep each at some thousands of entries per million, and an upload hardly ever has to make one. */
export function shardedPath(root: string, key: BlobKey): string {
  return join(root, key.slice(0, SHARD_DIGITS), key);
}

/** Its name begins with a blob key, or it is `foreign`. */
type ShardEntry =
  | { readonly uuid: BlobKey; readonly rest: string; readonly path: string }
  | { readonly foreign: string };

const SHARD = /^[0-9a-f]{2}$/;

/**
 * Skips what other processes remove during the walk.
 *
 * @param prefix of the keys; foreign names are compared with it, too
 */
export async function* walkShards(root: string, prefix = ''): AsyncGenerator<ShardEntry, void, undefined> {
  const digits = prefix.slice(0, SHARD_DIGITS);
  if (digits.length === SHARD_DIGITS) {
    yield* walkShard(root, digits, prefix);
    return;
  }
  for await (const entry of entriesOf(root)) {
    if (!entry.name.startsWith(digits)) continue;
    if (isShard(entry)) yield* walkShard(root, entry.name, prefix);
    else yield { foreign: entry.name };
  }
}

export async function* shardsIn(root: string): AsyncGenerator<string, void, undefined> {
  for await (const entry of entriesOf(root)) if (isShard(entry)) yield entry.name;
}

export async function* walkShard(
  root: string,
  shard: string,
  prefix = '',
): AsyncGenerator<ShardEntry, void, undefined> {
  for await (const { name } of entriesOf(join(root, shard))) {
    if (prefix.length > SHARD_DIGITS && !name.startsWith(prefix)) continue;
    const uuid = name.slice(0, BLOB_KEY_LENGTH);
    if (isBlobKey(uuid) && uuid.startsWith(shard)) {
      yield { uuid, rest: name.slice(BLOB_KEY_LENGTH), path: join(root, shard, name) };
    } else {
      yield { foreign: join(shard, name) };
    }
  }
}

function isShard(entry: Dirent): boolean {
  return entry.isDirectory() && SHARD.test(entry.name);
}

async function* entriesOf(folder: string): AsyncGenerator<Dirent, void, undefined> {
  try {
    yield* await opendir(folder);
  } catch (error) {
    if (!isNotFound(error)) throw error;
  }
}

/** Unit of `stats.blocks` on every file system (stat(2), st_blocks). */
const BLOCK_BYTES = 512;

/** At least the size of a file: some file systems allocate blocks only when they write back. */
export function allocatedBytes(stats: Stats): number {
  const allocated = stats.blocks * BLOCK_BYTES;
  return stats.isFile() ? Math.max(stats.size, allocated) : allocated;
}
