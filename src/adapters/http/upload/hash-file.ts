import { createHash } from 'node:crypto';
import { FileTooLarge } from '../../../domain/errors.ts';
import { SIGNATURE_BYTES } from '../../../domain/image/media-type-of.ts';
import type { StagedFile, StagingLimits } from '../../../domain/ports/bytes/staging-area.ts';

/** In place of `StagingArea.receive`, for a file that is only compared. */
export async function hashFile(
  bytes: AsyncIterable<Uint8Array>,
  { maxBytes, checkHead }: StagingLimits,
): Promise<StagedFile> {
  const hash = createHash('sha256');
  let size = 0;
  let head: Uint8Array = new Uint8Array(0);
  for await (const chunk of bytes) {
    size += chunk.length;
    if (size > maxBytes) throw new FileTooLarge(maxBytes);
    hash.update(chunk);
    if (head.length < SIGNATURE_BYTES) head = Buffer.concat([head, chunk]);
  }
  if (size > 0) checkHead(head);
  return { size, sha256: hash.digest('hex'), read: refuseToRead, discard: async () => undefined };
}

function refuseToRead(): never {
  throw new TypeError('The file was not stored');
}
