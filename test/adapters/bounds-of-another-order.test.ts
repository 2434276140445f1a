import { expect } from 'chai';
import { SqlImageSearch } from '../../src/adapters/sql/search/sql-image-search.ts';
import type { SearchFilter, SearchPlace, SearchSort } from '../../src/domain/ports/records/image-search.ts';
import { COMMON_SPACE } from '../../src/domain/space/space.ts';
import { AT_ONCE } from '../support/doubles/staying.ts';
import { addInSql } from '../support/fixtures/add-in-sql.ts';
import { itemsOf } from '../support/fixtures/items-of.ts';
import { sqlPorts } from '../support/fixtures/sql-ports.ts';
import { newSqliteCatalog } from '../support/servers/sqlite-catalog.ts';

const IMAGES = 2_000;
const HITS = 100;
const LIMIT = 50;
const LIMITS = { fewHits: 10, words: 16, portion: 50, collected: 10, candidates: 500 };
/** Images are taken and uploaded in the same order, a second apart. */
const LATE = new Date((IMAGES - HITS) * 1_000);

const CASES: ReadonlyArray<readonly [string, SearchFilter, SearchSort]> = [
  ['uploads, by capture time', { createdAfter: LATE }, { by: 'taken', order: 'asc' }],
  ['tagged uploads, by capture time', { createdAfter: LATE, tags: ['t'] }, { by: 'taken', order: 'asc' }],
  ['tagged captures, by upload', { takenAfter: LATE, tags: ['t'] }, { by: 'created', order: 'asc' }],
];

describe('A page of late', () => {
  let catalog: Awaited<ReturnType<typeof newSqliteCatalog>>;

  before(async () => {
    catalog = await newSqliteCatalog();
    const { knex } = catalog;
    await addInSql(knex, IMAGES);
    await knex.raw('update image_metadata set taken_at = image_id, taken_sort = image_id * 1000');
    await knex('tags').insert({ id: 1, space: 0, images: IMAGES, fold: 't', spelling: 't' });
    await knex.raw(
      'insert into image_tags (tag_id, image_id, taken_sort) select 1, image_id, taken_sort from image_metadata',
    );
  });

  after(() => catalog.tearDown());

  for (const [what, filter, sort] of CASES) {
    it(`${what}, ends behind enough of the early ones`, async () => {
      const search = new SqlImageSearch(sqlPorts(catalog.knex).catalog, LIMITS).in(COMMON_SPACE);
      const pages: Array<readonly number[]> = [];
      let after: SearchPlace | undefined;
      do {
        const page = await search.findPage({ filter, sort, after, limit: LIMIT }, AT_ONCE);
        pages.push(itemsOf(page));
        after = page.next;
      } while (after !== undefined);

      expect(pages[0]).to.deep.equal([]);
      expect(pages.flat()).to.deep.equal(Array.from({ length: HITS }, (_, at) => IMAGES - HITS + 1 + at));
      expect(pages.length).to.be.at.most(IMAGES / LIMITS.candidates + HITS / LIMIT + 1);
    });
  }
});
