import type { Knex } from 'knex';
import { BLOB_KEY_LENGTH, type BlobKey } from '../../../domain/image/blob-key.ts';
import {
  HEX_DIGITS,
  type SweepSlice,
  type SweepSlices,
  type WatchedBlob,
} from '../../../domain/ports/records/sweep-slices.ts';
import { CatalogDatabase } from '../database/catalog-database.ts';
import { inBatches } from '../database/in-batches.ts';
import { rowsOf, type SqlFragment, sql } from '../database/sql-fragment.ts';

const SLICES = 'sweep_slices';
const WATCHED = 'watched_blobs';

interface TakenRow {
  readonly prefix: string;
  readonly taken_at: number;
}

interface SweptRow {
  readonly swept_at: number;
}

interface WatchedRow {
  readonly uuid: BlobKey;
  readonly since: number;
}

export class SqlSweepSlices implements SweepSlices {
  private readonly database: CatalogDatabase;

  /** @param reader for reads that would wait for writes on `knex` */
  constructor(knex: Knex, reader: Knex = knex) {
    this.database = new CatalogDatabase(knex, reader);
  }

  async takeDue(owner: string, afterMs: number, leaseMs: number): Promise<SweepSlice | undefined> {
    const { now, skipLocked } = this.database.dialect;
    // Times that lie ahead are of a clock that was set back.
    const due = `select prefix from ${SLICES}
      where not swept_at between ${now} - ? + 1 and ${now} and not held_until between ${now} + 1 and ${now} + ?
      order by taken_at, prefix limit 1 ${skipLocked}`;
    return await this.takeThat(sql(`(${due})`, afterMs, leaseMs), owner, leaseMs);
  }

  async take(prefix: string, owner: string, leaseMs: number): Promise<SweepSlice | undefined> {
    return await this.takeThat(sql('?', prefix), owner, leaseMs);
  }

  async renew(prefix: string, owner: string, leaseMs: number): Promise<boolean> {
    const { now } = this.database.dialect;
    const renewed = await this.database.run(() =>
      this.database
        .knex(SLICES)
        .update({ held_until: this.database.knex.raw(`${now} + ?`, [leaseMs]) })
        .where({ prefix, owner }),
    );
    return renewed === 1;
  }

  async finish(prefix: string, owner: string, watched: readonly WatchedBlob[]): Promise<void> {
    await this.database.transaction(async (transaction) => {
      const sweptAt = await this.markSwept(transaction, prefix, owner);
      if (sweptAt === undefined) return;
      await transaction(WATCHED).delete().whereBetween('uuid', rangeOf(prefix));
      const rows = watched.map(({ key, since }) => ({ uuid: key, since: since?.getTime() ?? sweptAt }));
      await inBatches(rows, 2, async (some) => await transaction(WATCHED).insert([...some]));
    });
  }

  async split(prefix: string, owner: string): Promise<void> {
    await this.database.transaction(async (transaction) => {
      const text = `delete from ${SLICES} where prefix = ? and owner = ? returning swept_at`;
      const [whole] = await rowsOf<SweptRow>(transaction, sql(text, prefix, owner));
      if (whole === undefined) return;
      const rows = HEX_DIGITS.map((digit) => ({ prefix: prefix + digit, swept_at: whole.swept_at }));
      await transaction(SLICES).insert(rows);
    });
  }

  async release(owner: string): Promise<void> {
    await this.database.run(() =>
      this.database.knex(SLICES).update({ owner: null, held_until: 0 }).where({ owner }),
    );
  }

  async prefixes(): Promise<readonly string[]> {
    const rows = await this.database.rows<TakenRow>(sql(`select prefix from ${SLICES} order by prefix`));
    return rows.map(({ prefix }) => prefix);
  }

  async longestUnsweptMs(): Promise<number | undefined> {
    const { now } = this.database.dialect;
    const text = `select min(swept_at) as first, ${now} as now from ${SLICES}`;
    const [row] = await this.database.rows<{ readonly first: number; readonly now: number }>(sql(text));
    return row === undefined || row.first === 0 ? undefined : row.now - row.first;
  }

  private async takeThat(
    which: SqlFragment,
    owner: string,
    leaseMs: number,
  ): Promise<SweepSlice | undefined> {
    const { now } = this.database.dialect;
    const text = `update ${SLICES} set owner = ?, taken_at = ${now}, held_until = ${now} + ?
      where prefix = ${which.sql} returning prefix, taken_at`;
    const statement = sql(text, owner, leaseMs, ...which.bindings);
    const [taken] = await this.database.run(() => rowsOf<TakenRow>(this.database.knex, statement));
    if (taken === undefined) return undefined;
    const { prefix, taken_at: takenAt } = taken;
    return { prefix, takenAt: new Date(takenAt), watched: await this.watchedIn(prefix) };
  }

  private async watchedIn(prefix: string): Promise<readonly WatchedBlob[]> {
    const text = `select uuid, since from ${WATCHED} where uuid between ? and ?`;
    const rows = await this.database.rows<WatchedRow>(sql(text, ...rangeOf(prefix)));
    return rows.map(({ uuid, since }) => ({ key: uuid, since: new Date(since) }));
  }

  /** Resolves to the time; `undefined` if the slice has another owner. */
  private async markSwept(
    transaction: Knex.Transaction,
    prefix: string,
    owner: string,
  ): Promise<number | undefined> {
    const text = `update ${SLICES} set owner = null, held_until = 0, swept_at = ${this.database.dialect.now}
      where prefix = ? and owner = ? returning swept_at`;
    const [row] = await rowsOf<SweptRow>(transaction, sql(text, prefix, owner));
    return row?.swept_at;
  }
}

/** The lowest and the highest UUID of a slice. */
function rangeOf(prefix: string): [string, string] {
  return [uuidFrom(prefix, '0'), uuidFrom(prefix, 'f')];
}

function uuidFrom(prefix: string, digit: string): string {
  const hex = prefix.padEnd(BLOB_KEY_LENGTH - 4, digit);
  return hex.replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-');
}
