import { join } from 'node:path';

const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/**
 * `ab/<uuid>`: 256 folders keep each at some thousands of entries per million, and are few enough that an upload hardly ever
 * has to make one and bring it to the disk. Nothing that a client says ever becomes a path.
 */
export function shardedPath(root: string, uuid: string): string {
  if (!UUID.test(uuid)) throw new TypeError('A key is a lower-case UUID');
  return join(root, uuid.slice(0, 2), uuid);
}
