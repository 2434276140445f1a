import { join } from 'node:path';

const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/** `ab/cd/<uuid>`: no folder grows large, and nothing that a client says ever becomes a path. */
export function shardedPath(root: string, uuid: string): string {
  if (!UUID.test(uuid)) throw new TypeError('A key is a lower-case UUID');
  return join(root, uuid.slice(0, 2), uuid.slice(2, 4), uuid);
}
