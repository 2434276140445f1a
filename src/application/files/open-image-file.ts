import { BlobLost, ImageNotFound } from '../../domain/errors.ts';
import type { Image } from '../../domain/image/image.ts';
import type { BlobStore, ByteRange, FoundBlob } from '../../domain/ports/bytes/blob-store.ts';
import type { OpenedBlob } from '../../domain/ports/bytes/readable-bytes.ts';
import type { AllImages } from '../../domain/ports/records/image-repository.ts';

/** Opens the original before a response promises its bytes. */
export class OpenImageFile {
  constructor(
    private readonly images: Pick<AllImages, 'findById'>,
    private readonly blobs: BlobStore,
  ) {}

  /** @throws {ImageNotFound | BlobLost | StorageUnavailable} */
  async execute(image: Image, range?: ByteRange): Promise<OpenedBlob> {
    const blob = await this.blobs.open(image.uuid, range);
    if (blob === undefined) return await this.explainMissing(image);
    if (blob.size === image.size) return blob;
    await blob.close();
    throw ofAnotherSize(image);
  }

  /** Finds the file for a server that sends it. Throws what `execute` throws. */
  async locate(image: Image): Promise<FoundBlob> {
    const blob = await this.blobs.find(image.uuid);
    if (blob === undefined) return await this.explainMissing(image);
    if (blob.size === image.size) return blob;
    throw ofAnotherSize(image);
  }

  private async explainMissing({ id, uuid }: Image): Promise<never> {
    if ((await this.images.findById(id)) === undefined) throw new ImageNotFound();
    throw new BlobLost(id, uuid, 'missing');
  }
}

function ofAnotherSize({ id, uuid }: Image): BlobLost {
  return new BlobLost(id, uuid, 'of another size');
}
