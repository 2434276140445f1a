import { hammingDistance, type ImageHashes, isFlat } from '../../../src/domain/image/image-hashes.ts';
import type {
  SimilarImages,
  SimilarMatch,
  SimilarQuery,
  SimilarRecords,
} from '../../../src/domain/ports/records/similar-images.ts';
import type { Space } from '../../../src/domain/space/space.ts';
import type { InMemoryImageRepository } from './in-memory-image-repository.ts';

/** Compares every image: the definition of the results. */
export class InMemorySimilarImages implements SimilarRecords {
  readonly boundedSearches = 0;

  constructor(private readonly images: InMemoryImageRepository) {}

  in(space: Space): SimilarImages {
    return { find: async (id, query) => await this.#find(space, id, query) };
  }

  async #find(
    space: Space,
    id: number,
    { distance: maxDistance, limit }: SimilarQuery,
  ): Promise<readonly SimilarMatch[]> {
    const own = await this.images.in(space).findById(id);
    if (own === undefined) return [];
    return this.images
      .allIn(space)
      .filter((other) => other.id !== id)
      .map((other) => ({
        id: other.id,
        distance: other.sha256 === own.sha256 ? 0 : this.#distance(id, other.id),
      }))
      .filter(({ distance }) => distance <= maxDistance)
      .toSorted((a, b) => a.distance - b.distance || a.id - b.id)
      .slice(0, limit);
  }

  async record(hashes: ReadonlyMap<number, ImageHashes>): Promise<void> {
    for (const [id, some] of hashes) this.images.setHashes(id, some);
  }

  #distance(id: number, otherId: number): number {
    const [one, other] = [this.images.hashesOf(id), this.images.hashesOf(otherId)];
    if (one === undefined || other === undefined || isFlat(one) || isFlat(other)) {
      return Number.POSITIVE_INFINITY;
    }
    return hammingDistance(one.dHash, other.dHash);
  }
}
