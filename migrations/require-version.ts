import type { Knex } from 'knex';

/** The locks of everything that records, changes or removes images, as `POSTGRES_DIALECT` takes them. */
const LOCKS = 'pg_advisory_xact_lock(1229152628, 3), pg_advisory_xact_lock(1229152628, 2)';

interface OldestVersion {
  readonly version: string;
  /** The number of its last migration. */
  readonly schema: number;
}

/**
 * First statement of a migration with which earlier versions do not work. Writers read the number under the locks, and end before it is
 * raised. What they read must be dropped or get another name: a statement of theirs must fail, and never mean something else.
 */
export async function requireVersion(knex: Knex, { version, schema }: OldestVersion): Promise<void> {
  const { client } = knex as { readonly client: { readonly driverName: string } };
  if (client.driverName === 'pg') await knex.raw(`select ${LOCKS}`);
  await knex('catalog_schema').update({ least: schema, version });
}
