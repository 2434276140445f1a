import { join } from 'node:path';
import type { Knex } from 'knex';
import * as z from 'zod';
import { SEARCH_SLOTS } from '../../../application/find/searches.ts';
import { CopyUnsupported } from '../../../domain/ports/commands/record-copy.ts';
import type { DatabaseLocation, OpenDatabase } from '../database/database-location.ts';
import { SchemaGuard } from '../database/require-schema.ts';
import { migrate } from '../schema/migrate.ts';
import { schemaOf } from '../schema/schema-of.ts';
import { examinePostgres } from './examine-postgres.ts';
import { explainPostgresError } from './explain-postgres-error.ts';
import {
  openPostgresDatabase,
  openPostgresMigrator,
  type PostgresConnection,
} from './open-postgres-database.ts';
import { parsePostgresUrl } from './parse-postgres-url.ts';
import { PostgresPreparedReads } from './postgres-prepared-reads.ts';
import { PostgresSlowReads } from './postgres-slow-reads.ts';
import { SessionHealth } from './session-health.ts';

export class PostgresLocation implements DatabaseLocation {
  readonly file = undefined;
  readonly folder = undefined;

  constructor(private readonly server: Omit<PostgresConnection, 'poolMax'>) {}

  async identity(): Promise<undefined> {
    return undefined;
  }

  requireDriver(): void {
    // The build contains it.
  }

  async requireExisting(): Promise<void> {
    // Opening a pool never creates a database.
  }

  async tryIn(): Promise<void> {
    // Its folder is the server's.
  }

  connection(poolMax: number): PostgresConnection {
    return { ...this.server, poolMax };
  }

  open(poolMax: number): OpenDatabase {
    const connection = this.connection(poolMax);
    const health = new SessionHealth();
    const knex = openPostgresDatabase(connection, health);
    const slow = openPostgresDatabase({ ...connection, poolMax: SEARCH_SLOTS }, health);
    return {
      knex,
      // Readers do not wait for writers in Postgres.
      reader: knex,
      preparedReads: new PostgresPreparedReads(knex),
      slowReads: new PostgresSlowReads(slow, knex),
      schemaGuard: new SchemaGuard(knex),
      examine: async () => await this.explaining(examinePostgres(knex)),
      schema: async (migrations) => await this.explaining(schemaOf(knex, migrations)),
      migrate: async (migrations, calendar) =>
        await this.explaining(
          migrateSeparately(connection, (migrator) => migrate(migrator, migrations, calendar)),
        ),
      copyTo: async (folder) => this.requireCopyable(folder),
      close: async () => {
        await Promise.all([knex.destroy(), slow.destroy()]);
      },
    };
  }

  private async explaining<T>(call: Promise<T>): Promise<T> {
    try {
      return await call;
    } catch (error) {
      throw explainPostgresError(error, this.server);
    }
  }

  requireCopyable(folder: string): never {
    const { host, port, user, database } = this.server;
    const server = [`--host=${host}`, `--port=${port}`, `--username=${user}`];
    const file = `--file=${join(folder, 'catalog.dump')}`;
    throw new CopyUnsupported(['pg_dump', ...server, '--format=custom', file, database]);
  }
}

export const POSTGRES = {
  schemes: ['postgres', 'postgresql'],
  shape: 'postgres://user:password@host:5432/database',
  url: z.string().transform((url, check): DatabaseLocation => {
    const location = parsePostgresUrl(url, check);
    return location === undefined ? z.NEVER : new PostgresLocation(location);
  }),
};

/** On a separate connection, whose statements have no timeout. */
async function migrateSeparately<T>(
  connection: PostgresConnection,
  work: (migrator: Knex) => Promise<T>,
): Promise<T> {
  const migrator = openPostgresMigrator(connection);
  try {
    await requireUtf8(migrator);
    return await work(migrator);
  } finally {
    await migrator.destroy();
  }
}

/** Throws if the database cannot store file names in all scripts. */
async function requireUtf8(knex: Knex): Promise<void> {
  const { rows } = await knex.raw<{ readonly rows: ReadonlyArray<{ readonly server_encoding: string }> }>(
    'show server_encoding',
  );
  const encoding = rows[0]?.server_encoding;
  if (encoding !== 'UTF8') throw new Error(`The encoding of the database must be UTF8, and is ${encoding}`);
}
