import { BLOB_KEY_LENGTH, type BlobKey } from '../../../domain/image/blob-key.ts';
import { pageBehind } from '../../../domain/ports/records/page-behind.ts';
import {
  type SlicePage,
  type SweepSlice,
  type SweepSlices,
  TWO_DIGITS,
  type WatchedBlob,
} from '../../../domain/ports/records/sweep-slices.ts';
import type { CatalogDatabase } from '../database/catalog-database.ts';
import { inBatches } from '../database/in-batches.ts';
import { FREE, Leases } from '../database/leases.ts';
import { raw, rowsOf, type SqlFragment, sql } from '../database/sql-fragment.ts';

const SLICES = 'sweep_slices';
const WATCHED = 'watched_blobs';

interface SliceRow extends SlicePage {
  readonly taken_at: number;
}

interface WatchedRow {
  readonly uuid: BlobKey;
  readonly since: number;
}

export class SqlSweepSlices implements SweepSlices {
  readonly prefixes = TWO_DIGITS;
  private readonly leases: Leases;

  constructor(private readonly database: CatalogDatabase) {
    this.leases = new Leases(database, SLICES);
  }

  async takeDue(owner: string, afterMs: number, leaseMs: number): Promise<SweepSlice | undefined> {
    const { now, skipLocked } = this.database.dialect;
    // A time that lies ahead is of a clock that was set back.
    const due = sql`not swept_at between ${now} - ${afterMs} + 1 and ${now} and ${this.leases.isFree(leaseMs)}`;
    const first = sql`select prefix from sweep_slices where ${due} order by taken_at, prefix limit 1 ${skipLocked}`;
    return await this.takeThat(sql`prefix = (${first})`, owner, leaseMs);
  }

  async take(prefix: string, owner: string, leaseMs: number): Promise<SweepSlice | undefined> {
    return await this.takeThat(sql`prefix = ${prefix}`, owner, leaseMs);
  }

  async renew(prefix: string, owner: string, leaseMs: number): Promise<boolean> {
    const isMine = sql`prefix = ${prefix} and lease_owner = ${owner}`;
    return (await this.leases.take(isMine, owner, leaseMs)) !== undefined;
  }

  async finish(swept: SlicePage, owner: string, watched: readonly WatchedBlob[]): Promise<void> {
    const { now } = this.database.dialect;
    const next = pageBehind(swept.page);
    const sweptAt = next === '' ? now : raw('swept_at');
    const statement = sql`update sweep_slices set lease_owner = null, lease_until = 0, page = ${next}, swept_at = ${sweptAt}
      where prefix = ${swept.prefix} and lease_owner = ${owner} returning ${now} as now`;
    await this.database.transaction(async (transaction) => {
      const [held] = await rowsOf<{ readonly now: number }>(transaction, statement);
      if (held === undefined) return;
      await transaction(WATCHED).delete().whereBetween('uuid', rangeOf(swept));
      const rows = watched.map(({ key, since }) => ({ uuid: key, since: since?.getTime() ?? held.now }));
      await inBatches(rows, 2, async (some) => await transaction(WATCHED).insert([...some]));
    });
  }

  async divide(prefix: string, owner: string): Promise<void> {
    const { knex } = this.database;
    const begun = { ...FREE, page: TWO_DIGITS[0] };
    await this.database.run(() => knex(SLICES).update(begun).where({ prefix, lease_owner: owner }));
  }

  async release(owner: string): Promise<void> {
    await this.leases.release(owner);
  }

  async longestUnsweptMs(): Promise<number | undefined> {
    const { now } = this.database.dialect;
    const [row] = await this.database.rows<{ readonly first: number; readonly now: number }>(
      sql`select min(swept_at) as first, ${now} as now from sweep_slices`,
    );
    return row === undefined || row.first === 0 ? undefined : row.now - row.first;
  }

  private async takeThat(
    which: SqlFragment,
    owner: string,
    leaseMs: number,
  ): Promise<SweepSlice | undefined> {
    const taken = sql`, taken_at = ${this.database.dialect.now}`;
    const row = await this.leases.take<SliceRow>(which, owner, leaseMs, taken);
    if (row === undefined) return undefined;
    const { prefix, page, taken_at } = row;
    return { prefix, page, takenAt: new Date(taken_at), watched: await this.watchedIn(row) };
  }

  private async watchedIn(slice: SlicePage): Promise<readonly WatchedBlob[]> {
    const [first, last] = rangeOf(slice);
    const rows = await this.database.rows<WatchedRow>(
      sql`select uuid, since from watched_blobs where uuid between ${first} and ${last}`,
    );
    return rows.map(({ uuid, since }) => ({ key: uuid, since: new Date(since) }));
  }
}

/** The lowest and the highest UUID of a page. */
function rangeOf({ prefix, page }: SlicePage): [string, string] {
  return [uuidFrom(prefix + page, '0'), uuidFrom(prefix + page, 'f')];
}

function uuidFrom(digits: string, digit: string): string {
  const hex = digits.padEnd(BLOB_KEY_LENGTH - 4, digit);
  return hex.replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-');
}
