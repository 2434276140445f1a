import { ImageChanged, ImageNotFound } from '../domain/errors.ts';
import type { Image } from '../domain/image/image.ts';
import type { BlobStore } from '../domain/ports/bytes/blob-store.ts';
import type { RenditionCache } from '../domain/ports/bytes/rendition-cache.ts';
import type { EventLog } from '../domain/ports/process/event-log.ts';
import type { ImageRepository } from '../domain/ports/records/image-repository.ts';
import type { InSpaces } from '../domain/ports/records/in-spaces.ts';
import type { Space } from '../domain/space/space.ts';

export interface Deletion {
  /** The log of the request. */
  readonly log: EventLog;
  /** By default it does. */
  readonly matches?: (image: Image) => boolean;
  /** For the feed of changes. */
  readonly by?: string | undefined;
}

/** Removes the record first, so that the image is gone for all clients at once. */
export class DeleteImage {
  constructor(
    private readonly images: InSpaces<ImageRepository>,
    private readonly blobs: BlobStore,
    private readonly renditions: RenditionCache,
  ) {}

  /** @throws {ImageNotFound | ImageChanged | StorageUnavailable} */
  async execute(space: Space, id: number, { log, matches = () => true, by }: Deletion): Promise<void> {
    const images = this.images.in(space);
    const image = await images.findById(id);
    if (image === undefined) throw new ImageNotFound();
    if (!matches(image)) throw new ImageChanged();
    if (!(await images.removeById(id, by))) throw new ImageNotFound();
    await this.removeBytes(image, log);
  }

  /** Never rejects: the image is deleted already, and the sweeper removes what stays. */
  private async removeBytes({ id, uuid }: Image, log: EventLog): Promise<void> {
    for (const remove of [() => this.blobs.remove(uuid), () => this.renditions.removeAllOf(uuid)]) {
      try {
        await remove();
      } catch (error) {
        log.warn({ err: error, imageId: id, blobKey: uuid }, 'bytes left for the sweeper');
      }
    }
  }
}
