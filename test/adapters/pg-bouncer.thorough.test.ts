import { expect } from 'chai';
import type { Knex } from 'knex';
import { migrationSource } from '../../migrations/migration-source.ts';
import {
  openPostgresDatabase,
  openPostgresMigrator,
} from '../../src/adapters/sql/postgres/open-postgres-database.ts';
import { PostgresPreparedReads } from '../../src/adapters/sql/postgres/postgres-prepared-reads.ts';
import { migrate } from '../../src/adapters/sql/schema/migrate.ts';
import { behavesLikeAnImageRepository } from '../contracts/image-repository.contract.ts';
import { behavesLikeSweepSlices } from '../contracts/sweep-slices.contract.ts';
import { rejection } from '../support/fixtures/rejection.ts';
import { sqlPorts } from '../support/fixtures/sql-ports.ts';
import { describeOnPgBouncer, type PgBouncer } from '../support/servers/pg-bouncer.ts';
import { type OpenDatabase, opened } from '../support/servers/postgres-server.ts';
import { eventually } from '../support/time/eventually.ts';
import { ManualClock } from '../support/time/manual-clock.ts';

let database: OpenDatabase;
let knex: Knex;

function useDatabase(bouncer: () => PgBouncer): void {
  beforeEach(async () => {
    database = opened(await bouncer().newCatalog(), 1, 10);
    knex = database.knex;
  });

  afterEach(() => database.tearDown());
}

async function valueOf(connection: Knex, sql: string): Promise<unknown> {
  const { rows } = await connection.raw<{ readonly rows: readonly object[] }>(sql);
  return Object.values(rows[0] ?? {})[0];
}

describeOnPgBouncer('Through PgBouncer in transaction mode', (bouncer) => {
  describe('a connection', () => {
    useDatabase(bouncer);

    it('shares its sessions', async () => {
      const pids = new Set<unknown>();
      // A second session may take longer to open than the first takes for all of them.
      const sessions = await eventually(
        async () => {
          const many = Array.from({ length: 10 }, () =>
            valueOf(knex, 'select pg_backend_pid() from pg_sleep(0.05)'),
          );
          for (const pid of await Promise.all(many)) pids.add(pid);
          return pids.size;
        },
        (count) => count > 1,
      );

      expect(sessions).to.be.within(2, 4);
    });

    it('prepares no statement by name', async () => {
      const read = (): Promise<unknown> =>
        Promise.resolve(knex.raw('select ?::int as number', [1]).options({ name: 'number' }));
      await Promise.all(Array.from({ length: 40 }, read));

      expect(await valueOf(knex, 'select count(*) from pg_prepared_statements')).to.equal(0);
    });

    it('has the limits of the service in each transaction, and leaves those of the session', async () => {
      await knex.raw('select 1');
      const foreign = openPostgresDatabase(database.connection);
      const disturb = (): Promise<unknown> =>
        Promise.resolve(foreign.raw("set statement_timeout = '7s'; select pg_sleep(0.02)"));
      for (let times = 0; times < 2; times += 1) await Promise.all(Array.from({ length: 10 }, disturb));
      for (let number = 0; number < 8; number += 1) {
        await knex.transaction(async (transaction) => {
          expect(await valueOf(transaction, 'show statement_timeout')).to.equal('30s');
          expect(await valueOf(transaction, 'show lock_timeout')).to.equal('5s');
          expect(await valueOf(transaction, 'show idle_in_transaction_session_timeout')).to.equal('10s');
        });
      }
      await foreign.destroy();
    });

    it('is refused if commits are not durable by default', async () => {
      const { user } = database.connection;
      await bouncer().server.run(
        `alter role ${user} in database ${database.connection.database} set synchronous_commit = off`,
      );

      const refused = await rejection(valueOf(knex, 'select 1'));
      expect(String(refused)).to.include('synchronous_commit is off, and behind a pooler');
    });
  });

  it('makes a catalog and migrates it', async () => {
    const empty = await bouncer().newDatabase();
    const migrator = openPostgresMigrator(empty.connection);

    expect(await migrate(migrator, migrationSource)).to.deep.equal([
      '0001-create-tables',
      '0002-count-changes',
      '0003-alternative-texts',
      '0004-publish-names',
    ]);
    expect(await migrate(migrator, migrationSource)).to.deep.equal([]);
    await migrator.destroy();
    await empty.drop();
  });

  const openCatalog = async (pools: number): Promise<OpenDatabase> =>
    opened(await bouncer().newCatalog(), pools, 3);

  behavesLikeSweepSlices('SqlSweepSlices', async () => {
    const { knex, other, tearDown } = await openCatalog(2);
    return {
      processes: [sqlPorts(knex).sweepSlices, sqlPorts(other).sweepSlices],
      tearDown,
    };
  });

  behavesLikeAnImageRepository('ObjectionImageRepository', async () => {
    const { knex, tearDown } = await openCatalog(1);
    const clock = new ManualClock();
    const images = sqlPorts(knex, { preparedReads: new PostgresPreparedReads(knex), clock }).images;
    return { images, clock, tearDown };
  });
});
