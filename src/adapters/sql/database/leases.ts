import type { CatalogDatabase } from './catalog-database.ts';
import { raw, type SqlFragment, sql } from './sql-fragment.ts';

/**
 * Rows that one owner holds for some time, with the columns `lease_owner` and `lease_until`. All times are of the clock of the database,
 * because processes of many machines compare them. A lease that ends later than a new one would is of a clock that was set back.
 */
export class Leases {
  constructor(
    private readonly database: CatalogDatabase,
    private readonly table: string,
  ) {}

  /** The condition of a row that no owner holds. */
  isFree(ms: number): SqlFragment {
    const { now } = this.database.dialect;
    return sql`not ${raw(this.table)}.lease_until between ${now} + 1 and ${now} + ${ms}`;
  }

  /**
   * Takes or renews the lease of one row. `undefined` if no row meets the condition.
   *
   * @param others assignments to other columns, with a comma in front
   */
  async take<Row>(
    condition: SqlFragment,
    owner: string,
    ms: number,
    others = raw(''),
  ): Promise<Row | undefined> {
    const until = sql`${this.database.dialect.now} + ${ms}`;
    const [row] = await this.database.write<Row>(
      sql`update ${raw(this.table)} set lease_owner = ${owner}, lease_until = ${until}${others}
        where ${condition} returning *`,
    );
    return row;
  }

  /** Gives up the leases of the owner; by default all of them. */
  async release(owner: string, which: Readonly<Record<string, unknown>> = {}): Promise<void> {
    await this.database.run(() =>
      this.database
        .knex(this.table)
        .update(FREE)
        .where({ ...which, lease_owner: owner }),
    );
  }
}

/** The columns of a row that no owner holds. */
export const FREE = { lease_owner: null, lease_until: 0 };
