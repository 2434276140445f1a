import type { Knex } from 'knex';
import * as createImages from './0001-create-images.ts';
import * as createIdempotencyKeys from './0002-create-idempotency-keys.ts';
import * as createCatalogIdentity from './0003-create-catalog-identity.ts';
import * as createImageMetadata from './0004-create-image-metadata.ts';
import * as createImageAppearances from './0005-create-image-appearances.ts';
import * as createLinkKeys from './0006-create-link-keys.ts';
import * as createSweptBlobs from './0007-create-swept-blobs.ts';
import * as createChanges from './0008-create-changes.ts';
import * as createSpaces from './0009-create-spaces.ts';
import * as useSpaces from './0010-use-spaces.ts';
import * as createSweepSlices from './0011-create-sweep-slices.ts';
import * as createNames from './0012-create-names.ts';
import * as addFramesAndFocus from './0013-add-frames-and-focus.ts';
import * as forgetNames from './0014-forget-names.ts';
import * as createCatalogSchema from './0015-create-catalog-schema.ts';

interface NamedMigration extends Knex.Migration {
  readonly name: string;
}

/**
 * All migrations in their order. The names have no file extension, so that the sources (`.ts`) open a database made by the
 * build (`.js`).
 */
const MIGRATIONS: readonly NamedMigration[] = [
  { name: '0001-create-images', ...createImages },
  { name: '0002-create-idempotency-keys', ...createIdempotencyKeys },
  { name: '0003-create-catalog-identity', ...createCatalogIdentity },
  { name: '0004-create-image-metadata', ...createImageMetadata },
  { name: '0005-create-image-appearances', ...createImageAppearances },
  { name: '0006-create-link-keys', ...createLinkKeys },
  { name: '0007-create-swept-blobs', ...createSweptBlobs },
  { name: '0008-create-changes', ...createChanges },
  { name: '0009-create-spaces', ...createSpaces },
  // Before the tables are filled: writers read it.
  { name: '0015-create-catalog-schema', ...createCatalogSchema },
  { name: '0010-use-spaces', ...useSpaces },
  { name: '0011-create-sweep-slices', ...createSweepSlices },
  { name: '0012-create-names', ...createNames },
  { name: '0013-add-frames-and-focus', ...addFramesAndFocus },
  { name: '0014-forget-names', ...forgetNames },
];

export const migrationSource: Knex.MigrationSource<NamedMigration> = {
  getMigrations: async () => [...MIGRATIONS],
  getMigrationName: (migration) => migration.name,
  getMigration: async (migration) => migration,
};
