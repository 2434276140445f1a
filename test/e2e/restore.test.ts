import { cp, mkdir, readdir, readFile, rename, rm, symlink, truncate, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from 'chai';
import { POSTGRES_DIALECT } from '../../src/adapters/sql/postgres/postgres-dialect.ts';
import { openSqliteDatabase } from '../../src/adapters/sql/sqlite/open-sqlite-database.ts';
import { DEVELOPMENT, makeDevelopmentCatalog } from '../support/fixtures/development-catalog.ts';
import { contractAsLater, LATER } from '../support/fixtures/later-version.ts';
import { randomNumbers } from '../support/fixtures/random-numbers.ts';
import { noise } from '../support/http/busy-clients.ts';
import { sha256Of, uploadedId } from '../support/http/catalog-client.ts';
import { describeOnPostgres } from '../support/servers/postgres-server.ts';
import { PreparedCatalogs } from '../support/servers/prepared-catalogs.ts';
import { ServiceFolder } from '../support/servers/service-folder.ts';
import { blobFolder, databaseFile } from '../support/servers/service-process.ts';

const IMAGES = 3;
const random = randomNumbers(6);
const catalogs = new PreparedCatalogs();
let folder: ServiceFolder;
/** Of a catalog, where the tests may change it. */
let copy: string;

describe('restore', () => {
  before(async () => {
    folder = await ServiceFolder.open();
    await catalogs.copyTo(folder.path, IMAGES);
  });

  beforeEach(async () => {
    copy = join(folder.path, 'copy');
    expect((await folder.run(['backup', copy])).code).to.equal(0);
  });

  afterEach(async () => {
    await folder.stopAll();
    for (const name of ['copy', 'there']) await rm(join(folder.path, name), { recursive: true, force: true });
  });

  after(async () => {
    await folder.close();
    await catalogs.remove();
  });

  describe('of a copy', restoring);
  describe('refuses', refusals);
});

function there(): string {
  return join(folder.path, 'there');
}

async function restore(): Promise<Awaited<ReturnType<ServiceFolder['run']>>> {
  await mkdir(there(), { recursive: true });
  return await folder.run(['restore', copy], {}, there());
}

function restoring(): void {
  it('leaves out a link in place of a blob: somebody else may have written the copy', async () => {
    const files = await readdir(join(copy, 'blobs'), { recursive: true });
    const blob = join(copy, 'blobs', files.find((path) => /[0-9a-f-]{36}$/.test(path)) ?? '');
    await rename(blob, join(copy, 'elsewhere'));
    await symlink(join(copy, 'elsewhere'), blob);

    const { code, stdout } = await restore();

    expect(code).to.equal(1);
    expect(JSON.parse(stdout)).to.include({ images: IMAGES, lost: 1 });
    const restored = await readdir(blobFolder(there()), { recursive: true, withFileTypes: true });
    expect(restored.filter((entry) => entry.isSymbolicLink())).to.deep.equal([]);
  });

  it('makes the catalog that was copied, whose ids and numbers go on above a gap', async () => {
    const { code, stdout, stderr } = await restore();

    expect([code, JSON.parse(stdout)]).to.deep.equal([
      0,
      { images: IMAGES, highestId: IMAGES + 10_000, highestNumber: 10_000, lost: 0, damaged: 0 },
    ]);
    expect(stderr)
      .to.include(`the id ${IMAGES + 10_001}`)
      .and.include('the number 10001');
    expect((await folder.run(['verify'], {}, there())).code).to.equal(0);
    const service = await folder.start({}, { folder: there() });
    const client = folder.client(service);
    for (const { id, sha256 } of await client.list()) {
      expect(await sha256Of(await client.file(id))).to.equal(sha256);
    }
    const { bytes, name } = await noise(random);
    expect(uploadedId(await client.upload(bytes, name))).to.equal(IMAGES + 10_001);
    await client.setName('front', 1);
    const knex = openSqliteDatabase(databaseFile(there()));
    expect(await knex('names').pluck('number')).to.deep.equal([10_001]);
    await knex.destroy();
  });

  it('leaves a gap as large as the highest number', async () => {
    const knex = openSqliteDatabase(databaseFile(folder.path));
    const highest = await knex('sqlite_sequence').where({ name: 'images' }).first('seq');
    await knex('sqlite_sequence').where({ name: 'images' }).update({ seq: 70_000 });
    await rm(copy, { recursive: true });
    await folder.run(['backup', copy]);
    await knex('sqlite_sequence').where({ name: 'images' }).update(highest);
    await knex.destroy();

    expect(JSON.parse((await restore()).stdout)).to.include({ highestId: 140_000 });
  });

  it('continues after it was killed, and leaves the copy as it was', async () => {
    await mkdir(blobFolder(there()), { recursive: true });
    await cp(join(copy, 'blobs'), blobFolder(there()), { recursive: true });
    await writeFile(`${databaseFile(there())}.restoring`, 'a part');
    const before = await readdir(copy, { recursive: true });

    expect((await restore()).code).to.equal(0);

    expect((await readdir(there())).sort()).to.deep.equal(['blobs', 'catalog.sqlite']);
    expect((await folder.run(['verify'], {}, there())).code).to.equal(0);
    expect(await readdir(copy, { recursive: true })).to.deep.equal(before);
  });

  it('ends with 1 if records have no bytes in the copy', async () => {
    await rm(join(copy, 'blobs'), { recursive: true });

    const { code, stderr } = await restore();

    expect(code).to.equal(1);
    expect(stderr).to.include(`${IMAGES} records have no bytes in the copy`);
  });
}

function refusals(): void {
  it('a copy whose database is a link', async () => {
    await rename(join(copy, 'catalog.sqlite'), join(copy, 'elsewhere'));
    await symlink(join(copy, 'elsewhere'), join(copy, 'catalog.sqlite'));

    const { code, stderr } = await restore();

    expect(code).to.equal(65);
    expect(stderr).to.match(/its catalog\.sqlite is no regular file\n$/);
  });

  const CASES: ReadonlyArray<
    readonly [what: string, code: number, sentence: string, make: () => Promise<unknown>]
  > = [
    [
      'a place that has a catalog',
      73,
      'restore writes over no catalog',
      async () => {
        await mkdir(there());
        await writeFile(databaseFile(there()), '');
      },
    ],
    [
      'a place that has blobs',
      73,
      'restore writes over none',
      async () => {
        await mkdir(join(blobFolder(there()), 'ab'), { recursive: true });
      },
    ],
    ['a folder that is no copy', 65, 'it has no catalog.sqlite', () => rm(join(copy, 'catalog.sqlite'))],
    [
      'a backup that has not ended',
      65,
      '--resume',
      () => writeFile(join(copy, 'backup-progress.json'), '{}'),
    ],
    ['a copy in use', 65, 'A service uses', () => writeFile(join(copy, 'catalog.sqlite-wal'), '')],
    ['a damaged database', 65, 'is damaged', () => truncate(join(copy, 'catalog.sqlite'), 20_000)],
    ['an empty database', 65, 'it has no tables', () => truncate(join(copy, 'catalog.sqlite'), 0)],
    [
      'a copy of a later version',
      78,
      LATER,
      async () => {
        const knex = openSqliteDatabase(join(copy, 'catalog.sqlite'));
        await contractAsLater(knex);
        await knex.destroy();
      },
    ],
    [
      'a copy of a development version',
      78,
      DEVELOPMENT,
      async () => {
        const knex = openSqliteDatabase(join(copy, 'catalog.sqlite'));
        await makeDevelopmentCatalog(knex);
        await knex.destroy();
      },
    ],
  ];

  for (const [what, code, sentence, make] of CASES) {
    it(`${what}, with ${code} and one sentence, and makes nothing`, async () => {
      await make();
      await mkdir(there(), { recursive: true });
      const before = await readdir(there());

      const result = await restore();

      expect([result.code, result.stdout]).to.deep.equal([code, '']);
      expect(result.stderr.trim().split('\n')).to.have.length(1);
      expect(result.stderr).to.include(sentence);
      expect(await readdir(there())).to.deep.equal(before);
    });
  }

  it('a catalog on S3, with 78 and the command that moves the copy there', async () => {
    const { code, stderr } = await folder.run(['restore', copy], { BLOB_STORE_URL: 's3://images/cats' });

    expect(code).to.equal(78);
    expect(stderr).to.include(`DATABASE_URL=sqlite:${copy}/catalog.sqlite`).and.include('transfer');
  });
}

describeOnPostgres('A restored dump', (server) => {
  it('continues above a gap after the statements of docs/backup.md', async () => {
    const page = await readFile(new URL('../../docs/backup.md', import.meta.url), 'utf8');
    const statements = [...page.matchAll(/^select setval.*;$/gm)].map(([statement]) => statement);
    const { knex, tearDown } = await server().openCatalog();
    await knex.raw("select setval('images_id_seq', 70000)");

    for (const statement of statements) await knex.raw(statement);

    expect(await POSTGRES_DIALECT.highestId(knex, 'images')).to.equal(140_000);
    expect(await POSTGRES_DIALECT.highestId(knex, 'names')).to.equal(10_001);
    await tearDown();
  });
});

describeOnPostgres('backup of a catalog on Postgres', (server) => {
  it('copies nothing, ends with 78, and prints what to run', async () => {
    const here = await ServiceFolder.open();
    const database = await server().newCatalog();
    const { host, user } = database.connection;
    try {
      await mkdir(blobFolder(here.path), { recursive: true });
      const { code, stdout, stderr } = await here.run(['backup', 'a copy'], { DATABASE_URL: database.url });

      expect([code, stdout]).to.deep.equal([78, '']);
      expect(stderr)
        .to.include(`\n  mkdir -p '${here.path}/a copy'\n  pg_dump --host=${host} `)
        .and.include(` --username=${user} --format=custom '--file=${here.path}/a copy/catalog.dump' `)
        .and.include(`\n  cp -a ${blobFolder(here.path)} '${here.path}/a copy/blobs'\n`);
      expect(await readdir(here.path)).to.deep.equal(['blobs']);
    } finally {
      await database.drop();
      await here.close();
    }
  });
});
