import { expect } from 'chai';
import type { Knex } from 'knex';
import { openPostgresDatabase } from '../../src/adapters/sql/postgres/postgres-database.ts';
import { openForReading } from '../../src/adapters/sql/sqlite/sqlite-database.ts';
import { rejection } from '../support/fixtures/rejection.ts';
import { MAX_BOUND_VALUES } from '../support/servers/bound-values.ts';
import { describeOnPostgres } from '../support/servers/postgres-server.ts';
import { newSqliteCatalog } from '../support/servers/sqlite-catalog.ts';

const MOST = Array.from({ length: MAX_BOUND_VALUES }, (_, at) => at);
const TOO_MANY = [...MOST, 0];
const MESSAGE = 'A statement binds 10001 values';

/** By the query builder, as raw SQL and within a transaction. */
async function requireBound(knex: Knex): Promise<void> {
  const ways = [
    async (ids: readonly number[]) => await knex('images').whereIn('id', [...ids]),
    async (ids: readonly number[]) =>
      await knex.raw(`select 1 from images where id in (${ids.map(() => '?').join()})`, [...ids]),
    async (ids: readonly number[]) =>
      await knex.transaction(
        async (transaction) =>
          await transaction('images')
            .delete()
            .whereIn('id', [...ids]),
      ),
  ];
  for (const send of ways) {
    await send(MOST);
    expect(await rejection(send(TOO_MANY)))
      .to.have.property('message')
      .that.includes(MESSAGE);
  }
}

describe('A statement of the tests that binds more than 10,000 values', () => {
  it('fails on SQLite', async () => {
    const { knex, tearDown } = await newSqliteCatalog();
    await requireBound(knex);
    await tearDown();
  });

  it('fails on a connection without Knex', async () => {
    const { path, tearDown } = await newSqliteCatalog();
    const database = await openForReading(path);
    const text = `select ${TOO_MANY.map(() => '?').join(' + ')}`;
    const error = await new Promise((resolve) => database.all(text, TOO_MANY, resolve));

    expect(error).to.have.property('message', MESSAGE);
    await new Promise((resolve) => database.close(resolve));
    await tearDown();
  });
});

describeOnPostgres('A statement of the tests that binds more than 10,000 values', (server) => {
  it('fails on Postgres', async () => {
    const database = await server().newCatalog();
    const knex = openPostgresDatabase(database.connection);
    await requireBound(knex);
    await knex.destroy();
    await database.drop();
  });
});
