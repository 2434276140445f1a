import { expect } from 'chai';
import type { Knex } from 'knex';
import { rowsOf, type SqlFragment } from '../../src/adapters/sql/database/sql-fragment.ts';
import { powerAbove } from '../../src/domain/image/power-above.ts';
import type { Name } from '../../src/domain/name/name.ts';
import type { CopiedTables } from '../../src/domain/ports/records/copied-tables.ts';
import type { ImageRecords } from '../../src/domain/ports/records/image-repository.ts';
import type { SearchFilter, SearchPlace, SearchSort } from '../../src/domain/ports/records/image-search.ts';
import { COMMON_SPACE } from '../../src/domain/space/space.ts';
import { sqlTrash, type TrashPorts } from '../support/doubles/finding-ports.ts';
import { AT_ONCE } from '../support/doubles/staying.ts';
import { addMoreInSql, DISTINCT_WORD, FREQUENT_WORDS } from '../support/fixtures/add-in-sql.ts';
import { newImage } from '../support/fixtures/new-image.ts';
import { rowsRead } from '../support/fixtures/rows-read.ts';
import { sqlPorts } from '../support/fixtures/sql-ports.ts';
import { describeOnPostgres, useCatalog } from '../support/servers/postgres-server.ts';
import { newSqliteCatalog } from '../support/servers/sqlite-catalog.ts';

const IMAGES = 200_000;
const PAGE = 50;
const SMALL_PAGE = 10;
const PAGE_OF_WALKS = 1_000;
/** Images or entries of an index that a search looks at. */
const CANDIDATES = 50_000;
const PLACES = [0, 0.5, 0.999];

interface Catalog extends TrashPorts {
  readonly knex: Knex;
  readonly tables: CopiedTables;
  readonly repository: ImageRecords;
}

/** @param id in the middle of the catalog, or near one of its ends */
type Read = (catalog: Catalog, id: number) => Promise<unknown>;
type Pages = Readonly<Record<string, Read>>;

/** By what the images of a page are sorted, and where the page behind an image begins. */
const UP: SearchSort = { by: 'created', order: 'asc' };
const DOWN: SearchSort = { by: 'created', order: 'desc' };
const TAKEN: SearchSort = { by: 'taken', order: 'asc' };
const LAST_TAKEN: SearchSort = { by: 'taken', order: 'desc' };
const RANDOM: SearchSort = { by: 'random', seed: 'one' };

function placeOf(sort: SearchSort, id: number): SearchPlace {
  if (sort.by === 'created') return { by: 'created', id };
  if (sort.by === 'taken') return { by: 'taken', time: id * 1000, id };
  return { by: 'random', power: powerAbove(IMAGES), position: id };
}

/** With the records of its images, as `ListImages` reads it. */
async function readPage(
  { search }: Catalog,
  filter: SearchFilter,
  sort: SearchSort,
  after?: SearchPlace,
  limit = PAGE,
): Promise<void> {
  const images = search.in(COMMON_SPACE);
  const { items } = await images.findPage({ filter, sort, after, limit });
  const ids = items.map(({ item }) => item);
  for await (const records of images.readRecords(ids)) expect(records).to.not.equal(undefined);
}

function behind(filter: SearchFilter, sort: SearchSort): Read {
  return async (catalog, id) => await readPage(catalog, filter, sort, placeOf(sort, id));
}

function from(filterOf: (time: Date) => SearchFilter, sort: SearchSort): Read {
  return async (catalog, id) => await readPage(catalog, filterOf(new Date(id * 1000)), sort);
}

const NO_DIGEST = 'f'.repeat(64);

function spanFrom(createdAfter: Date): SearchFilter {
  return { createdAfter, createdBefore: new Date(createdAfter.getTime() + 5_000_000) };
}

const LISTINGS: Pages = {
  'all images, ascending': behind({}, UP),
  'all images, descending': behind({}, DOWN),
  'images created after a time': from((createdAfter) => ({ createdAfter }), UP),
  'images created after a time, newest first': from((createdAfter) => ({ createdAfter }), DOWN),
  'images created before a time': from((createdBefore) => ({ createdBefore }), DOWN),
  'images of a time span': from(spanFrom, DOWN),
  'images of a type and a time span': from((time) => ({ mediaType: 'image/jpeg', ...spanFrom(time) }), UP),
  'images with a digest': behind({ sha256: NO_DIGEST }, UP),
  'images with a digest of a time span': from((time) => ({ sha256: NO_DIGEST, ...spanFrom(time) }), DOWN),
  'the first images of a type': (catalog) => readPage(catalog, { mediaType: 'image/jpeg' }, DOWN),
  'the first images with a digest': (catalog) => readPage(catalog, { sha256: NO_DIGEST }, DOWN),
  'images by their UUIDs': ({ repository }) => repository.findUuidsAmong([newImage().uuid, newImage().uuid]),
  'images of a type': behind({ mediaType: 'image/jpeg' }, UP),
  'images of a type that none has': behind({ mediaType: 'image/png' }, DOWN),
  'images by capture time': behind({}, LAST_TAKEN),
  'images with a tag': behind({ tags: ['often'] }, UP),
  'images with a tag by capture time': behind({ tags: ['often'] }, LAST_TAKEN),
  'tags by their images': ({ tags }) =>
    tags.in(COMMON_SPACE).list({ prefix: '', order: 'count', limit: PAGE }, AT_ONCE),
  names: ({ names }, id) => names.in(COMMON_SPACE).list({ prefix: '', after: `n${id}` as Name, limit: PAGE }),
  trash: ({ trash }, id) =>
    trash.in(COMMON_SPACE).findPage({ after: { trashedAt: new Date(id), id: id + IMAGES }, limit: PAGE }),
  changes: async ({ knex, changes }, id) => {
    const [position] = await knex('changes')
      .select('number', 'mark')
      .where({ number: id + 1 });
    expect(await changes.in(COMMON_SPACE).readPage(position, PAGE)).to.have.property('start');
    return await changes.readPage(position, PAGE);
  },
};

/** The most that a small page may read, whoever has uploaded the images. */
const BY_UPLOADER: Pages = Object.fromEntries(
  [UP, DOWN].flatMap((sort) =>
    ['often', 'seldom', 'nobody'].map((createdBy) => [
      `images of ${createdBy}, ${sort.by === 'created' && sort.order}`,
      async (catalog: Catalog, id: number) =>
        await readPage(catalog, { createdBy }, sort, placeOf(sort, id), SMALL_PAGE),
    ]),
  ),
);

const WALKS: Pages = {
  'the listing of all images': async (catalog, id) =>
    await readPage(catalog, {}, UP, placeOf(UP, id), PAGE_OF_WALKS),
  'images of all spaces': ({ repository }, id) =>
    repository.findPage({ order: 'asc', after: id, limit: PAGE_OF_WALKS }),
  'images of all spaces in small pages': async ({ repository }, id) => {
    for (const order of ['asc', 'desc'] as const) await repository.findPage({ order, after: id, limit: 16 });
  },
  'images of a space': ({ repository }, id) =>
    repository.findPage({ order: 'asc', after: id, limit: PAGE_OF_WALKS, space: COMMON_SPACE }),
  names: ({ tables }, number) => tables.readRows('names', { number }, PAGE_OF_WALKS),
  'the feed as a copy reads it': ({ tables }, number) =>
    tables.readRows('changes', { number }, PAGE_OF_WALKS),
  trash: ({ trash }, id) => trash.findAll(id + IMAGES, PAGE_OF_WALKS),
};

const [FREQUENT] = FREQUENT_WORDS as [string];

const SEARCHES: Pages = {
  'a frequent word': behind({ words: [FREQUENT] }, UP),
  'a frequent word by capture time': behind({ words: [FREQUENT] }, LAST_TAKEN),
  'a word of one image by capture time': behind({ words: [`${DISTINCT_WORD}777`] }, TAKEN),
  'a word and a tag': behind({ words: [FREQUENT], tags: ['often'] }, UP),
  'a word and a rare tag': behind({ words: [FREQUENT], tags: ['seldom'] }, UP),
  'words that no image has together': behind({ words: FREQUENT_WORDS }, UP),
  'words that no image has together, by capture time': behind({ words: FREQUENT_WORDS }, TAKEN),
  'words that no image has together, and a tag': behind({ words: FREQUENT_WORDS, tags: ['often'] }, UP),
  'words that no image has together, shuffled': behind({ words: FREQUENT_WORDS }, RANDOM),
  'the beginning of all words': behind({ words: [DISTINCT_WORD] }, UP),
  'the beginning of half of all words': behind({ words: [`${DISTINCT_WORD}1`] }, LAST_TAKEN),
  'a beginning and words that no image has together': behind(
    { words: [DISTINCT_WORD, ...FREQUENT_WORDS] },
    UP,
  ),
  'a word and a type that none has': behind({ words: [FREQUENT], mediaType: 'image/png' }, UP),
  'no tag': behind({ tagged: false }, UP),
  'no capture time': behind({ dated: false }, DOWN),
  'no alternative text': behind({ alt: false }, DOWN),
  'one uploader by capture time': behind({ createdBy: 'often' }, TAKEN),
  'one uploader and a type that none has': behind({ createdBy: 'often', mediaType: 'image/png' }, UP),
  'a later capture time': from((takenAfter) => ({ takenAfter }), UP),
  'a tag and a later capture time': from((takenAfter) => ({ takenAfter, tags: ['often'] }), UP),
  'a later time of upload, by capture time': from((createdAfter) => ({ createdAfter }), TAKEN),
  'a tag and a later time of upload, by capture time': from(
    (createdAfter) => ({ createdAfter, tags: ['often'] }),
    TAKEN,
  ),
  'a random order': behind({}, RANDOM),
  'a random order with a tag': behind({ tags: ['often'] }, RANDOM),
};

describeOnPostgres(`Rows that Postgres reads in a catalog of ${IMAGES} images`, (server) => {
  const opened = useCatalog(server);
  let catalog: Catalog;
  let asked: SqlFragment[] = [];

  before(async () => {
    const { knex } = opened();
    catalog = catalogOn(knex);
    await addMoreInSql(knex, IMAGES);
    knex.on('query', (query: SqlFragment) => asked.push(query));
  });

  /** The largest number of rows of one table, by the place of the page. */
  async function rowsOfTables(read: Read): Promise<readonly number[]> {
    const rows: number[] = [];
    for (const place of PLACES) {
      asked = [];
      await read(catalog, Math.round(place * IMAGES));
      const statements = asked;
      asked = [];
      rows.push(await rowsRead(catalog.knex, statements));
    }
    return rows;
  }

  it('are at most one of each table for each image of a timeline with a word', async () => {
    asked = [];
    await catalog.timeline.in(COMMON_SPACE).periods('month', { words: [FREQUENT] }, AT_ONCE);
    const statements = asked;
    asked = [];

    // The entries of one part are counted before.
    expect(await rowsRead(catalog.knex, statements)).to.be.at.most(1.5 * IMAGES);
  });

  itReadsAtMost('a page', LISTINGS, 20 * PAGE);
  itReadsAtMost('a page of one uploader', BY_UPLOADER, 20 * SMALL_PAGE);
  itReadsAtMost('a walk', WALKS, 20 * PAGE_OF_WALKS);
  // An entry is read twice: the end of each portion is found first.
  itReadsAtMost('a search', SEARCHES, 2 * CANDIDATES + 20 * PAGE);

  function itReadsAtMost(what: string, pages: Pages, most: number): void {
    for (const [name, read] of Object.entries(pages)) {
      it(`are at most ${most} of a table for ${what}: ${name}`, async () => {
        for (const rows of await rowsOfTables(read)) expect(rows).to.be.at.most(most);
      });
    }
  }
});

describe('Plans of SQLite for a page', () => {
  let tearDown: () => Promise<void>;
  let catalog: Catalog;
  let asked: SqlFragment[] = [];

  before(async () => {
    const database = await newSqliteCatalog();
    tearDown = () => database.tearDown();
    catalog = catalogOn(database.knex);
    // More than are collected and sorted. The engine knows no numbers of rows.
    await addMoreInSql(database.knex, IMAGES / 10);
    database.knex.on('query', (query: SqlFragment) => asked.push(query));
  });

  after(() => tearDown?.());

  for (const [name, read] of Object.entries({ ...LISTINGS, ...BY_UPLOADER, ...WALKS })) {
    it(`read rows in their order, up to the limit: ${name}`, async () => {
      asked = [];
      await read(catalog, IMAGES / 20);
      const statements = asked;
      asked = [];
      for (const statement of statements) {
        const plan = await planOf(statement);
        if (name in BY_UPLOADER && /images_space|created_by = /.test(statement.sql + plan)) {
          expect(plan).to.include('images_space_created_by_index');
        }
        // A part of a statement may read the table in its order, up to a limit.
        const isInParts = /\blimit\b/.test(statement.sql) && /CO-ROUTINE|UNION ALL/.test(plan);
        if (!isInParts) expect(plan).to.not.match(READS_ALL);
        // The rows of statements with a limit may be sorted together.
        if (!plan.includes('UNION ALL')) expect(plan).to.not.include('USE TEMP B-TREE');
      }
    });
  }

  async function planOf({ sql, bindings }: SqlFragment): Promise<string> {
    const explain = { sql: `explain query plan ${sql}`, bindings };
    const steps = await rowsOf<{ readonly detail: string }>(catalog.knex, explain);
    return steps.map(({ detail }) => detail).join('\n');
  }
});

const READS_ALL = /SCAN (?:images|image_\w+|names|changes|trashed_images|tags|words)\b/;

function catalogOn(knex: Knex): Catalog {
  const repository = sqlPorts(knex).images;
  return { ...sqlTrash(knex), knex, tables: sqlPorts(knex).tables, repository };
}
