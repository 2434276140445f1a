import type { Image } from '../../domain/image/image.ts';
import type { BlobStore } from '../../domain/ports/blob-store.ts';
import type { OpenedBlob, ReadableBytes } from '../../domain/ports/readable-bytes.ts';

/** A blob as a file that can be read more than once: each reading opens it again. */
export function blobFile(
  blobs: BlobStore,
  { uuid, size }: Image,
  { localPath }: Pick<OpenedBlob, 'localPath'>,
): ReadableBytes {
  return {
    size,
    localPath,
    async *read() {
      const blob = await blobs.open(uuid);
      if (blob !== undefined) yield* blob.read();
    },
  };
}
