import type { Knex } from 'knex';
import { type ImageHashes, isFlat, type PerceptualHash } from '../../../domain/image/image-hashes.ts';
import type {
  SimilarImages,
  SimilarMatch,
  SimilarQuery,
  SimilarRecords,
} from '../../../domain/ports/records/similar-images.ts';
import type { Space } from '../../../domain/space/space.ts';
import { CatalogDatabase } from '../database/catalog-database.ts';
import { hasSpace, inSpace } from '../database/in-space.ts';
import { type SqlFragment, sql } from '../database/sql-fragment.ts';
import { findHashRows, withoutBand, writeHashes } from '../rows/hash-row.ts';
import { type BandProbes, completeBefore, ringsOf } from './band-probes.ts';
import { HashCandidates } from './hash-candidates.ts';
import { NearestMatches } from './nearest-matches.ts';

/** One search reads at least this many, in about 8 ms. A million images with random hashes have 6,500 for a distance of 10. */
const MIN_CANDIDATES = 12_000;
/** A million images with random hashes have 15 for each value of a band. */
const CANDIDATES_PER_PROBE = 16;

interface Search extends SimilarQuery {
  readonly space: Space;
  readonly id: number;
}

/** Multi-index hashing: Norouzi, Punjani and Fleet, "Fast Search in Hamming Space with Multi-Index Hashing", 2012. */
export class SqlSimilarImages implements SimilarRecords {
  boundedSearches = 0;
  private readonly database: CatalogDatabase;
  private readonly candidates: HashCandidates;

  /** @param reader a connection for reading */
  constructor(knex: Knex, reader: Knex = knex) {
    this.database = new CatalogDatabase(knex, reader);
    this.candidates = new HashCandidates(this.database);
  }

  in(space: Space): SimilarImages {
    return {
      find: async (id, query) => await this.database.run(() => this.findNearest({ space, id, ...query })),
    };
  }

  async record(hashes: ReadonlyMap<number, ImageHashes>): Promise<void> {
    await this.database.change((transaction) => writeHashes(hashes, transaction));
  }

  private async findNearest(search: Search): Promise<readonly SimilarMatch[]> {
    const { space, id, limit } = search;
    const found = new NearestMatches(id, limit);
    const [equals, rows] = await Promise.all([
      this.equalBytes(search),
      findHashRows([id], this.database.reader, hasSpace(space, '+image_appearances.space')),
    ]);
    for (const equal of equals) found.add(equal, 0);
    const hashes = rows.get(id);
    if (hashes !== undefined && !isFlat(hashes)) await this.addNear(hashes.dHash, search, found);
    return found.nearest();
  }

  private async addNear(hash: PerceptualHash, search: Search, found: NearestMatches): Promise<void> {
    const { space, distance: maxDistance } = search;
    for (const equal of await this.equalHashes(hash, search)) found.add(equal, 0);
    const rings = ringsOf(maxDistance);
    let budget = budgetOf(rings);
    let isCut = false;
    for (const [ring, probes] of rings.entries()) {
      if (found.isFullWithin(completeBefore(ring))) break;
      // A ring leaves half to those behind it.
      const share = ring < rings.length - 1 ? budget / 2 : budget;
      const perBand = Math.floor(share / probes.length);
      const candidates = await this.candidates.of(hash, { space, ring, probes, perBand });
      budget -= candidates.matches.length;
      isCut ||= candidates.isCut;
      for (const { id, distance } of candidates.matches) if (distance <= maxDistance) found.add(id, distance);
    }
    if (isCut) this.boundedSearches += 1;
  }

  private async equalBytes({ space, id, limit }: Search): Promise<readonly number[]> {
    const own = sql`from images where images.id = ${id} and ${hasSpace(space, '+images.space')}`;
    return await this.idsBy(
      sql`select images.id from images where ${hasSpace(space, 'images.space')}
        and substr(images.sha256, 1, 8) = (select substr(images.sha256, 1, 8) ${own})
        and images.sha256 = (select images.sha256 ${own}) order by images.id limit ${limit + 1}`,
    );
  }

  private async equalHashes(hash: PerceptualHash, { space, limit }: Search): Promise<readonly number[]> {
    return await this.idsBy(
      sql`select image_id as id from image_appearances where flat = 0 and ${inSpace(space, 'image_appearances.space')}
        and dhash_0 = ${hash[0]} and dhash_without_0 = ${withoutBand(hash, 0)} order by image_id limit ${limit + 1}`,
    );
  }

  private async idsBy(statement: SqlFragment): Promise<readonly number[]> {
    const rows = await this.database.rows<{ readonly id: number }>(statement);
    return rows.map(({ id }) => id);
  }
}

function budgetOf(rings: ReadonlyArray<readonly BandProbes[]>): number {
  const probes = rings.flat().reduce((sum, { masks }) => sum + masks.length, 0);
  return Math.max(MIN_CANDIDATES, probes * CANDIDATES_PER_PROBE);
}
