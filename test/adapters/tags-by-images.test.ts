import { expect } from 'chai';
import { CatalogDatabase } from '../../src/adapters/sql/database/catalog-database.ts';
import { rowsOf, type SqlFragment } from '../../src/adapters/sql/database/sql-fragment.ts';
import { SqlTagIndex } from '../../src/adapters/sql/search/sql-tag-index.ts';
import { COMMON_SPACE } from '../../src/domain/space/space.ts';
import { AT_ONCE } from '../support/doubles/staying.ts';
import { newSqliteCatalog } from '../support/servers/sqlite-catalog.ts';

describe('The tags that begin alike, by their images', () => {
  it('are read in this order, and not all of them to be sorted', async () => {
    const { knex, tearDown } = await newSqliteCatalog();
    const asked: SqlFragment[] = [];
    knex.on('query', (query: SqlFragment) => asked.push(query));
    const tags = new SqlTagIndex(new CatalogDatabase({ knex })).in(COMMON_SPACE);

    await tags.list({ prefix: 'a', order: 'count', limit: 10 }, AT_ONCE);
    const [{ sql, bindings } = { sql: '', bindings: [] }] = asked;
    const explained = { sql: `explain query plan ${sql}`, bindings };
    const steps = await rowsOf<{ readonly detail: string }>(knex, explained);
    await tearDown();

    const reads = steps.map(({ detail }) => detail).filter((detail) => / tags /.test(detail));
    expect(reads).to.have.length.above(2);
    for (const read of reads) expect(read).to.include('tags_count_index');
  });
});
