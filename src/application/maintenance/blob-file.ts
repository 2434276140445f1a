import type { Image } from '../../domain/image/image.ts';
import type { BlobStore } from '../../domain/ports/bytes/blob-store.ts';
import type { OpenedBlob } from '../../domain/ports/bytes/readable-bytes.ts';
import type { InspectedFile } from '../../domain/ports/pictures/image-inspector.ts';

/** A blob as a file that can be read more than once: each reading opens it again. */
export function blobFile(
  blobs: BlobStore,
  { uuid, size, sha256 }: Image,
  { localPath }: Pick<OpenedBlob, 'localPath'>,
): InspectedFile {
  return {
    size,
    sha256,
    localPath,
    async *read() {
      const blob = await blobs.open(uuid);
      if (blob !== undefined) yield* blob.read();
    },
  };
}
