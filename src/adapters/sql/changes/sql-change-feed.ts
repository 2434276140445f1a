import type { Knex } from 'knex';
import type {
  Change,
  ChangePage,
  ChangePosition,
  ChangeRecords,
  ChangeType,
} from '../../../domain/ports/records/change-feed.ts';
import { CatalogDatabase } from '../database/catalog-database.ts';
import { inBatches } from '../database/in-batches.ts';
import { sql } from '../database/sql-fragment.ts';
import { CHANGES_TABLE } from './recorded-changes.ts';

interface ChangeRow extends ChangePosition {
  readonly kind: number;
  readonly image_id: number;
  readonly version: number | null;
  readonly at: number;
  readonly actor: string | null;
}

/** In the row before the oldest change. */
const START = 0;
const KINDS: ReadonlyMap<number, ChangeType> = new Map([
  [1, 'image.created'],
  [2, 'image.updated'],
  [3, 'image.deleted'],
]);

const SELECT = 'select number, mark, kind, image_id, version, at, actor from changes';

/** No writer waits longer for a removal. */
const REMOVED_AT_A_TIME = 1_000;
const COLUMNS = 7;

export class SqlChangeFeed implements ChangeRecords {
  private readonly database: CatalogDatabase;

  /** @param reader for reads that would wait for writes on `knex` */
  constructor(knex: Knex, reader: Knex = knex) {
    this.database = new CatalogDatabase(knex, reader);
  }

  async latest(): Promise<ChangePosition> {
    const [row] = await this.database.rows<ChangePosition>(
      sql('select number, mark from changes order by number desc limit 1'),
    );
    return positionOf(row);
  }

  async readPage(after: ChangePosition | undefined, limit: number): Promise<ChangePage | undefined> {
    // With the row of the position itself, and one that is only counted.
    const [first, ...rows] = await this.database.rows<ChangeRow>(
      sql(`${SELECT} where number >= ? order by number limit ?`, after?.number ?? 0, limit + 2),
    );
    const isHeld = first?.number === after?.number && first?.mark === after?.mark;
    if (after !== undefined && !isHeld) return undefined;
    const start = positionOf(first);
    const page = rows.slice(0, limit);
    const last = page.at(-1);
    return {
      start,
      changes: page.flatMap(changeFromRow),
      next: last === undefined ? start : positionOf(last),
      more: rows.length > limit,
    };
  }

  async removeOlder(time: Date): Promise<number> {
    return await this.database.change(async (transaction) => {
      const outdated = await this.outdated(time, transaction);
      const last = outdated.at(-1);
      if (last === undefined) return 0;
      await transaction(CHANGES_TABLE).delete().where('number', '<=', last);
      // With another mark: cursors of the last one end as those of all others.
      await insertStart(last, transaction);
      return outdated.length;
    });
  }

  async countOlder(time: Date): Promise<number> {
    // All before the last one that is followed by older ones alone.
    const [row] = await this.database.rows<{ readonly outdated: number }>(
      sql(
        `select count(*) - 1 as outdated from changes where kind <> ${START} and number < coalesce((
          select min(number) from changes where at >= ? and number > (
            select min(number) from changes where kind <> ${START}
          )
        ), number + 1)`,
        time.getTime(),
      ),
    );
    return Math.max(0, Number(row?.outdated));
  }

  /** The numbers of changes whose next change is older. */
  private async outdated(time: Date, connection: Knex): Promise<readonly number[]> {
    const rows: ReadonlyArray<Pick<ChangeRow, 'number' | 'at'>> = await connection(CHANGES_TABLE)
      .select('number', 'at')
      .whereNot('kind', START)
      .orderBy('number')
      .limit(REMOVED_AT_A_TIME + 1);
    const next = rows.slice(1);
    const kept = next.findIndex(({ at }) => at >= time.getTime());
    return rows.slice(0, kept === -1 ? next.length : kept).map(({ number }) => number);
  }

  async begin({ number, mark }: ChangePosition): Promise<void> {
    await this.database.change(async (transaction) => {
      await transaction(CHANGES_TABLE).delete();
      await insertStart(number, transaction, mark);
    });
  }

  async append(changes: readonly Change[]): Promise<void> {
    await this.database.change((transaction) =>
      inBatches(changes, COLUMNS, async (some) => {
        await transaction(CHANGES_TABLE).insert(some.map(rowOf));
      }),
    );
  }
}

async function insertStart(number: number, transaction: Knex, mark?: number): Promise<void> {
  const row = { number, kind: START, image_id: 0 };
  await transaction(CHANGES_TABLE).insert(mark === undefined ? row : { ...row, mark });
}

function positionOf(row: ChangePosition | undefined): ChangePosition {
  if (row === undefined) throw new TypeError('The feed of changes has no start');
  return { number: row.number, mark: row.mark };
}

/** None of a kind that only later versions know. */
function changeFromRow(row: ChangeRow): readonly Change[] {
  const type = KINDS.get(row.kind);
  if (type === undefined) return [];
  const { image_id: imageId, version, at, actor: by } = row;
  return [{ position: positionOf(row), type, imageId, version: version ?? undefined, at: new Date(at), by }];
}

function rowOf({ position, type, imageId, version, at, by }: Change): ChangeRow {
  const kind = [...KINDS].find(([, known]) => known === type)?.[0] ?? START;
  return { ...position, kind, image_id: imageId, version: version ?? null, at: at.getTime(), actor: by };
}
