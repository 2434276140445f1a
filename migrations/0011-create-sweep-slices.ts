import type { Knex } from 'knex';

/** Which process sweeps which part of the blob store, and which blobs there have had no record; when Postgres vacuums. */
export async function up(knex: Knex): Promise<void> {
  await knex.schema.createTable('sweep_slices', (table) => {
    // Keys of blobs begin with it. Slices are split when they become too large; the first is the whole store.
    table.text('prefix').primary();
    // By the clock of the database.
    table.bigInteger('swept_at').notNullable().defaultTo(0);
    table.bigInteger('taken_at').notNullable().defaultTo(0);
    table.text('owner');
    table.bigInteger('held_until').notNullable().defaultTo(0);
  });
  await knex('sweep_slices').insert({ prefix: '' });
  await knex.schema.createTable('watched_blobs', (table) => {
    table.uuid('uuid').primary();
    table.bigInteger('since').notNullable();
  });
  if (isPostgres(knex)) await setVacuum(knex, LARGE, COUNTED);
}

export async function down(knex: Knex): Promise<void> {
  await knex.schema.dropTable('watched_blobs');
  await knex.schema.dropTable('sweep_slices');
  if (!isPostgres(knex)) return;
  for (const { tables, settings } of [LARGE, COUNTED]) {
    const names = Object.keys(settings).join(', ');
    for (const table of tables) await knex.raw(`alter table if exists ${table} reset (${names})`);
  }
}

interface Vacuum {
  readonly tables: readonly string[];
  readonly settings: Readonly<Record<string, number>>;
}

/** A fifth of a thousand million rows, the default, would be vacuumed once in months, and then for days. */
const LARGE: Vacuum = {
  tables: ['images', 'image_metadata', 'image_words', 'image_tags', 'image_appearances', 'changes'],
  settings: {
    autovacuum_vacuum_scale_factor: 0.01,
    autovacuum_vacuum_insert_scale_factor: 0.02,
    autovacuum_analyze_scale_factor: 0.02,
  },
};

/** Rows that uploads change again and again. A page with free space takes the new version of its own row. */
const COUNTED: Vacuum = {
  tables: [
    'spaces',
    'words',
    'tags',
    'timeline_days',
    'idempotency_keys',
    'webhook_endpoints',
    'sweep_slices',
  ],
  settings: { fillfactor: 80, autovacuum_vacuum_scale_factor: 0.02 },
};

async function setVacuum(knex: Knex, ...kinds: readonly Vacuum[]): Promise<void> {
  for (const { tables, settings } of kinds) {
    const values = Object.entries(settings).map(([name, value]) => `${name} = ${value}`);
    for (const table of tables) await knex.raw(`alter table if exists ${table} set (${values.join(', ')})`);
  }
}

function isPostgres(knex: Knex): boolean {
  const { client } = knex as { readonly client: { readonly driverName: string } };
  return client.driverName === 'pg';
}
