import type { ImageRepository } from '../../domain/ports/records/image-repository.ts';
import type { InSpaces } from '../../domain/ports/records/in-spaces.ts';
import type { Space } from '../../domain/space/space.ts';

export class LookUpImages {
  constructor(private readonly images: InSpaces<ImageRepository>) {}

  /**
   * The ids of the images with these bytes, ascending, by digest. Digests without an image are left out.
   *
   * @param digests SHA-256, lower-case hex
   * @throws {StorageUnavailable}
   */
  async execute(space: Space, digests: readonly string[]): Promise<ReadonlyMap<string, readonly number[]>> {
    return await this.images.in(space).findIdsBySha256(digests);
  }
}
