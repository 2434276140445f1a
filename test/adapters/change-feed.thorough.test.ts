import { expect } from 'chai';
import type { Knex } from 'knex';
import { SqlChangeFeed } from '../../src/adapters/sql/changes/sql-change-feed.ts';
import { openPostgresDatabase } from '../../src/adapters/sql/postgres/postgres-database.ts';
import { ObjectionImageRepository } from '../../src/adapters/sql/records/objection-image-repository.ts';
import { COMMON_SPACE } from '../../src/domain/space/space.ts';
import { behavesLikeAChangeFeed } from '../contracts/change-feed.contract.ts';
import { joinsAllStatements, readsBesideBusySpaces, sqlChangeFeed } from '../contracts/sql-change-feed.ts';
import { newImage } from '../support/fixtures/new-image.ts';
import { describeOnPostgres, type PostgresServer } from '../support/servers/postgres-server.ts';
import { eventually } from '../support/time/eventually.ts';
import { ManualClock } from '../support/time/manual-clock.ts';

describeOnPostgres('On Postgres', (server) => {
  behavesLikeAChangeFeed('SqlChangeFeed', async () => {
    const database = await server().newCatalog();
    const { connection } = database;
    const [knex, ...others] = [1, 2, 3].map(() => openPostgresDatabase({ ...connection, poolMax: 3 }));
    if (knex === undefined) throw new TypeError('Three were opened');
    return {
      ...sqlChangeFeed(knex, others),
      tearDown: async () => {
        for (const pool of [knex, ...others]) await pool.destroy();
        await database.drop();
      },
    };
  });
});

async function newPostgresCatalog(
  server: PostgresServer,
): Promise<{ knex: Knex; tearDown: () => Promise<void> }> {
  const database = await server.newCatalog();
  const knex = openPostgresDatabase({ ...database.connection, poolMax: 2 });
  return {
    knex,
    tearDown: async () => {
      await knex.destroy();
      await database.drop();
    },
  };
}

describeOnPostgres('The feed of changes on Postgres', (server) => {
  /** Statements that wait for an advisory lock. */
  async function waitersIn(database: string): Promise<number> {
    const [row] = await server().run(
      `select count(*)::int as count from pg_locks join pg_database on pg_database.oid = pg_locks.database
      where locktype = 'advisory' and not granted and datname = '${database}'`,
    );
    return Number(row?.count);
  }

  joinsAllStatements(async () => await newPostgresCatalog(server()));
  readsBesideBusySpaces(async () => await newPostgresCatalog(server()));

  it('waits for the lock of changes before it draws a number, whoever writes', async () => {
    const database = await server().newCatalog();
    const { connection } = database;
    const knex = openPostgresDatabase({ ...connection, poolMax: 3 });
    const images = new ObjectionImageRepository(knex, new ManualClock()).in(COMMON_SPACE);
    const [{ id }, other] = [await images.add(newImage()), await images.add(newImage())];
    const first = await knex.transaction();
    await first('image_metadata').update({ version: 2 }).where({ image_id: id });
    const second = Promise.resolve(knex('images').delete().where({ id: other.id }));
    const waiting = await eventually(
      () => waitersIn(connection.database),
      (count) => count > 0,
    );
    await first('image_metadata').update({ version: 3 }).where({ image_id: id });
    await first.commit();
    await second;
    expect(waiting).to.equal(1);
    const { changes = [] } = (await new SqlChangeFeed(knex).readPage(undefined, 10)) ?? {};
    await knex.destroy();
    await database.drop();

    expect(changes.map(({ type, position }) => [position.number, type])).to.deep.equal([
      [1, 'image.created'],
      [2, 'image.created'],
      [3, 'image.updated'],
      [4, 'image.updated'],
      [5, 'image.deleted'],
    ]);
  });
});
