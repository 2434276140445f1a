import { type Appearance, hammingDistance, isFlat } from '../../../src/domain/image/appearance.ts';
import type {
  AppearanceRecords,
  LookAlike,
  LookAlikeQuery,
  LookAlikes,
} from '../../../src/domain/ports/look-alikes.ts';
import type { InMemoryImageRepository } from './in-memory-image-repository.ts';

/** Compares every image: the definition of the results. */
export class InMemoryLookAlikes implements LookAlikes, AppearanceRecords {
  constructor(private readonly images: InMemoryImageRepository) {}

  async find(id: number, { distance: maxDistance, limit }: LookAlikeQuery): Promise<readonly LookAlike[]> {
    const own = await this.images.findById(id);
    if (own === undefined) return [];
    return this.images
      .all()
      .filter((other) => other.id !== id)
      .map((other) => ({
        id: other.id,
        distance: other.sha256 === own.sha256 ? 0 : this.#distance(id, other.id),
      }))
      .filter(({ distance }) => distance <= maxDistance)
      .toSorted((a, b) => a.distance - b.distance || a.id - b.id)
      .slice(0, limit);
  }

  async record(appearances: ReadonlyMap<number, Appearance>): Promise<void> {
    for (const [id, appearance] of appearances) this.images.setAppearance(id, appearance);
  }

  #distance(id: number, otherId: number): number {
    const [one, other] = [this.images.appearanceOf(id), this.images.appearanceOf(otherId)];
    if (one === undefined || other === undefined || isFlat(one) || isFlat(other))
      return Number.POSITIVE_INFINITY;
    return hammingDistance(one.dHash, other.dHash);
  }
}
