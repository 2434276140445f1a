import { mkdir, readdir, rename, rm, utimes, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { expect } from 'chai';
import { OWNER_NOTE } from '../../src/adapters/filesystem/owner-note.ts';
import { shardedPath } from '../../src/adapters/filesystem/walk-shards.ts';
import type { CommandResult } from '../support/servers/command-in-process.ts';
import { PreparedCatalogs } from '../support/servers/prepared-catalogs.ts';
import { ServiceFolder } from '../support/servers/service-folder.ts';
import { blobFolder, databaseFile, type Environment } from '../support/servers/service-process.ts';

const ORPHAN = '0a0b0c0d-3c1b-4a53-9f0a-6d2f8c7b1e42';
const OTHER = '7c9e6679-7425-40de-944b-e07fc1f90ae7';
const LONG_AGO = new Date('2020-01-01T00:00:00Z');
const IMAGES = 3;

const catalogs = new PreparedCatalogs();
const otherCatalogs = new PreparedCatalogs();
let folder: ServiceFolder;
let ownerNote: string;
let owner: string;
let blobs: readonly string[];

describe('a database and a blob folder of different catalogs', () => {
  beforeEach(async () => {
    folder = await ServiceFolder.open();
    ownerNote = join(blobFolder(folder.path), OWNER_NOTE);
    await catalogs.copyTo(folder.path, IMAGES);
    [owner = ''] = await readdir(ownerNote);
    blobs = await folder.blobFiles();
  });

  afterEach(async () => {
    expect(await folder.blobFiles(), 'every blob is still there').to.include.members([...blobs]);
    await folder.close();
  });

  after(async () => {
    await catalogs.remove();
    await otherCatalogs.remove();
  });

  // Which stores are those of another catalog: test/application/claim-blob-store.test.ts.
  it('are not served with a new database, nor read-only', async () => {
    await rm(ownerNote, { recursive: true });
    expectRefusal(await run([], { ...elsewhere('new'), READ_ONLY: 'true' }));
  });

  it('are not swept or transferred', async () => {
    expectRefusal(await run(['sweep'], await catalogElsewhere(1)));
    expectRefusal(await run(['sweep', '--dry-run'], elsewhere('there')));
    const to = `file:${join(folder.path, 'target')}`;
    expectRefusal(await run(['transfer', '--to-blobs', to], elsewhere('there')));
  });

  it('are verified with a warning', async () => {
    const { code, stdout, stderr } = await run(['verify'], await catalogElsewhere(1));

    expect(code).to.equal(1);
    expect(stdout.split('\n')).to.have.length(1 + IMAGES);
    expect(stderr).to.match(/^BLOB_STORE_URL together with DATABASE_URL cannot be used: /);
  });

  it('do not affect the right database, which is served and swept as before', async () => {
    await rm(ownerNote, { recursive: true });
    await run([], elsewhere('new'));
    const service = await folder.start();
    expect(await folder.records(service)).to.have.length(IMAGES);
    await service.process.stop();

    expect((await run(['sweep'], {})).code).to.equal(0);
    expect(await readdir(ownerNote)).to.deep.equal([owner]);
  });

  it('are not swept by a service whose folder is replaced while it runs', async () => {
    const orphan = shardedPath(blobFolder(folder.path), ORPHAN);
    const service = await folder.start({ SWEEP_INTERVAL_SECONDS: '1', SWEEP_GRACE_SECONDS: '0' });
    await rename(join(ownerNote, owner), join(ownerNote, OTHER));
    await mkdir(dirname(orphan), { recursive: true });
    await writeFile(orphan, 'of another catalog');
    await utimes(orphan, LONG_AGO, LONG_AGO);
    blobs = [...blobs, ORPHAN];

    let warnings = 0;
    // The second look would remove it.
    const warning = await service.process.line((line) => {
      if (line.includes('blob store of another catalog')) warnings += 1;
      return warnings === 3 ? line : undefined;
    });

    expect(JSON.parse(warning)).to.include({ level: 40, owner: OTHER });
  });

  it('belong together after a backup', async () => {
    const target = join(folder.path, 'backup');
    await folder.run(['backup', target]);

    const service = await folder.start({ BLOB_STORE_URL: `file:${blobFolder(target)}` });
    await service.process.stop();
    expect(await readdir(join(blobFolder(target), OWNER_NOTE))).to.deep.equal([owner]);
  });
});

/** A database other than that of the blobs, which may not exist yet. */
function elsewhere(name: string): Environment {
  return { DATABASE_URL: `sqlite:${databaseFile(join(folder.path, name))}` };
}

async function catalogElsewhere(images: number): Promise<Environment> {
  await otherCatalogs.copyTo(join(folder.path, 'there'), images);
  return elsewhere('there');
}

/** Runs with a grace period of 0, so that a sweep would remove everything it may. */
async function run(args: readonly string[], env: Environment): Promise<CommandResult> {
  const all = { ...folder.env, SWEEP_GRACE_SECONDS: '0', ...env };
  return args.length === 0 ? await folder.runProcess(args, all) : await folder.run(args, all);
}

function expectRefusal({ code, stdout, stderr }: CommandResult): void {
  expect([code, stdout]).to.deep.equal([78, '']);
  expect(stderr)
    .to.match(/^BLOB_STORE_URL together with DATABASE_URL cannot be used: /)
    .and.include('docs/maintenance.md');
}
