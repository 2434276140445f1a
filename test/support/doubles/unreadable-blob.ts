import { StorageUnavailable } from '../../../src/domain/errors.ts';
import type { BlobStorage } from '../../../src/domain/ports/bytes/blob-store.ts';
import type { OpenedBlob } from '../../../src/domain/ports/bytes/readable-bytes.ts';
import { streamBrokenAfter } from '../fixtures/bytes.ts';

/** When reading fails: for a small blob when it is opened, for a large one while it is read. */
type Moment = 'opened' | 'read';

export const EIO = new Error('EIO: i/o error, read');

/** Ways in which a blob cannot be read. */
export const UNREADABLE: ReadonlyArray<readonly [how: string, when: Moment, error: Error]> = [
  ['at all', 'opened', new StorageUnavailable({ cause: EIO })],
  ['to its end', 'read', EIO],
  ['to its end over a network', 'read', new StorageUnavailable({ cause: EIO })],
];

/** A store of which one blob cannot be read for the first `times` attempts. All other calls work. */
export function withUnreadable(
  blobs: BlobStorage,
  key: string,
  { when, error, times = Number.POSITIVE_INFINITY }: { when: Moment; error: Error; times?: number },
): BlobStorage {
  let tried = 0;
  const open: BlobStorage['open'] = async (asked, range) => {
    const isBroken = asked === key && tried < times;
    if (asked === key) tried += 1;
    if (isBroken && when === 'opened') throw error;
    const blob = await blobs.open(asked, range);
    return isBroken && blob !== undefined ? breaking(blob, error) : blob;
  };
  return new Proxy(blobs, {
    get: (target, property) => {
      if (property === 'open') return open;
      const member: unknown = Reflect.get(target, property, target);
      return typeof member === 'function' ? member.bind(target) : member;
    },
  });
}

function breaking(blob: OpenedBlob, error: Error): OpenedBlob {
  return { ...blob, buffered: undefined, read: () => streamBrokenAfter(Uint8Array.of(0xff, 0xd8), error) };
}
