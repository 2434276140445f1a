import { BlobMissing, ImageNotFound } from '../domain/errors.ts';
import type { Image } from '../domain/image/image.ts';
import type { BlobStore, ByteRange, OpenedBlob } from '../domain/ports/blob-store.ts';
import type { ImageRepository } from '../domain/ports/image-repository.ts';

/** Opens the original bytes of an image that a client is about to be promised. */
export class OpenImageFile {
  constructor(
    private readonly images: ImageRepository,
    private readonly blobs: BlobStore,
  ) {}

  /**
   * @param range within the image's size; the whole file where there is none
   * @throws {ImageNotFound} where the image was deleted since it was read
   * @throws {BlobMissing} where the record stands and its bytes are lost
   */
  async execute(image: Image, range?: ByteRange): Promise<OpenedBlob> {
    const blob = await this.blobs.open(image.uuid, range);
    if (blob !== undefined) return blob;
    if ((await this.images.findById(image.id)) === undefined) throw new ImageNotFound();
    throw new BlobMissing(image.id, image.uuid);
  }
}
