import { createHash } from 'node:crypto';
import type { Knex } from 'knex';
import { LRUCache } from 'lru-cache';
import { TooManyChanges } from '../../../domain/errors.ts';
import type { Space } from '../../../domain/space/space.ts';
import { dialectOf } from '../database/dialect-of.ts';
import { rowsOf, sql } from '../database/sql-fragment.ts';

const HOUR_MS = 60 * 60_000;
/** A change at the end of an hour counts for 24 hours, so all changes of its hour count until the 25th hour after it begins. */
const COUNTED_HOURS = 25;

/** No writer waits longer for counts that are removed. */
const REMOVED_AT_A_TIME = 1_000;

/** Who makes changes, and where. */
export interface ChangeMaker {
  readonly space: Space;
  /** `undefined`: the changes are not counted. */
  readonly subject: string | undefined;
}

interface CountRow {
  readonly space: Space;
  readonly subject: string;
  readonly hour: number;
  readonly changes: number;
}

type HourCount = Pick<CountRow, 'hour' | 'changes'>;

interface SavedRow extends Pick<CountRow, 'space' | 'subject'> {
  /** In all hours that count, with those just written. */
  readonly held: number | string;
}

/** Other processes have written so many changes that the limit is passed. The next attempt reads the counts first. */
class OutdatedCounts extends Error {}

const MAX_KNOWN_MAKERS = 1_000;

/** Bounds the changes that a subject makes in a space. Callers hold the lock of `SqlDialect.lockChanges`. */
export class ChangeQuota {
  /** How many changes of a maker counted when this process last saw them. */
  private readonly known = new LRUCache<string, number>({ max: MAX_KNOWN_MAKERS });

  /** @param max changes in any 24 hours; 0: no limit, and nothing is counted */
  constructor(private readonly max: number) {}

  /**
   * Counts changes that the transaction has written.
   *
   * @throws {TooManyChanges}
   */
  async admit(maker: ChangeMaker, changes: number, at: Date, transaction: Knex): Promise<void> {
    const counts = await this.read([maker], at, transaction);
    const refusal = counts.take(maker, changes);
    if (refusal !== undefined) throw refusal;
    await counts.save(transaction);
  }

  /** Counts changes that are never refused. */
  async count(maker: ChangeMaker, changes: number, at: Date, transaction: Knex): Promise<void> {
    const counts = this.countsOf(at, []);
    counts.add(maker, changes);
    await counts.save(transaction);
  }

  /**
   * Nearly all makers are far from the limit: their counts are not read, only written, by the statement that tells whether they have
   * passed it.
   *
   * @param write a transaction with `open` and `ChangeCounts.save`; repeated if other processes have written more than this one knew
   */
  async retrying<T>(write: () => Promise<T>): Promise<T> {
    try {
      return await write();
    } catch (error) {
      if (!(error instanceof OutdatedCounts)) throw error;
      return await write();
    }
  }

  /** The counts of all makers, each of whom makes one change. */
  async open(makers: readonly ChangeMaker[], at: Date, transaction: Knex): Promise<ChangeCounts> {
    const counted = makers.filter(({ subject }) => subject !== undefined);
    const hasRoom = ({ space, subject }: ChangeMaker): boolean =>
      (this.known.get(keyOf(space, hashOf(subject))) ?? this.max) + counted.length <= this.max;
    if (counted.every(hasRoom)) return this.countsOf(at, undefined);
    return await this.read(counted, at, transaction);
  }

  private countsOf(at: Date, rows: readonly CountRow[] | undefined): ChangeCounts {
    return new ChangeCounts(this.max, at, rows, this.known);
  }

  private async read(makers: readonly ChangeMaker[], at: Date, transaction: Knex): Promise<ChangeCounts> {
    const counted = this.max === 0 ? [] : makers.filter(({ subject }) => subject !== undefined);
    if (counted.length === 0) return this.countsOf(at, []);
    const keys = counted.map(({ space, subject }) => [space, hashOf(subject)]);
    const rows = await rowsOf<CountRow>(
      transaction,
      sql`select distinct spaces.name as space, subject, hour, changes from ${dialectOf(transaction).jsonRows(keys)}
        join spaces on spaces.name = value ->> 0
        join change_counts on change_counts.space = spaces.id and subject = value ->> 1
        where hour > ${hourOf(at) - COUNTED_HOURS} order by hour`,
    );
    return this.countsOf(at, rows);
  }
}

/** What the makers of one transaction have written in the last hours, and what they write in it. */
export class ChangeCounts {
  private readonly before = new Map<string, HourCount[]>();
  private readonly added = new Map<string, { readonly key: readonly [Space, string]; changes: number }>();

  /** @param rows `undefined`: the makers were far from the limit when this process last saw their counts */
  constructor(
    private readonly max: number,
    private readonly at: Date,
    private readonly rows: readonly CountRow[] | undefined,
    private readonly known: LRUCache<string, number>,
  ) {
    for (const row of rows ?? []) {
      const key = keyOf(row.space, row.subject);
      this.before.set(key, [...(this.before.get(key) ?? []), row]);
    }
  }

  /** Counts the changes, or returns why they are too many. */
  take(maker: ChangeMaker, changes: number): TooManyChanges | undefined {
    const refusal = this.judge(maker, changes);
    if (refusal === undefined) this.add(maker, changes);
    return refusal;
  }

  add({ space, subject }: ChangeMaker, changes: number): void {
    if (this.max === 0 || subject === undefined || changes === 0) return;
    const hash = hashOf(subject);
    const key = keyOf(space, hash);
    const taken = this.added.get(key)?.changes ?? 0;
    this.added.set(key, { key: [space, hash], changes: taken + changes });
  }

  /** @throws {OutdatedCounts} */
  async save(transaction: Knex): Promise<void> {
    if (this.added.size === 0) return;
    const rows = [...this.added.values()].map(({ key, changes }) => [...key, changes]);
    const saved = await rowsOf<SavedRow>(
      transaction,
      sql`insert into change_counts (space, subject, hour, changes)
        select spaces.id, value ->> 1, cast(${hourOf(this.at)} as integer), cast(value ->> 2 as integer)
        from ${dialectOf(transaction).jsonRows(rows)} join spaces on spaces.name = value ->> 0 where true
        on conflict (space, subject, hour) do update set changes = change_counts.changes + excluded.changes
        returning (select name from spaces where id = change_counts.space) as space, subject, changes + coalesce((
          select sum(others.changes) from change_counts as others
          where others.space = change_counts.space and others.subject = change_counts.subject
          and others.hour > ${hourOf(this.at) - COUNTED_HOURS} and others.hour <> change_counts.hour), 0) as held`,
    );
    for (const { space, subject, held } of saved) this.known.set(keyOf(space, subject), Number(held));
    const isPassed = saved.some(({ held }) => Number(held) > this.max);
    if (isPassed && this.rows === undefined) throw new OutdatedCounts();
  }

  private judge({ space, subject }: ChangeMaker, changes: number): TooManyChanges | undefined {
    if (this.max === 0 || subject === undefined || changes === 0) return undefined;
    const key = keyOf(space, hashOf(subject));
    const now = { hour: hourOf(this.at), changes: this.added.get(key)?.changes ?? 0 };
    const counts = [...(this.before.get(key) ?? []), now];
    let held = counts.reduce((sum, count) => sum + count.changes, 0);
    if (held + changes <= this.max) return undefined;
    const facts = { max: this.max, asked: changes, now: this.at };
    for (const { hour, changes: ended } of counts) {
      held -= ended;
      if (held + changes <= this.max) return new TooManyChanges({ ...facts, until: endOf(hour) });
    }
    return new TooManyChanges({ ...facts, until: endOf(counts.at(-1)?.hour ?? now.hour) });
  }
}

/** Resolves to how many it has removed; 0 if none is left that no longer counts. */
export async function removeOldCounts(now: Date, transaction: Knex): Promise<number> {
  const old = sql`select space, subject, hour from change_counts where hour <= ${hourOf(now) - COUNTED_HOURS}
    order by hour limit ${REMOVED_AT_A_TIME}`;
  const removed = await rowsOf(
    transaction,
    sql`delete from change_counts where (space, subject, hour) in (${old}) returning hour`,
  );
  return removed.length;
}

function hourOf(time: Date): number {
  return Math.floor(time.getTime() / HOUR_MS);
}

function endOf(hour: number): Date {
  return new Date((hour + COUNTED_HOURS) * HOUR_MS);
}

/** A hash has no space character. */
function keyOf(space: Space, hash: string): string {
  return `${hash} ${space}`;
}

/** UTF-16 units of all subjects in it. */
const HASHES = new LRUCache<string, string>({
  maxSize: 64 * 1024,
  sizeCalculation: (hash, subject) => hash.length + subject.length,
  memoMethod: (subject) => createHash('sha256').update(subject).digest('base64url'),
});

function hashOf(subject = ''): string {
  return HASHES.memo(subject);
}
