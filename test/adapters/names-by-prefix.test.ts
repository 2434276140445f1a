import { expect } from 'chai';
import { ChangeQuota } from '../../src/adapters/sql/changes/change-quota.ts';
import { CatalogDatabase } from '../../src/adapters/sql/database/catalog-database.ts';
import type { SqlFragment } from '../../src/adapters/sql/database/sql-fragment.ts';
import { SqlNames } from '../../src/adapters/sql/names/sql-names.ts';
import type { Name } from '../../src/domain/name/name.ts';
import { COMMON_SPACE } from '../../src/domain/space/space.ts';
import { newSqliteCatalog } from '../support/servers/sqlite-catalog.ts';
import { ManualClock } from '../support/time/manual-clock.ts';

describe('The names that begin alike', () => {
  it('are read from the later of prefix and cursor on: of two bounds SQLite may choose the earlier', async () => {
    const { knex, tearDown } = await newSqliteCatalog();
    const asked: SqlFragment[] = [];
    knex.on('query', (query: SqlFragment) => asked.push(query));
    const names = new SqlNames(new CatalogDatabase({ knex }), new ManualClock(), new ChangeQuota(0)).in(
      COMMON_SPACE,
    );

    for (const after of [undefined, 'a', 'n', 'nb'] as (Name | undefined)[]) {
      await names.list({ prefix: 'n', after, limit: 10 });
    }
    await tearDown();

    const bounds = asked.map(({ sql, bindings }) => [sql.match(/name >=?/g)?.join(), bindings[0]]);
    expect(bounds).to.deep.equal([
      ['name >=', 'n'],
      ['name >=', 'n'],
      ['name >', 'n'],
      ['name >', 'nb'],
    ]);
  });
});
