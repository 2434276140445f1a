import type { Knex } from 'knex';
import { ObjectionIdempotencyKeys } from '../../src/adapters/sql/objection-idempotency-keys.ts';
import { ObjectionImageRepository } from '../../src/adapters/sql/objection-image-repository.ts';
import { openPostgresDatabase } from '../../src/adapters/sql/postgres-database.ts';
import { PostgresPreparedReads } from '../../src/adapters/sql/postgres-prepared-reads.ts';
import { RandomUuids } from '../../src/adapters/system/random-uuids.ts';
import { behavesLikeIdempotencyKeys } from '../contracts/idempotency-keys.contract.ts';
import { behavesLikeAnImageRepository } from '../contracts/image-repository.contract.ts';
import { ManualClock } from '../support/manual-clock.ts';
import { describeOnPostgres, type TestDatabase } from '../support/postgres-server.ts';

describeOnPostgres('On Postgres', (server) => {
  let database: TestDatabase | undefined;
  let knex: Knex;

  before(async () => {
    database = await server().newCatalog();
    knex = openPostgresDatabase(database.connection);
  });

  after(async () => {
    await knex?.destroy();
    await database?.drop();
  });

  /** The same database for all tests of a suite: a new one for each would take most of their time. */
  async function emptied(): Promise<ManualClock> {
    await knex.raw('truncate images, idempotency_keys restart identity');
    return new ManualClock();
  }

  behavesLikeAnImageRepository('ObjectionImageRepository', async () => {
    const clock = await emptied();
    const images = new ObjectionImageRepository(knex, clock, new PostgresPreparedReads(knex));
    return { images, clock, tearDown: async () => {} };
  });

  behavesLikeIdempotencyKeys('ObjectionIdempotencyKeys', async () => {
    const clock = await emptied();
    const processes = { self: 'self', isGone: () => false };
    const keys = new ObjectionIdempotencyKeys(knex, { clock, uuids: new RandomUuids(), processes });
    return { keys, images: new ObjectionImageRepository(knex, clock), clock, tearDown: async () => {} };
  });
});
