import { expect } from 'chai';
import type { Knex } from 'knex';
import { dialectOf } from '../../src/adapters/sql/database/dialect-of.ts';
import { FIELD_COLUMN_TYPES, shownColumn } from '../../src/adapters/sql/rows/field-columns.ts';
import { METADATA_COLUMN_TYPES, METADATA_TABLE } from '../../src/adapters/sql/rows/metadata-row.ts';
import { FILTER_ROWS } from '../../src/domain/image/fields.ts';

interface Made {
  readonly knex: Knex;
  readonly tearDown: () => Promise<void>;
}

/** Migrations are literal. This compares what they have made with the table of fields. */
export function matchesTheTableOfFields(make: () => Promise<Made>): void {
  describe(`The columns of ${METADATA_TABLE}`, () => {
    let made: Made;

    before(async () => {
      made = await make();
    });

    after(() => made.tearDown());

    it('are those of the table of fields, with their types: add a migration for a new field', async () => {
      const columns = Object.entries(await made.knex(METADATA_TABLE).columnInfo());
      const types = Object.entries<string>(METADATA_COLUMN_TYPES);

      expect(Object.fromEntries(columns.map(([name, { type }]) => [name, castOf(type)]))).to.deep.equal(
        Object.fromEntries(types),
      );
    });

    it('have names that no column of the images has, because statements read both together', async () => {
      const images = Object.keys(await made.knex('images').columnInfo());
      const trashed = Object.keys(await made.knex('trashed_images').columnInfo());

      const taken = new Set([...images, ...trashed]);

      expect(Object.keys(FIELD_COLUMN_TYPES).filter((column) => taken.has(column))).to.deep.equal([]);
    });

    it('have an index for each filter on what is missing', async () => {
      const columns = FILTER_ROWS.flatMap(([, row]) => (row.by === 'missing' ? [shownColumn(row.of)] : []));
      const indexes = await partialIndexes(made.knex);

      expect(columns).to.include.members(['tags', 'taken_at']);
      for (const column of columns) {
        expect(indexes, column).to.match(
          new RegExp(`\\(space, image_id\\) WHERE \\(?${column} IS NULL`, 'i'),
        );
      }
    });
  });
}

/** What values of a column are cast to when they are written. Other types, such as `numeric`, are not used. */
function castOf(type: string): string {
  return { integer: 'bigint', smallint: 'bigint' }[type] ?? type;
}

async function partialIndexes(knex: Knex): Promise<string> {
  const isPostgres = dialectOf(knex).greatest === 'greatest';
  const found = isPostgres
    ? await knex('pg_indexes').where({ tablename: METADATA_TABLE }).pluck<string[]>('indexdef')
    : await knex('sqlite_master').where({ type: 'index', tbl_name: METADATA_TABLE }).pluck<string[]>('sql');
  return found.join('\n');
}
