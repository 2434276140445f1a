import type { SimilarMatch } from '../../../domain/ports/records/similar-images.ts';

/** Collects candidates in any order. */
export class NearestMatches {
  private readonly distances = new Map<number, number>();

  constructor(private readonly limit: number) {}

  /** The first distance of an image counts. */
  add(id: number, distance: number): void {
    if (!this.distances.has(id)) this.distances.set(id, distance);
  }

  /** Whether nothing beyond this distance is needed any more. */
  isFullWithin(distance: number): boolean {
    if (this.distances.size < this.limit) return false;
    return [...this.distances.values()].filter((other) => other <= distance).length >= this.limit;
  }

  /** Nearest first, then by id. */
  nearest(): readonly SimilarMatch[] {
    return [...this.distances]
      .map(([id, distance]) => ({ id, distance }))
      .toSorted((a, b) => a.distance - b.distance || a.id - b.id)
      .slice(0, this.limit);
  }
}
