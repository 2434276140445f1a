import { stat } from 'node:fs/promises';
import { isDeepStrictEqual } from 'node:util';
import type { DatabaseConfig } from '../config.ts';
import type { StoreLocation } from '../store-url.ts';

/** Whether two configurations name one place. Paths are spelled in many ways, so it is asked what is there. */
export async function isSamePlace<Place extends DatabaseConfig | StoreLocation>(
  one: Place,
  other: Place,
): Promise<boolean> {
  if (isDeepStrictEqual(one, other)) return true;
  if (!('path' in one && 'path' in other)) return false;
  const [first, second] = await Promise.all([identityOf(one.path), identityOf(other.path)]);
  return first !== undefined && first === second;
}

/** `undefined` where nothing is there, or nothing that may be looked at. */
async function identityOf(path: string): Promise<string | undefined> {
  const found = await stat(path, { bigint: true }).catch(() => undefined);
  return found && `${found.dev}:${found.ino}`;
}
