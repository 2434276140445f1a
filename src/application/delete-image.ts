import { ImageNotFound, PreconditionFailed } from '../domain/errors.ts';
import type { Image } from '../domain/image/image.ts';
import type { BlobStore } from '../domain/ports/blob-store.ts';
import type { EventLog } from '../domain/ports/event-log.ts';
import type { ImageRepository } from '../domain/ports/image-repository.ts';

/** Removes an image: first the record, so that it is gone for every reader at once, then the bytes. */
export class DeleteImage {
  constructor(
    private readonly images: ImageRepository,
    private readonly blobs: BlobStore,
    private readonly log: EventLog,
  ) {}

  /**
   * @param isWanted whether the client's precondition holds for the image
   * @throws {ImageNotFound | PreconditionFailed | StorageUnavailable}
   */
  async execute(id: number, isWanted: (image: Image) => boolean = () => true): Promise<void> {
    const image = await this.images.findById(id);
    if (image === undefined) throw new ImageNotFound();
    if (!isWanted(image)) throw new PreconditionFailed();
    if (!(await this.images.removeById(id))) throw new ImageNotFound();
    await this.removeBlob(image);
  }

  /** The delete is done once the record is gone: a blob that cannot be removed now is the sweeper's. */
  private async removeBlob(image: Image): Promise<void> {
    try {
      await this.blobs.remove(image.uuid);
    } catch (error) {
      this.log.warn({ err: error, imageId: image.id, blobKey: image.uuid }, 'blob left for the sweeper');
    }
  }
}
