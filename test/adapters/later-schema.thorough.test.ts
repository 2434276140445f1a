import { expect } from 'chai';
import type { Knex } from 'knex';
import { migrationSource } from '../../migrations/migration-source.ts';
import { schemaOf } from '../../src/adapters/sql/schema/schema-of.ts';
import { CatalogTooNew } from '../../src/domain/errors.ts';
import { refusesLaterSchemas } from '../contracts/later-schema.contract.ts';
import { contractAsLater } from '../support/fixtures/later-version.ts';
import { rejection } from '../support/fixtures/rejection.ts';
import { describeOnPostgres } from '../support/servers/postgres-server.ts';
import { eventually } from '../support/time/eventually.ts';

describeOnPostgres('A process on a Postgres database that a later version migrates', (server) => {
  refusesLaterSchemas(() => server().openCatalog(2));

  it('can use a table while the migration waits for a dump that has it in use', async () => {
    const { knex, other, tearDown } = await server().openCatalog(2);
    const waiters = (): Promise<number> => waitersIn(knex);
    const dump = await knex.transaction();
    await dump.raw('lock table images in access share mode');

    const migrating = contractAsLater(other);
    await eventually(waiters, (count) => count > 0);
    await knex('images').count();
    await eventually(waiters, (count) => count === 0);
    await dump.commit();
    await migrating;

    expect(await rejection(schemaOf(knex, migrationSource))).to.be.instanceOf(CatalogTooNew);
    await tearDown();
  });
});

/** Statements that wait for a table. */
async function waitersIn(knex: Knex): Promise<number> {
  const { rows } = await knex.raw<{ readonly rows: ReadonlyArray<{ readonly count: number }> }>(
    `select count(*)::int as count from pg_stat_activity
    where wait_event_type = 'Lock' and wait_event = 'relation' and datname = current_database()`,
  );
  return Number(rows[0]?.count);
}
