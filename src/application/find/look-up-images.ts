import type { ImageLookup } from '../../domain/ports/records/image-repository.ts';

export class LookUpImages {
  constructor(private readonly images: ImageLookup) {}

  /**
   * The ids of the images with these bytes, ascending, by digest. Digests without an image are left out.
   *
   * @param digests SHA-256, lower-case hex
   * @throws {StorageUnavailable}
   */
  async execute(digests: readonly string[]): Promise<ReadonlyMap<string, readonly number[]>> {
    return await this.images.findIdsBySha256(digests);
  }
}
