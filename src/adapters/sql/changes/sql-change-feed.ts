import type { Knex } from 'knex';
import type { Name } from '../../../domain/name/name.ts';
import type {
  Change,
  ChangePage,
  ChangePosition,
  ChangeRecords,
  ChangeType,
} from '../../../domain/ports/records/change-feed.ts';
import type { Space } from '../../../domain/space/space.ts';
import type { CatalogDatabase } from '../database/catalog-database.ts';
import { inSpaceById, orderInSpace } from '../database/in-space.ts';
import { join, orderBy, raw, type SqlFragment, sql } from '../database/sql-fragment.ts';
import { removeOldCounts } from './change-quota.ts';
import { CHANGE_KINDS } from './record-changes.ts';

const CHANGES_TABLE = 'changes';

interface ChangeRow extends ChangePosition {
  readonly kind: number;
  readonly image_id: number;
  readonly version: number | null;
  readonly at: number;
  readonly actor: string | null;
  readonly space: number;
  readonly name: Name | null;
  readonly is_public: number | null;
}

/** Of a statement that reads a page. */
interface PageRow extends ChangeRow {
  readonly part: number;
  readonly space_name: Space;
  /** Of the name; null if there is none any more. */
  readonly name_number: number | null;
}

/** In the row before the oldest change. */
const START = 0;
const TYPES: ReadonlyMap<number, ChangeType> = new Map(
  Object.entries(CHANGE_KINDS).map(([type, kind]) => [kind, type as ChangeType]),
);

/** The parts of a page: where it begins, the newest change of the catalog, and the changes. */
const [BEGIN, NEWEST, CHANGES] = [0, 1, 2] as const;

/** No writer waits longer for a removal. */
const REMOVED_AT_A_TIME = 1_000;

export class SqlChangeFeed implements ChangeRecords {
  constructor(private readonly database: CatalogDatabase) {}

  async latest(): Promise<ChangePosition> {
    const [row] = await this.database.rows<ChangePosition>(
      sql`select number, mark from changes order by number desc limit 1`,
    );
    return positionOf(row);
  }

  in(space: Space): Pick<ChangeRecords, 'readPage'> {
    const { dialect } = this.database;
    const inside = inSpaceById(space, 'space', dialect);
    const order = orderBy(orderInSpace(space, 'space', ['number']), 'asc');
    const behind: Behind = (after) => sql`${inside} and ${isBehind(after)} ${order}`;
    return { readPage: async (after, limit) => await this.read(behind, after, limit) };
  }

  async readPage(after: ChangePosition | undefined, limit: number): Promise<ChangePage | undefined> {
    return await this.read(behindInAll, after, limit);
  }

  /** In one statement, so that the newest change is that of the moment at which the others are read. */
  private async read(
    behind: Behind,
    after: ChangePosition | undefined,
    limit: number,
  ): Promise<ChangePage | undefined> {
    const number = after?.number ?? 0;
    const rows = await this.database.rows<PageRow>(pageStatement(number, behind(number), limit));
    const first = rows.find(({ part }) => part === BEGIN);
    const isHeld = first?.number === after?.number && first?.mark === after?.mark;
    if (after !== undefined && !isHeld) return undefined;
    const found = rows.filter(({ part }) => part === CHANGES);
    const page = found.slice(0, limit);
    const more = found.length > limit;
    const last = more ? page.at(-1) : rows.find(({ part }) => part === NEWEST);
    return { start: positionOf(first), changes: page.flatMap(changeFromRow), next: positionOf(last), more };
  }

  async removeOlder(time: Date): Promise<number> {
    return await this.database.change(async (transaction) => {
      const outdated = await this.outdated(time, transaction);
      const last = outdated.at(-1);
      if (last === undefined) return 0;
      await transaction(CHANGES_TABLE).delete().where('number', '<=', last);
      await transaction('change_actors')
        .delete()
        .where('first_number', '<=', last)
        .where('last_number', '<=', last);
      // With another mark: cursors of the last one end as those of all others.
      await transaction(CHANGES_TABLE).insert({ number: last, kind: START, image_id: 0 });
      return outdated.length;
    });
  }

  async removeOldCounts(now: Date): Promise<number> {
    return await this.database.change((transaction) => removeOldCounts(now, transaction));
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
}

/** What a reader may see behind a number, with its order. */
type Behind = (after: number) => SqlFragment;

function behindInAll(after: number): SqlFragment {
  return sql`${isBehind(after)} order by number`;
}

function isBehind(after: number): SqlFragment {
  return sql`number > ${after} and kind <> 0`;
}

/** With one change that is only counted. */
function pageStatement(after: number, behind: SqlFragment, limit: number): SqlFragment {
  const parts = [
    part(BEGIN, sql`number >= ${after} order by number limit 1`),
    part(NEWEST, sql`1 = 1 order by number desc limit 1`),
    part(CHANGES, sql`${behind} limit ${limit + 1}`),
  ];
  return sql`select part, number, mark, kind, image_id, version, at, space, found.name, is_public, ${ACTOR} as actor, spaces.name as space_name,
      (select number from names where names.space = found.space and names.name = found.name) as name_number
    from (${join(parts, ' union all ')}) as found join spaces on spaces.id = found.space order by part, number`;
}

/** A request that changed many images stored its actor once. */
const ACTOR = sql`coalesce(found.actor, (select case when last_number >= found.number then change_actors.actor end
  from change_actors where first_number <= found.number order by first_number desc limit 1))`;

/** SQLite allows an order within a union only in subqueries. */
function part(name: number, rows: SqlFragment): SqlFragment {
  const columns = raw('number, mark, kind, image_id, version, at, actor, space, name, is_public');
  return sql`select ${raw(String(name))} as part, held.* from (select ${columns} from changes where ${rows}) as held`;
}

function positionOf(row: ChangePosition | undefined): ChangePosition {
  if (row === undefined) throw new TypeError('The feed of changes has no start');
  return { number: row.number, mark: row.mark };
}

/** None of a kind that only later versions know. */
function changeFromRow(row: PageRow): readonly Change[] {
  const type = TYPES.get(row.kind);
  if (type === undefined) return [];
  const { space_name: space, image_id: imageId, at, actor: by } = row;
  const version = row.version ?? undefined;
  const named = row.name !== null && { name: row.name, nameNumber: row.name_number ?? undefined };
  const isPublic = row.is_public === null ? undefined : row.is_public === 1;
  return [
    { space, position: positionOf(row), type, imageId, version, ...named, isPublic, at: new Date(at), by },
  ];
}
