import { expect } from 'chai';
import { copySqliteRecords } from '../../src/adapters/sql/sqlite/copy-sqlite-records.ts';
import { openSqliteDatabase } from '../../src/adapters/sql/sqlite/open-sqlite-database.ts';
import { COMMON_SPACE } from '../../src/domain/space/space.ts';
import { newImage } from '../support/fixtures/new-image.ts';
import { plantNames } from '../support/fixtures/plant-names.ts';
import { sqlPorts } from '../support/fixtures/sql-ports.ts';
import { newSqliteCatalog } from '../support/servers/sqlite-catalog.ts';
import { ManualClock } from '../support/time/manual-clock.ts';

it('A backup on SQLite continues the numbers of names above a gap, also of those that are gone with their space', async () => {
  const { knex, path, tearDown } = await newSqliteCatalog();
  const clock = new ManualClock();
  await sqlPorts(knex, { clock }).names.reserveNumbers(41);
  const copy = await copySqliteRecords(knex, `${path}.copy`, clock);
  const copied = openSqliteDatabase(`${path}.copy`);

  expect(await sqlPorts(copied, { clock }).names.highestNumber()).to.equal(10_041);
  await Promise.all([copy.close(), copied.destroy()]);
  await tearDown();
});

const LISTINGS = [
  [undefined, 'names_listing_index (space=? AND name>? AND name<?)'],
  [true, 'names_public_index (space=? AND is_public=? AND name>? AND name<?)'],
  [false, 'names_public_index (space=? AND is_public=? AND name>? AND name<?)'],
] as const;

for (const [isPublic, index] of LISTINGS) {
  it(`A listing of names on SQLite passes other names, however many there are, if isPublic is ${isPublic}`, async () => {
    expect(await planOfListing(isPublic)).to.include(`USING INDEX ${index}`);
  });
}

async function planOfListing(isPublic: boolean | undefined): Promise<string> {
  const { knex, tearDown } = await newSqliteCatalog();
  let last: { readonly sql: string; readonly bindings: readonly string[] } | undefined;
  knex.once('query', (query: typeof last) => {
    last = query;
  });
  await sqlPorts(knex).names.in(COMMON_SPACE).list({ prefix: 'a', limit: 10, isPublic });

  const plan = await knex.raw<unknown>(`explain query plan ${last?.sql}`, [...(last?.bindings ?? [])]);
  await tearDown();
  return JSON.stringify(plan);
}

it('Deleting an image with very many names reads and removes 1,000 names in a statement', async () => {
  const { knex, tearDown } = await newSqliteCatalog();
  const { images } = sqlPorts(knex, { clock: new ManualClock() });
  const { id } = await images.in(COMMON_SPACE).add(newImage());
  await plantNames(knex, id, 2_500);
  const read: number[] = [];
  knex.on('query-response', (rows: ReadonlyArray<{ readonly mark?: number }>) => {
    if (Array.isArray(rows) && rows[0]?.mark !== undefined) read.push(rows.length);
  });

  expect(await images.in(COMMON_SPACE).removeById(id)).to.equal(true);

  expect(read).to.deep.equal([1_000, 1_000, 500]);
  const changes = await knex('changes').orderBy('number').pluck<number[]>('kind');
  expect(changes.slice(-2_501)).to.deep.equal([...Array<number>(2_500).fill(7), 3]);
  await tearDown();
});
