import { expect } from 'chai';
import { ObjectionImageRepository } from '../../src/adapters/sql/records/objection-image-repository.ts';
import { SqlLinkKeys } from '../../src/adapters/sql/records/sql-link-keys.ts';
import { openSqliteReader } from '../../src/adapters/sql/sqlite/open-sqlite-database.ts';
import { LONGEST_LINK_MS } from '../../src/domain/link/link-expiry.ts';
import { COMMON_SPACE } from '../../src/domain/space/space.ts';
import { behavesLikeLinkKeys } from '../contracts/link-keys.contract.ts';
import { databaseOn } from '../support/fixtures/database-on.ts';
import { newImage } from '../support/fixtures/new-image.ts';
import { newSqliteCatalog } from '../support/servers/sqlite-catalog.ts';
import { ManualClock } from '../support/time/manual-clock.ts';

behavesLikeLinkKeys('SqlLinkKeys on SQLite', async () => {
  const { knexes, path, tearDown } = await newSqliteCatalog(3);
  const reader = openSqliteReader(path);
  const [first, ...others] = knexes;
  return {
    processes: [
      new SqlLinkKeys(databaseOn(first, { reader })),
      ...others.map((knex) => new SqlLinkKeys(databaseOn(knex))),
    ],
    tearDown: async () => {
      await reader.destroy();
      await tearDown();
    },
  };
});

describe('the table of deleted images', () => {
  it('forgets some outdated ones with each deletion', async () => {
    const { knex, tearDown } = await newSqliteCatalog();
    const clock = new ManualClock();
    const images = new ObjectionImageRepository(databaseOn(knex), clock);
    const added = [
      await images.in(COMMON_SPACE).add(newImage()),
      await images.in(COMMON_SPACE).add(newImage()),
      await images.in(COMMON_SPACE).add(newImage()),
    ];
    const [first, second, third] = added.map(({ id }) => id);

    for (const id of [first, second]) await images.in(COMMON_SPACE).removeById(id ?? 0);
    clock.advance(LONGEST_LINK_MS);
    await images.in(COMMON_SPACE).removeById(third ?? 0);

    expect(await knex('deleted_images').pluck('id')).to.deep.equal([third]);
    await tearDown();
  });
});
