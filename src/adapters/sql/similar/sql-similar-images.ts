import type { ImageHashes } from '../../../domain/image/image-hashes.ts';
import type {
  SimilarImages,
  SimilarMatch,
  SimilarQuery,
  SimilarRecords,
} from '../../../domain/ports/records/similar-images.ts';
import type { Space } from '../../../domain/space/space.ts';
import type { CatalogDatabase } from '../database/catalog-database.ts';
import { writeHashes } from '../rows/hash-row.ts';
import { type BandProbes, completeBefore, ringsOf } from './band-probes.ts';
import type { Compared } from './compared.ts';
import { equalImages } from './equal-images.ts';
import { nearCandidates } from './near-candidates.ts';
import { NearestMatches } from './nearest-matches.ts';

/** One search reads at least this many, in about 8 ms. A million images with random hashes have 6,500 for a distance of 10. */
const MIN_CANDIDATES = 12_000;
/** A million images with random hashes have 15 for each value of a band. */
const CANDIDATES_PER_PROBE = 16;

/** Multi-index hashing: Norouzi, Punjani and Fleet, "Fast Search in Hamming Space with Multi-Index Hashing", 2012. */
export class SqlSimilarImages implements SimilarRecords {
  boundedSearches = 0;

  constructor(private readonly database: CatalogDatabase) {}

  in(space: Space): SimilarImages {
    return {
      find: async (id, query) => await this.findNearest({ space, ids: [id], beside: '<>' }, query),
    };
  }

  async record(hashes: ReadonlyMap<number, ImageHashes>): Promise<void> {
    await this.database.change((transaction) => writeHashes(hashes, transaction));
  }

  private async findNearest(compared: Compared, query: SimilarQuery): Promise<readonly SimilarMatch[]> {
    const found = new NearestMatches(query.limit);
    const equals = await Promise.all([
      equalImages(this.database, 'bytes', compared, query.limit),
      equalImages(this.database, 'hash', compared, query.limit),
    ]);
    for (const equal of equals.flatMap((some) => [...some.values()].flat())) found.add(equal, 0);
    await this.addNear(compared, query.distance, found);
    return found.nearest();
  }

  private async addNear(compared: Compared, maxDistance: number, found: NearestMatches): Promise<void> {
    const rings = ringsOf(maxDistance);
    let budget = budgetOf(rings);
    let isCut = false;
    for (const [ring, probes] of rings.entries()) {
      if (found.isFullWithin(completeBefore(ring))) break;
      // A ring leaves half to those behind it.
      const share = ring < rings.length - 1 ? budget / 2 : budget;
      const perBand = Math.floor(share / probes.length);
      const [near] = await nearCandidates(this.database, compared, { ring, probes, perBand });
      // The image has no hash, or a flat one.
      if (near === undefined) break;
      for (const candidates of near.ofBands()) {
        budget -= candidates.length;
        isCut ||= candidates.length >= perBand;
        for (const { id, distance } of candidates) {
          if (id !== near.id && distance <= maxDistance) found.add(id, distance);
        }
      }
    }
    if (isCut) this.boundedSearches += 1;
  }
}

function budgetOf(rings: ReadonlyArray<readonly BandProbes[]>): number {
  const probes = rings.flat().reduce((sum, { masks }) => sum + masks.length, 0);
  return Math.max(MIN_CANDIDATES, probes * CANDIDATES_PER_PROBE);
}
