import { join } from 'node:path';
import { expect } from 'chai';
import { migrationSource } from '../../migrations/migration-source.ts';
import { migrate } from '../../src/adapters/sql/database/migrate.ts';
import { ObjectionImageRepository } from '../../src/adapters/sql/records/objection-image-repository.ts';
import { SqlLinkKeys } from '../../src/adapters/sql/records/sql-link-keys.ts';
import { openSqliteDatabase, openSqliteReader } from '../../src/adapters/sql/sqlite/open-sqlite-database.ts';
import { LONGEST_LINK_MS } from '../../src/domain/link/link-expiry.ts';
import { COMMON_SPACE } from '../../src/domain/space/space.ts';
import { behavesLikeLinkKeys } from '../contracts/link-keys.contract.ts';
import { newImage } from '../support/fixtures/new-image.ts';
import { temporaryFolder } from '../support/fixtures/temporary-folder.ts';
import { ManualClock } from '../support/time/manual-clock.ts';

behavesLikeLinkKeys('SqlLinkKeys on SQLite', async () => {
  const folder = await temporaryFolder();
  const path = join(folder.path, 'catalog.sqlite');
  const databases = [1, 2, 3].map(() => openSqliteDatabase(path));
  const reader = openSqliteReader(path);
  const [first, ...others] = databases;
  if (first === undefined) throw new TypeError('Three databases were opened');
  await migrate(first, migrationSource);
  return {
    processes: [new SqlLinkKeys(first, reader), ...others.map((knex) => new SqlLinkKeys(knex))],
    tearDown: async () => {
      for (const knex of [...databases, reader]) await knex.destroy();
      await folder.remove();
    },
  };
});

describe('the table of deleted images', () => {
  it('forgets some outdated ones with each deletion', async () => {
    const knex = openSqliteDatabase(':memory:');
    await migrate(knex, migrationSource);
    const clock = new ManualClock();
    const images = new ObjectionImageRepository(knex, clock);
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
    await knex.destroy();
  });
});
