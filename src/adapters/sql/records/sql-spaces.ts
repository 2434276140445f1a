import type { Knex } from 'knex';
import { type Page, pageOf } from '../../../domain/ports/records/page.ts';
import type {
  LimitChange,
  Recount,
  SpacePageQuery,
  SpaceRecords,
  SpaceStatus,
} from '../../../domain/ports/records/space-records.ts';
import type { Usage } from '../../../domain/space/space.ts';
import { type Amount, type Limits, NOTHING, type Space } from '../../../domain/space/space.ts';
import type { CatalogDatabase } from '../database/catalog-database.ts';
import { raw, rowsOf, type SqlFragment, sql } from '../database/sql-fragment.ts';
import { SpaceRow, spaceIdOf, UNLIMITED, usageFrom } from '../rows/space-row.ts';
import { SEARCH_LIMITS } from '../search/search-conditions.ts';
import { forgetSpace, renameSpace } from './rename-space.ts';

/** Ids of images in one statement, which must end in time. */
const COUNTED_AT_A_TIME = 1_000_000;

interface CountedRow {
  readonly space: number;
  readonly images: number;
  /** Postgres has a sum as text: it may be beyond a bigint. */
  readonly bytes: number | string;
}

export class SqlSpaces implements SpaceRecords {
  /**
   * @param defaults limits of spaces without limits of their own
   * @param maxCandidates rows that a page looks at
   */
  constructor(
    private readonly database: CatalogDatabase,
    private readonly defaults: Limits,
    private readonly maxCandidates = SEARCH_LIMITS.candidates,
  ) {}

  async find(space: Space): Promise<Usage> {
    const [row] = await this.database.rows<SpaceRow>(sql`select * from spaces where name = ${space}`);
    return this.usageOf(row);
  }

  async findAll(): Promise<readonly SpaceStatus[]> {
    return await this.readStatuses(sql`select * from spaces where ${IS_LISTED} order by name`);
  }

  async findPage({ after, limit }: SpacePageQuery): Promise<Page<SpaceStatus, Space>> {
    const isAfter = after === undefined ? raw('') : sql`and name > ${after}`;
    // Before the page: a row that is removed in between must not move the end of the page.
    const last = await this.lastCandidate(isAfter);
    const isBefore = last === undefined ? raw('') : sql`and name <= ${last}`;
    const found = await this.readStatuses(
      sql`select * from spaces where ${IS_LISTED} ${isAfter} ${isBefore} order by name limit ${limit + 1}`,
    );
    const { items, next = last } = pageOf(
      found.map((status) => ({ item: status, position: status.space })),
      limit,
    );
    return { items, next };
  }

  async findStatus(space: Space): Promise<SpaceStatus | undefined> {
    const [status] = await this.readStatuses(
      sql`select * from spaces where ${IS_LISTED} and name = ${space}`,
    );
    return status;
  }

  async setLimits(space: Space, { images, bytes }: LimitChange): Promise<SpaceStatus> {
    return await this.database.change(async (transaction) => {
      const columns = {
        ...(images !== undefined && { max_images: columnOf(images) }),
        ...(bytes !== undefined && { max_bytes: columnOf(bytes) }),
      };
      const limits = Object.values(columns);
      // A space that is unknown has the limits of the settings already.
      if (limits.some((limit) => limit !== null)) await spaceIdOf(space, transaction);
      if (limits.length > 0) await SpaceRow.query(transaction).patch(columns).where({ name: space });
      const row = await SpaceRow.query(transaction).findOne({ name: space });
      return this.statusOf(space, row);
    });
  }

  async rename(from: Space, to: Space): Promise<boolean> {
    return await this.database.change((transaction) => renameSpace(from, to, transaction));
  }

  async forget(space: Space): Promise<boolean> {
    return await this.database.change((transaction) => forgetSpace(space, transaction));
  }

  async recount(): Promise<readonly Recount[]> {
    const { reader, dialect } = this.database;
    return await this.database.run(() =>
      reader.transaction((transaction) => recountAll(transaction), dialect.snapshots),
    );
  }

  async repair(space: Space): Promise<readonly Recount[]> {
    return await this.database.change(async (transaction) => {
      const wrong = await recountAll(transaction, space);
      for (const { of, counted } of wrong) {
        const { images, bytes } = COUNTED[of];
        const columns = { [images]: counted.images, [bytes]: counted.bytes };
        await SpaceRow.query(transaction).patch(columns).where({ name: space });
      }
      return wrong;
    });
  }

  /** `undefined` if a page can look at all spaces that are left: a space whose images are gone keeps its row. */
  private async lastCandidate(isAfter: SqlFragment): Promise<Space | undefined> {
    const [row] = await this.database.rows<Pick<SpaceRow, 'name'>>(
      sql`select name from spaces where true ${isAfter} order by name limit 1 offset ${this.maxCandidates - 1}`,
    );
    return row?.name;
  }

  private async readStatuses(query: SqlFragment): Promise<readonly SpaceStatus[]> {
    const rows = await this.database.rows<SpaceRow>(query);
    return rows.map((row) => this.statusOf(row.name, row));
  }

  private statusOf(space: Space, row: SpaceRow | undefined): SpaceStatus {
    return { space, ...this.usageOf(row) };
  }

  private usageOf(row: SpaceRow | undefined): Usage {
    return row === undefined
      ? { ...NOTHING, trashed: NOTHING, limits: this.defaults }
      : usageFrom(row, this.defaults);
  }
}

/** The condition for a space to be listed. */
const IS_LISTED = raw(
  '(images > 0 or trashed_images > 0 or max_images is not null or max_bytes is not null)',
);

function columnOf(limit: number | null | 'default'): number | null {
  if (limit === 'default') return null;
  return limit ?? UNLIMITED;
}

/**
 * All statements of the transaction see the same moment, or exclude writers.
 *
 * @param only by default all spaces
 */
async function recountAll(transaction: Knex.Transaction, only?: Space): Promise<readonly Recount[]> {
  const where = only === undefined ? {} : { name: only };
  const spaces = await SpaceRow.query(transaction).where(where).orderBy('name');
  const one = only === undefined ? undefined : spaces[0]?.id;
  const found: Recount[] = [];
  for (const of of ['images', 'trash'] as const) {
    const { table, key, ...columns } = COUNTED[of];
    const all = await countAll(table, key, transaction, one);
    for (const row of spaces) {
      const counted = all.get(row.id) ?? NOTHING;
      const recorded = { images: row[columns.images], bytes: row[columns.bytes] };
      const isRight = counted.images === recorded.images && counted.bytes === recorded.bytes;
      if (!isRight) found.push({ space: row.name, of, counted, recorded });
    }
  }
  return found;
}

/** Tables of images, and their counters. */
const COUNTED = {
  images: { table: 'images', key: 'id', images: 'images', bytes: 'bytes' },
  trash: { table: 'trashed_images', key: 'image_id', images: 'trashed_images', bytes: 'trashed_bytes' },
} as const;

/** By number of the space. */
async function countAll(
  table: string,
  id: string,
  transaction: Knex.Transaction,
  only?: number,
): Promise<ReadonlyMap<number, Amount>> {
  const counted = new Map<number, Amount>();
  const [key, images] = [raw(id), raw(table)];
  const newest = sql`select max(${key}) as id from ${images}`;
  const [last] = await rowsOf<{ readonly id: number }>(transaction, newest);
  const inSpace = only === undefined ? raw('') : sql`and space = ${only}`;
  for (let first = 0; first < Number(last?.id); first += COUNTED_AT_A_TIME) {
    const rows = await rowsOf<CountedRow>(
      transaction,
      sql`select space, count(*) as images, sum(size) as bytes from ${images}
        where ${key} > ${first} and ${key} <= ${first + COUNTED_AT_A_TIME} ${inSpace} group by space`,
    );
    for (const { space, images, bytes } of rows) {
      const before = counted.get(space) ?? NOTHING;
      counted.set(space, { images: before.images + images, bytes: before.bytes + Number(bytes) });
    }
  }
  return counted;
}
