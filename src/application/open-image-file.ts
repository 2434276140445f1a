import { BlobLost, ImageNotFound } from '../domain/errors.ts';
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
   * @throws {BlobLost} where the record stands and its bytes do not
   * @throws {StorageUnavailable}
   */
  async execute(image: Image, range?: ByteRange): Promise<OpenedBlob> {
    const blob = await this.blobs.open(image.uuid, range);
    if (blob === undefined) return await this.explainMissing(image);
    if (blob.size === image.size) return blob;
    await blob.close();
    throw new BlobLost(image.id, image.uuid, 'of another size');
  }

  private async explainMissing({ id, uuid }: Image): Promise<never> {
    if ((await this.images.findById(id)) === undefined) throw new ImageNotFound();
    throw new BlobLost(id, uuid, 'missing');
  }
}
