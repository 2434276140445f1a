import type { Knex } from 'knex';
import type { RowReader, SqlFragment } from '../database/sql-fragment.ts';

/** Each connection prepares a text once, so there must be few of them: all values are parameters. */
export class PostgresPreparedReads implements RowReader {
  private readonly names = new Map<string, string>();

  constructor(private readonly knex: Knex) {}

  async rows<Row>({ sql: text, bindings }: SqlFragment): Promise<readonly Row[]> {
    const name = this.names.get(text) ?? `catalog_read_${this.names.size}`;
    this.names.set(text, name);
    const { rows } = await this.knex
      .raw<{ readonly rows: readonly Row[] }>(text, [...bindings])
      .options({ name });
    return rows;
  }
}
