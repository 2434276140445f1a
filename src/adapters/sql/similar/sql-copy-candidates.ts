import { mapInPortions } from '../../../application/concurrency/map-in-portions.ts';
import { COPY_DHASH_BITS } from '../../../domain/image/copy-dhash-bits.ts';
import type { Look } from '../../../domain/image/similar-kind.ts';
import type { Turns } from '../../../domain/ports/process/turns.ts';
import type { Candidates, CopyCandidates } from '../../../domain/ports/records/copy-candidates.ts';
import type { InSpaces } from '../../../domain/ports/records/in-spaces.ts';
import type { Space } from '../../../domain/space/space.ts';
import type { CatalogDatabase } from '../database/catalog-database.ts';
import { type RowReader, sql } from '../database/sql-fragment.ts';
import { captureIn } from '../rows/field-columns.ts';
import { hashesFromRow } from '../rows/hash-row.ts';
import { ringsOf } from './band-probes.ts';
import type { Compared } from './compared.ts';
import { equalImages } from './equal-images.ts';
import { nearCandidates } from './near-candidates.ts';
import { type LookRow, selectLooks } from './select-looks.ts';

/** Of an image, the oldest ones. */
const OLDER = 100;
/** Of equal bytes, and of equal hashes. */
const NEWER = 100;
/** With so many older images of the same hash, what is near to it is searched for the oldest of them alone. */
const MANY_EQUAL = 16;

/** Entries of one band of an image. A million images with random hashes have 15. */
const PER_BAND = 64;

type Others = ReadonlyMap<number, readonly number[]>;
type SearchReader = RowReader & Pick<CatalogDatabase, 'dialect'>;

const RINGS = ringsOf(COPY_DHASH_BITS);

/**
 * Images that a space may have for one ring more than the first. Looking a band up takes 1 µs, and a ring has 4, 64 and 360 of them: a page
 * of 50,000 images takes a few seconds. Two rings find all hashes that differ in 7 bits, one finds those that differ in 3 and most of those
 * that differ in 5.
 */
const RING_SPACES = [25_000, 4_000];

/** Of one statement. */
const LOOKS = 1_000;

/** Compares many images in few statements: one for each image would take five times as long. */
export class SqlCopyCandidates implements InSpaces<CopyCandidates> {
  constructor(private readonly database: CatalogDatabase) {}

  in(space: Space): CopyCandidates {
    return {
      findOlder: async (ids, turns) => await this.findOlder(space, ids, turns),
      findNewer: async (ids, turns) => await this.findNewer(space, ids, turns),
      findLooks: async (ids, turns) => await this.looksOf(space, ids, turns),
    };
  }

  private async findOlder(space: Space, ids: readonly number[], turns: Turns): Promise<Candidates> {
    const reader = this.readerOf(turns);
    const bytes = await equalImages(reader, 'bytes', { space, ids, beside: '<' }, 1);
    const compared = unique(ids.map((id) => bytes.get(id)?.[0] ?? id));
    const hashes = await equalImages(reader, 'hash', { space, ids: compared, beside: '<' }, MANY_EQUAL);
    const searchedFor = (id: number): number => {
      const equal = hashes.get(id) ?? [];
      return equal.length < MANY_EQUAL ? id : (equal[0] ?? id);
    };
    const near = await this.near({ space, ids: unique(compared.map(searchedFor)), beside: '<' }, reader);
    const found = ids.map((id) => {
      const [equal] = bytes.get(id) ?? [];
      const own = equal ?? id;
      const others = ascending([...(hashes.get(own) ?? []), ...(near.of.get(searchedFor(own)) ?? [])]);
      const oldest = equal === undefined ? others.slice(0, OLDER) : [...others.slice(0, OLDER - 1), equal];
      return [id, oldest] as const;
    });
    return { of: withOthers(found), looked: near.looked + ids.length };
  }

  private async findNewer(space: Space, ids: readonly number[], turns: Turns): Promise<Candidates> {
    const reader = this.readerOf(turns);
    const compared: Compared = { space, ids, beside: '>' };
    const bytes = await equalImages(reader, 'bytes', compared, NEWER);
    const hashes = await equalImages(reader, 'hash', compared, NEWER);
    const near = await this.near(compared, reader);
    const found = ids.map((id) => {
      const others = [bytes, hashes, near.of].flatMap((some) => some.get(id) ?? []);
      return [id, ascending(others)] as const;
    });
    return { of: withOthers(found), looked: near.looked + found.flatMap(([, others]) => others).length };
  }

  private readerOf(turns: Turns): SearchReader {
    return { dialect: this.database.dialect, ...this.database.inTurns(turns) };
  }

  private async near(compared: Compared, reader: SearchReader): Promise<Candidates> {
    const found = new Map<number, number[]>();
    let looked = 0;
    const rings = compared.ids.length === 0 ? [] : await this.ringsIn(compared.space, reader);
    for (const [ring, probes] of rings.entries()) {
      const near = await nearCandidates(reader, compared, { ring, probes, perBand: PER_BAND });
      const probed = probes.reduce((sum, { masks }) => sum + masks.length, 0);
      await mapInPortions(near, ({ id: own, ofBands }) => {
        const others = found.get(own) ?? [];
        const candidates = ofBands().flat();
        looked += probed + candidates.length;
        for (const { id, distance } of candidates) {
          const isBeside = compared.beside === '<' ? id < own : id > own;
          if (isBeside && distance <= COPY_DHASH_BITS) others.push(id);
        }
        if (others.length > 0) found.set(own, others);
      });
    }
    return { of: found, looked };
  }

  private async ringsIn(space: Space, reader: RowReader): Promise<typeof RINGS> {
    const [row] = await reader.rows<{ readonly images: number }>(
      sql`select images from spaces where name = ${space}`,
    );
    return RINGS.slice(0, 1 + RING_SPACES.filter((most) => Number(row?.images) <= most).length);
  }

  private async looksOf(
    space: Space,
    ids: readonly number[],
    turns: Turns,
  ): Promise<ReadonlyMap<number, Look>> {
    const reader = this.database.inTurns(turns);
    const looks = new Map<number, Look>();
    for (let start = 0; start < ids.length; start += LOOKS) {
      const some = ids.slice(start, start + LOOKS);
      const rows = await reader.rows<LookRow>(selectLooks(this.database.dialect, space, some));
      for (const row of rows) looks.set(row.id, lookFromRow(row));
    }
    return looks;
  }
}

function unique(ids: readonly number[]): readonly number[] {
  return [...new Set(ids)];
}

function ascending(ids: readonly number[]): readonly number[] {
  return ids.length < 2 ? ids : unique(ids).toSorted((a, b) => a - b);
}

function withOthers(found: ReadonlyArray<readonly [number, readonly number[]]>): Others {
  return new Map(found.filter(([, others]) => others.length > 0));
}

function lookFromRow(row: LookRow): Look {
  return {
    image: { sha256: row.sha256.toString('hex'), width: row.width, height: row.height },
    capture: captureIn(row.capture),
    hashes: row.look_id === null ? undefined : hashesFromRow(row),
  };
}
