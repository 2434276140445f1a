import { chmod, readdir, readFile, rename, rm, truncate, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from 'chai';
import type { Knex } from 'knex';
import { OWNER_NOTE } from '../../src/adapters/filesystem/owner-note.ts';
import { shardedPath } from '../../src/adapters/filesystem/walk-shards.ts';
import { openSqliteDatabase } from '../../src/adapters/sql/sqlite/open-sqlite-database.ts';
import { parseBlobKey } from '../../src/domain/image/blob-key.ts';
import type { LogEntry } from '../support/doubles/captured-log.ts';
import {
  CAN_LIMIT_FILES,
  limitFileSizes,
  mountSmallDisk,
  type SmallDisk,
  WITHOUT_POWERS,
} from '../support/doubles/faulty-storage.ts';
import { jpegOfSize, noisyPng } from '../support/fixtures/pictures.ts';
import type { TemporaryFolder } from '../support/fixtures/temporary-folder.ts';
import { temporaryFolder } from '../support/fixtures/temporary-folder.ts';
import type { ImageRecord } from '../support/http/catalog-client.ts';
import { RunningCatalog, type RunningCatalogOptions } from '../support/servers/running-catalog.ts';
import { skipAloud } from '../support/skipped/skip-aloud.ts';
import { eventually } from '../support/time/eventually.ts';
import { settled } from '../support/time/gate.ts';

const MIB = 1024 * 1024;

interface Outcome {
  readonly status: number;
  readonly code?: unknown;
}

const UNAVAILABLE: Outcome = { status: 503, code: 'storage_unavailable' };

let catalog: RunningCatalog;
let pid: number;
let small: Buffer;
let large: Buffer;
let errorsBefore: number;
let id: number;
let uuid: string;

/** The path of the blob of the image. */
let blob: string;

describe('the built service', () => {
  before(async () => {
    small = await noisyPng(60, 60);
    large = await jpegOfSize(4 * MIB);
  });

  describe('with a full disk', fullDisk);

  describe('with a limit on file sizes', fileSizeLimit);

  describe('with missing file permissions', missingPermissions);

  describe('with a read-only database file', readOnlyDatabase);

  describe('with a missing folder', missingFolders);

  describe('with a lock on the database', databaseLock);

  describe('with a blob that', damagedBlobs);
});

function fullDisk(): void {
  let folder: TemporaryFolder;
  let disk: SmallDisk | undefined;

  before(async function () {
    folder = await temporaryFolder();
    disk = mountSmallDisk(join(folder.path, 'disk'), 32 * MIB);
    if (disk === undefined) skipAloud(this, 'No file system can be mounted here');
  });

  shareCatalog(() => ({ folder: join(folder.path, 'disk') }));

  after(async () => {
    disk?.remove();
    await folder.remove();
  });

  it('stores an upload completely or not at all with any amount of free space', async () => {
    const statuses = new Set<number>();
    for (let room = 0; room <= 96 * 1024; room += 4096) {
      disk?.fill(room);
      const outcome = await outcomeOf(upload(small));
      if (outcome.status !== 201) expect(outcome).to.deep.equal(UNAVAILABLE);
      statuses.add(outcome.status);
      disk?.free();
      expect(await catalog.leftovers(), `with ${room} bytes free`).to.deep.equal([]);
    }
    expect([...statuses]).to.have.members([201, 503]);
    await expectRecovered();
  });
}

function fileSizeLimit(): void {
  before(function () {
    if (!CAN_LIMIT_FILES) skipAloud(this, 'prlimit is not available');
  });

  shareCatalog();

  it('rejects an upload in the middle, leaves no orphaned files, and recovers without the limit', async () => {
    limitFileSizes(catalog, MIB);
    expect(await outcomeOf(upload(large))).to.deep.equal(UNAVAILABLE);
    expect(await catalog.leftovers()).to.deep.equal([]);
    await expectReadable();
    limitFileSizes(catalog);
    await expectRecovered();
  });

  it('rejects a delete that the database cannot record and keeps the image complete', async () => {
    limitFileSizes(catalog, 0);
    expect(await outcomeOf(catalog.request(`api/image/${id}`, { method: 'DELETE' }))).to.deep.equal(
      UNAVAILABLE,
    );
    await expectReadable();
    limitFileSizes(catalog);
    await expectRecovered();
    expect(await outcomeOf(catalog.request(`api/image/${id}`, { method: 'DELETE' }))).to.deep.equal({
      status: 204,
    });
  });

  it('returns renditions that cannot be cached', async () => {
    limitFileSizes(catalog, 0);
    expect(await outcomeOf(catalog.request(`api/image/${id}/file?width=32`))).to.deep.equal({
      status: 200,
    });
    limitFileSizes(catalog);
    await expectRecovered();
  });
}

function missingPermissions(): void {
  let changed: string[] = [];

  before(function () {
    if (WITHOUT_POWERS === undefined) {
      skipAloud(this, 'setpriv is not installed, and root ignores permissions');
    }
  });

  shareCatalog(() => ({ through: WITHOUT_POWERS ?? [] }));

  afterEach(restore);

  async function allow(path: string, mode: number): Promise<void> {
    await chmod(path, mode);
    changed.push(path);
  }

  async function restore(): Promise<void> {
    for (const path of changed) await chmod(path, 0o755);
    changed = [];
  }

  const readOnly: ReadonlyArray<
    readonly [what: string, folders: () => readonly string[] | Promise<readonly string[]>]
  > = [
    [
      'a read-only data folder',
      () => [catalog.folder, catalog.paths.blobs, join(catalog.paths.blobs, '.staging')],
    ],
    ['a read-only blob folder', async () => [catalog.paths.blobs, ...(await shards())]],
    ['a read-only staging folder', () => [join(catalog.paths.blobs, '.staging')]],
  ];

  for (const [what, folders] of readOnly) {
    it(`rejects uploads, allows reads, and recovers with ${what}`, async () => {
      for (const path of await folders()) await allow(path, 0o555);
      expect(await outcomeOf(upload(small))).to.deep.equal(UNAVAILABLE);
      await expectReadable();
      await restore();
      await expectRecovered();
    });
  }

  async function shards(): Promise<readonly string[]> {
    const names = (await readdir(catalog.paths.blobs)).filter(
      (name) => ![OWNER_NOTE, '.staging'].includes(name),
    );
    return names.map((name) => join(catalog.paths.blobs, name));
  }

  it('returns 503 for an unreadable blob', async () => {
    await allow(blob, 0o000);
    expect(await outcomeOf(catalog.request(`api/image/${id}/file`))).to.deep.equal(UNAVAILABLE);
    await restore();
    await expectRecovered();
  });
}

function readOnlyDatabase(): void {
  before(function () {
    if (WITHOUT_POWERS === undefined) {
      skipAloud(this, 'setpriv is not installed, and root ignores permissions');
    }
  });

  shareCatalog(() => ({ through: WITHOUT_POWERS ?? [] }));

  it('does not start and prints the reason', async () => {
    await catalog.process.stop();
    await chmod(catalog.paths.database, 0o444);
    const refusal = await catalog.restart().then(
      () => 'it starts',
      (error: unknown) => String(error),
    );
    expect(refusal).to.include('(78)').and.to.include('DATABASE_URL');
  });
}

function missingFolders(): void {
  shareCatalog();

  it('returns 503 without the blobs and recovers once they are available again', async () => {
    const elsewhere = `${catalog.paths.blobs}-moved`;
    await rename(catalog.paths.blobs, elsewhere);
    expect(await outcomeOf(upload(small))).to.deep.equal(UNAVAILABLE);
    expect(await outcomeOf(catalog.request(`api/image/${id}/file`))).to.deep.equal(UNAVAILABLE);
    expect(await outcomeOf(catalog.request(`api/image/${id}/file?width=32`))).to.deep.equal(UNAVAILABLE);
    expect(await outcomeOf(catalog.request(`api/image/${id}`))).to.deep.equal({ status: 200 });
    await rename(elsewhere, catalog.paths.blobs);
    await expectRecovered();
  });
}

function databaseLock(): void {
  let database: Knex;
  let lock: Knex.Transaction;

  shareCatalog();

  beforeEach(async () => {
    database = openSqliteDatabase(catalog.paths.database);
    lock = await database.transaction();
    await lock.raw('update images set width = width');
  });

  afterEach(async () => {
    if (!lock.isCompleted()) await lock.rollback();
    await database.destroy();
  });

  it('rejects uploads after a timeout, allows reads meanwhile, and recovers', async () => {
    const refused = outcomeOf(upload(small));
    const deleted = outcomeOf(catalog.request(`api/image/${id}`, { method: 'DELETE' }));
    await staged();
    await expectReadable();
    expect([await refused, await deleted]).to.deep.equal([UNAVAILABLE, UNAVAILABLE]);
    expect(await lock('images').count({ count: '*' })).to.deep.equal([{ count: 1 }]);
    await lock.rollback();
    await expectRecovered();
  });

  /** Resolves when the blob is stored and the upload waits for its record. */
  async function staged(): Promise<void> {
    while ((await filesBelow(catalog.paths.blobs)).length < 2) await settled();
  }
}

function damagedBlobs(): void {
  shareCatalog();

  const damages: ReadonlyArray<
    readonly [what: string, damage: () => Promise<void>, file: Outcome, rendition: Outcome]
  > = [
    [
      'is missing',
      async () => await rm(blob),
      { status: 500, code: 'internal_error' },
      { status: 500, code: 'internal_error' },
    ],
    [
      'is truncated',
      async () => await truncate(blob, 100),
      { status: 500, code: 'internal_error' },
      { status: 500, code: 'internal_error' },
    ],
    // The response carries its digest, and `verify` finds it.
    ['has other bytes', overwrite, { status: 200 }, { status: 422, code: 'invalid_image' }],
  ];

  for (const [what, damage, file, rendition] of damages) {
    it(`${what} returns ${file.status}, and ${rendition.status} for its renditions`, async () => {
      await damage();
      expect(await outcomeOf(catalog.request(`api/image/${id}/file`))).to.deep.equal(file);
      expect(await outcomeOf(catalog.request(`api/image/${id}/file?width=32`))).to.deep.equal(rendition);
      expect(await outcomeOf(catalog.request(`api/image/${id}`))).to.deep.equal({ status: 200 });
      const expected = [file, rendition].filter(({ status }) => status === 500);
      // The response may arrive before the log line is written.
      const logged = await eventually(
        () => errors(),
        ({ length }) => length >= expected.length,
      );
      expect(logged.map(imageOf)).to.deep.equal(expected.map(() => ({ imageId: id })));
    });
  }

  async function overwrite(): Promise<void> {
    const bytes = await readFile(blob);
    bytes.fill(0x55, Math.floor(bytes.length / 2));
    await writeFile(blob, bytes);
  }
}

/** Shares one service between a group of tests and uploads a new image for each test. */
function shareCatalog(options: () => RunningCatalogOptions = () => ({})): void {
  let own: RunningCatalog | undefined;

  before(async () => {
    // Prerendering would write into the folders that the tests fill, lock and remove.
    own = await RunningCatalog.start({ ...options(), env: { PRERENDER: '' } });
    catalog = own;
    pid = own.process.pid;
  });

  beforeEach(async () => {
    errorsBefore = catalog.errors().length;
    const record = (await (await upload(small)).json()) as ImageRecord;
    id = record.id;
    uuid = record.filename.slice(0, 36);
    blob = shardedPath(catalog.paths.blobs, parseBlobKey(uuid));
  });

  after(() => own?.stop());
}

/** The errors logged during this test. */
function errors(): readonly LogEntry[] {
  return catalog.errors().slice(errorsBefore);
}

async function upload(bytes: Buffer): Promise<Response> {
  const form = new FormData();
  form.append('file', new Blob([new Uint8Array(bytes)]), 'cat.png');
  return await catalog.request('api/upload', { method: 'POST', body: form });
}

async function outcomeOf(request: Promise<Response>): Promise<Outcome> {
  const { status, ...response } = await reply(request);
  if (status < 400) return { status };
  if (status === 503) expect(response.retryAfter).to.match(/^[1-9]\d*$/);
  return { status, code: (JSON.parse(response.body) as { code: unknown }).code };
}

async function reply(
  request: Promise<Response>,
): Promise<{ readonly status: number; readonly retryAfter: string | null; readonly body: string }> {
  const response = await request;
  return {
    status: response.status,
    retryAfter: response.headers.get('retry-after'),
    body: await response.text(),
  };
}

/** The service accepts uploads, returns images, has no orphaned files, and is still the same process. */
async function expectRecovered(): Promise<void> {
  expect(await outcomeOf(upload(large))).to.deep.equal({ status: 201 });
  await expectReadable();
  expect(await catalog.leftovers()).to.deep.equal([]);
  expect([catalog.process.pid, errors()]).to.deep.equal([pid, []]);
}

async function expectReadable(): Promise<void> {
  for (const path of [`api/image/${id}`, `api/image/${id}/file`, 'api/images']) {
    expect(await outcomeOf(catalog.request(path)), path).to.deep.equal({ status: 200 });
  }
}

function imageOf({ imageId }: LogEntry): object {
  return { imageId };
}

/** Paths relative to the folder. */
async function filesBelow(folder: string): Promise<readonly string[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  return entries
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(folder.length + 1));
}
