import type { Knex } from 'knex';
import { type ImageHashes, isFlat, type PerceptualHash } from '../../../domain/image/image-hashes.ts';
import type {
  HashRecords,
  SimilarImages,
  SimilarMatch,
  SimilarQuery,
} from '../../../domain/ports/records/similar-images.ts';
import { CatalogDatabase } from '../database/catalog-database.ts';
import { type SqlFragment, sql } from '../database/sql-fragment.ts';
import { HashCandidates } from './hash-candidates.ts';
import { type BandProbes, completeBefore, ringsOf } from './hash-probes.ts';
import { findHashRows, withoutBand, writeHashes } from './hash-row.ts';
import { NearestMatches } from './nearest-matches.ts';

/** One search reads at least this many, in about 8 ms. A million images with random hashes have 6,500 for a distance of 10. */
const MIN_CANDIDATES = 12_000;
/** A million images with random hashes have 15 for each value of a band. */
const CANDIDATES_PER_PROBE = 16;

/** Multi-index hashing: Norouzi, Punjani and Fleet, "Fast Search in Hamming Space with Multi-Index Hashing", 2012. */
export class SqlSimilarImages implements SimilarImages, HashRecords {
  private readonly database: CatalogDatabase;
  private readonly candidates: HashCandidates;

  /** @param reader a connection for reading */
  constructor(knex: Knex, reader: Knex = knex) {
    this.database = new CatalogDatabase(knex, reader);
    this.candidates = new HashCandidates(this.database);
  }

  async find(id: number, query: SimilarQuery): Promise<readonly SimilarMatch[]> {
    return await this.database.run(() => this.findNearest(id, query));
  }

  async record(hashes: ReadonlyMap<number, ImageHashes>): Promise<void> {
    await this.database.change((transaction) => writeHashes(hashes, this.database.dialect, transaction));
  }

  private async findNearest(id: number, query: SimilarQuery): Promise<readonly SimilarMatch[]> {
    const found = new NearestMatches(id, query.limit);
    const [equals, rows] = await Promise.all([
      this.equalBytes(id, query),
      findHashRows([id], this.database.reader),
    ]);
    for (const equal of equals) found.add(equal, 0);
    const hashes = rows.get(id);
    if (hashes !== undefined && !isFlat(hashes)) await this.addNear(hashes.dHash, query, found);
    return found.nearest();
  }

  private async addNear(hash: PerceptualHash, query: SimilarQuery, found: NearestMatches): Promise<void> {
    for (const equal of await this.equalHashes(hash, query)) found.add(equal, 0);
    const rings = ringsOf(query.distance);
    let budget = budgetOf(rings);
    for (const [ring, probes] of rings.entries()) {
      if (found.isFullWithin(completeBefore(ring))) return;
      // A ring leaves half to those behind it.
      const share = ring < rings.length - 1 ? budget / 2 : budget;
      const perBand = Math.floor(share / probes.length);
      const candidates = await this.candidates.of(hash, { ring, probes, perBand });
      budget -= candidates.length;
      for (const { id, distance } of candidates) if (distance <= query.distance) found.add(id, distance);
    }
  }

  private async equalBytes(id: number, { limit }: SimilarQuery): Promise<readonly number[]> {
    return await this.idsBy(
      sql(
        'select id from images where sha256 = (select sha256 from images where id = ?) order by id limit ?',
        id,
        limit + 1,
      ),
    );
  }

  private async equalHashes(hash: PerceptualHash, { limit }: SimilarQuery): Promise<readonly number[]> {
    return await this.idsBy(
      sql(
        `select image_id as id from image_appearances
        where flat = 0 and dhash_0 = ? and dhash_without_0 = ? order by image_id limit ?`,
        hash[0],
        withoutBand(hash, 0),
        limit + 1,
      ),
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
