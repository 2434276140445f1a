import type { PerceptualHash } from '../../../domain/image/image-hashes.ts';
import type { SimilarMatch } from '../../../domain/ports/records/similar-images.ts';
import type { Space } from '../../../domain/space/space.ts';
import type { CatalogDatabase } from '../database/catalog-database.ts';
import { inSpace } from '../database/in-space.ts';
import { join, raw, type SqlFragment, sql } from '../database/sql-fragment.ts';
import { withoutBand } from '../rows/hash-row.ts';
import type { BandProbes } from './band-probes.ts';
import { bitsApart } from './bits-apart.ts';
import { type CandidateText, candidatesIn } from './candidate-text.ts';

interface BandRow {
  readonly band: number;
  readonly candidates: CandidateText;
}

interface CandidateQuery {
  readonly space: Space;
  /** Bits that each mask flips. */
  readonly ring: number;
  readonly probes: readonly BandProbes[];
  /** Candidates at most. */
  readonly perBand: number;
}

interface Candidates {
  readonly matches: readonly SimilarMatch[];
  /** Whether there may be more. */
  readonly isCut: boolean;
}

/** Images whose hash has one of the probed bands, with the distance of the whole hash. */
export class HashCandidates {
  constructor(private readonly database: CatalogDatabase) {}

  /** One statement; reads no more than its index entries. */
  async of(hash: PerceptualHash, { space, ring, probes, perBand }: CandidateQuery): Promise<Candidates> {
    const parts = probes.map((some) => this.candidatesOf(hash, some, { space, perBand }));
    const rows = await this.database.rows<BandRow>(join(parts, ' union all '));
    const found = rows.map(({ band, candidates }) => ({ band, some: candidatesIn(candidates) }));
    const matches = found.flatMap(({ band, some }) => {
      const own = withoutBand(hash, band);
      return some.map(({ id, bits }) => ({ id, distance: ring + bitsApart(own, bits) }));
    });
    return { matches, isCut: found.some(({ some }) => some.length >= perBand) };
  }

  private candidatesOf(
    hash: PerceptualHash,
    { band, masks }: BandProbes,
    { space, perBand }: Pick<CandidateQuery, 'space' | 'perBand'>,
  ): SqlFragment {
    const values = this.database.dialect.jsonRows(masks.map((mask) => [(hash[band] as number) ^ mask]));
    const number = raw(String(band));
    // SQLite takes the tables of a cross join in this order.
    return sql`select ${number} as band, string_agg(candidate, ';') as candidates from
      (select dhash_without_${number} || ',' || image_id as candidate
      from ${values} as probes cross join image_appearances
      where flat = 0 and ${inSpace(space, 'image_appearances.space')}
        and dhash_${number} = cast(probes.value ->> 0 as integer) limit ${perBand}) as found`;
  }
}
