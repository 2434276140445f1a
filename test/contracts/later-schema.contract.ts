import { expect } from 'chai';
import type { Knex } from 'knex';
import { migrationSource } from '../../migrations/migration-source.ts';
import { requireVersion } from '../../migrations/require-version.ts';
import { SchemaGuard } from '../../src/adapters/sql/database/require-schema.ts';
import { DevelopmentCatalog } from '../../src/adapters/sql/schema/development-catalog.ts';
import { migrate } from '../../src/adapters/sql/schema/migrate.ts';
import { schemaOf } from '../../src/adapters/sql/schema/schema-of.ts';
import { CatalogTooNew } from '../../src/domain/errors.ts';
import type { ImageRecords } from '../../src/domain/ports/records/image-repository.ts';
import { COMMON_SPACE } from '../../src/domain/space/space.ts';
import { makeDevelopmentCatalog } from '../support/fixtures/development-catalog.ts';
import { ADDING } from '../support/fixtures/later-version.ts';
import { newImage } from '../support/fixtures/new-image.ts';
import { rejection } from '../support/fixtures/rejection.ts';
import { sqlPorts } from '../support/fixtures/sql-ports.ts';

export interface SharedCatalog {
  readonly knex: Knex;
  /** Of the process that migrates. */
  readonly other: Knex;
  readonly tearDown: () => Promise<void>;
}

/** Of a process that runs on while a later version migrates. Here all of its statements are still valid. */
export function refusesLaterSchemas(open: () => Promise<SharedCatalog>): void {
  let catalog: SharedCatalog;

  beforeEach(async () => {
    catalog = await open();
  });

  afterEach(async () => {
    await catalog.tearDown();
  });

  const WRITES: Readonly<Record<string, (images: ImageRecords) => Promise<unknown>>> = {
    'recording an image': (images) => images.in(COMMON_SPACE).add(newImage()),
    'removing an image': (images) => images.in(COMMON_SPACE).removeById(1),
    'sweeping a blob': (images) =>
      images.removeUnrecorded(newImage().uuid, () => Promise.reject(new Error('removed'))),
    'reserving ids': (images) => images.reserveIds(7),
  };

  for (const [what, write] of Object.entries(WRITES)) {
    it(`${what} sees the number of the schema under its lock`, async () => {
      const images = sqlPorts(catalog.knex).images;
      let refused: Promise<Error> | undefined;
      await catalog.other.transaction(async (migration) => {
        await requireVersion(migration, { version: '9.9.9', schema: 9_999 });
        refused = rejection(write(images));
      });

      expect(await refused).to.be.instanceOf(CatalogTooNew);
    });
  }

  it('reserving numbers of names does so, too', async () => {
    const names = sqlPorts(catalog.knex).names;
    await requireVersion(catalog.other, { version: '9.9.9', schema: 9_999 });

    const refused = await rejection(names.reserveNumbers(7));

    expect(refused).to.be.instanceOf(CatalogTooNew);
    expect(await names.highestNumber()).to.equal(0);
  });

  it('the guard refuses everything from its next check on', async () => {
    const guard = new SchemaGuard(catalog.knex);
    await guard.check();
    guard.requireUsable();
    await requireVersion(catalog.other, { version: '9.9.9', schema: 9_999 });

    const refused = await rejection(guard.check());

    expect(refused).to.be.instanceOf(CatalogTooNew);
    expect(() => guard.requireUsable()).to.throw(CatalogTooNew);
  });

  it('has the tables of another version until its migrations have run, by one of the processes', async () => {
    const { knex, other } = catalog;
    expect(await schemaOf(knex, migrationSource)).to.equal('current');
    expect(await schemaOf(knex, ADDING)).to.equal('older');

    const ran = await Promise.all([migrate(knex, ADDING), migrate(other, ADDING)]);

    expect(ran.flat()).to.have.length(1);
    expect(await schemaOf(knex, ADDING)).to.equal('current');
    expect(await schemaOf(knex, migrationSource)).to.equal('current');
  });

  it('refuses a catalog of a development version, and leaves it as it is', async () => {
    const { knex } = catalog;
    await makeDevelopmentCatalog(knex);
    const before = await knex('knex_migrations');

    expect(await rejection(schemaOf(knex, migrationSource))).to.be.instanceOf(DevelopmentCatalog);
    expect(await rejection(migrate(knex, ADDING))).to.be.instanceOf(DevelopmentCatalog);

    expect(await knex('knex_migrations')).to.deep.equal(before);
    expect(await knex.schema.hasTable('notes')).to.equal(false);
  });

  it('works on while a later version needs no later schema than that of its last migration', async () => {
    const migrations = await migrationSource.getMigrations([]);
    const last = Math.max(...migrations.map(({ name }) => Number.parseInt(name, 10)));
    const images = sqlPorts(catalog.knex).images;
    await requireVersion(catalog.other, { version: '9.9.8', schema: last });
    await images.in(COMMON_SPACE).add(newImage());
    await requireVersion(catalog.other, { version: '9.9.9', schema: last + 1 });

    const refused = await rejection(images.in(COMMON_SPACE).add(newImage()));

    expect(refused).to.be.instanceOf(CatalogTooNew);
    expect(await images.count()).to.equal(1);
  });
}
