import type { BlobKey } from '../../domain/image/blob-key.ts';
import type { BlobStore } from '../../domain/ports/bytes/blob-store.ts';
import type { RenditionCache } from '../../domain/ports/bytes/rendition-cache.ts';
import type { EventLog } from '../../domain/ports/process/event-log.ts';

export interface BytesOfImages {
  readonly blobs: Pick<BlobStore, 'remove'>;
  readonly renditions: Pick<RenditionCache, 'removeAllOf'>;
}

/** Removes the bytes of an image that has no record any more. Never rejects: the sweeper removes what stays. */
export async function removeBytes(
  { id, uuid }: { readonly id?: number; readonly uuid: BlobKey },
  { blobs, renditions }: BytesOfImages,
  log: EventLog,
): Promise<void> {
  for (const remove of [() => blobs.remove(uuid), () => renditions.removeAllOf(uuid)]) {
    try {
      await remove();
    } catch (error) {
      log.warn({ err: error, imageId: id, blobKey: uuid }, 'bytes left for the sweeper');
    }
  }
}
