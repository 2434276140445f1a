import { expect } from 'chai';
import type { Knex } from 'knex';
import type {
  ImageSearch,
  SearchFilter,
  SearchPlace,
  SearchSort,
} from '../../src/domain/ports/records/image-search.ts';
import { COMMON_SPACE } from '../../src/domain/space/space.ts';
import { AT_ONCE } from '../support/doubles/staying.ts';
import { addInSql, FREQUENT_WORDS } from '../support/fixtures/add-in-sql.ts';
import { sqlPorts } from '../support/fixtures/sql-ports.ts';
import { describeOnPostgres, useCatalog } from '../support/servers/postgres-server.ts';
import { newSqliteCatalog } from '../support/servers/sqlite-catalog.ts';

const IMAGES = 300_000;
const CANDIDATES = 50_000;

const SORTS: readonly SearchSort[] = [
  { by: 'created', order: 'asc' },
  { by: 'taken', order: 'desc' },
  { by: 'random', seed: 'one' },
];

const FILTERS: ReadonlyArray<readonly [string, SearchFilter]> = [
  ['the same words', { words: FREQUENT_WORDS }],
  ['a word and bytes', { words: ['1'], sha256: 'f'.repeat(64) }],
  ['a word and another type', { words: ['1'], mediaType: 'image/png' }],
  ['words and a capture time', { words: ['1', '2'], takenBefore: new Date() }],
];

function walksThrough(knexOf: () => Knex): void {
  let search: ImageSearch;

  before(async function () {
    await addInSql(knexOf(), IMAGES);
    search = sqlPorts(knexOf()).search.in(COMMON_SPACE);
  });

  for (const sort of SORTS) {
    for (const [what, filter] of FILTERS) {
      it(`end after ${CANDIDATES} candidates if none has ${what}, by ${sort.by}`, async () => {
        let pages = 0;
        let after: SearchPlace | undefined;
        do {
          const page = await search.findPage({ filter, sort, after, limit: 50 });
          expect(page.items).to.deep.equal([]);
          pages += 1;
          after = page.next;
        } while (after !== undefined);

        expect(pages).to.be.at.most(IMAGES / CANDIDATES + 1);
      });
    }
  }

  it('count none of them', async () => {
    expect(await search.count({ words: FREQUENT_WORDS }, AT_ONCE)).to.equal(0);
  });

  it('are as many as it takes for many hits', async () => {
    expect(await search.count({ words: ['1', '2'] }, AT_ONCE)).to.equal((IMAGES * 4) / 6);
  });
}

describe(`Pages of ${IMAGES} images on SQLite of which none matches`, () => {
  let catalog: Awaited<ReturnType<typeof newSqliteCatalog>>;

  before(async function () {
    catalog = await newSqliteCatalog();
  });

  after(() => catalog.tearDown());

  walksThrough(() => catalog.knex);

  it('counts captures in the order of the ids: no part reads all of them', async () => {
    const { knex } = catalog;
    const counts: Array<{ readonly sql: string; readonly bindings: readonly string[] }> = [];
    const note = (query: (typeof counts)[number]): void => {
      if (query.sql.includes('as total')) counts.push(query);
    };
    knex.on('query', note);
    await sqlPorts(knex)
      .search.in(COMMON_SPACE)
      .count({ takenBefore: new Date(), words: ['1'] }, AT_ONCE);
    knex.off('query', note);

    expect(counts).to.have.length.above(1);
    for (const { sql, bindings } of counts) {
      const plan = await knex.raw<unknown>(`explain query plan ${sql}`, [...bindings]);
      expect(JSON.stringify(plan)).not.to.include('taken_index');
    }
  });
});

describeOnPostgres(`Pages of ${IMAGES} images of which none matches`, (server) => {
  const catalog = useCatalog(server);

  walksThrough(() => catalog().knex);
});
