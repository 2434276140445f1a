import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import {
  access,
  mkdir,
  open,
  readdir,
  readFile,
  rename,
  rm,
  stat,
  truncate,
  utimes,
  writeFile,
} from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { expect } from 'chai';
import { shardedPath } from '../../src/adapters/filesystem/walk-shards.ts';
import { openSqliteDatabase } from '../../src/adapters/sql/sqlite/open-sqlite-database.ts';
import { HostProcesses } from '../../src/adapters/system/host-processes.ts';
import { SystemClock } from '../../src/adapters/system/system-clock.ts';
import { type BlobKey, parseBlobKey } from '../../src/domain/image/blob-key.ts';
import { COMMON_SPACE } from '../../src/domain/space/space.ts';
import { newImage } from '../support/fixtures/new-image.ts';
import { randomNumbers } from '../support/fixtures/random-numbers.ts';
import { sqlPorts } from '../support/fixtures/sql-ports.ts';
import { noise } from '../support/http/busy-clients.ts';
import { type ImageRecord, sha256Of } from '../support/http/catalog-client.ts';
import { Scrape } from '../support/http/scrape.ts';
import type { CommandResult } from '../support/servers/command-in-process.ts';
import { PreparedCatalogs, uploadSeveral } from '../support/servers/prepared-catalogs.ts';
import { ServiceFolder } from '../support/servers/service-folder.ts';
import {
  blobFolder,
  databaseFile,
  type RunningService,
  renditionFolder,
  stagingFolder,
} from '../support/servers/service-process.ts';

const ORPHAN = '0a0b0c0d-3c1b-4a53-9f0a-6d2f8c7b1e42';
const LONG_AGO = new Date('2020-01-01T00:00:00Z');
const random = randomNumbers(3);

interface FindingLine {
  readonly problem: string;
  readonly imageId?: number;
  readonly blobKey: string;
}

function findingsIn({ stdout }: Pick<CommandResult, 'stdout'>): readonly FindingLine[] {
  const lines = stdout.split('\n').filter((line) => line !== '');
  return lines.map((line) => JSON.parse(line) as FindingLine);
}

function uuidOf({ filename }: ImageRecord): BlobKey {
  return parseBlobKey(filename.slice(0, 36));
}

const catalogs = new PreparedCatalogs();
let folder: ServiceFolder;

describe('the commands of the built service', () => {
  beforeEach(async () => {
    folder = await ServiceFolder.open();
  });

  afterEach(async () => {
    await folder.close();
  });

  after(async () => {
    await catalogs.remove();
  });

  describe('verify', verification);

  describe('sweep', sweeping);

  describe('backup', backups);
  describe('backup --resume', resumedBackups);

  for (const name of ['verfiy', '--verify', 'toString']) {
    it(`name the help in one line if there is no command ${name}`, async () => {
      const stderr = `There is no command ${name}; image-catalog --help lists them\n`;

      expect(await folder.run([name])).to.deep.equal({ code: 64, stdout: '', stderr });
    });
  }

  for (const folderOfProc of ['/proc/x', '/proc/x/y']) {
    it(`backup and export end with 73 and a sentence at ${folderOfProc}, where no folder can be made`, async () => {
      await catalogOf(0);
      for (const call of [
        ['backup', folderOfProc],
        ['export', folderOfProc, '--direct'],
      ]) {
        const stderr = '/proc/x is not there, or cannot be made: correct the path (ENOENT)\n';
        expect(await folder.run(call), call.join(' ')).to.deep.equal({ code: 73, stdout: '', stderr });
      }
    });
  }

  it('say of a path that cannot be used what is wrong with it, and what to do', async () => {
    await catalogOf(0);
    const [file, path] = [join(folder.path, 'file'), databaseFile(folder.path)];
    await writeFile(file, 'no database');
    const cases: ReadonlyArray<
      readonly [args: string, env: Readonly<Record<string, string>>, sentence: string]
    > = [
      ['verify', { DATABASE_URL: `sqlite:${path}.` }, `${path}. is not there, or cannot be made: correct`],
      [
        'verify',
        { DATABASE_URL: `sqlite:${folder.path}` },
        `${folder.path} cannot be opened: it must be a file`,
      ],
      ['migrate', { DATABASE_URL: 'sqlite:/proc/x/y' }, '/proc/x is not there, or cannot be made: correct'],
      ['migrate', { DATABASE_URL: `sqlite:${file}/y` }, `${file} is a file and no folder: correct the path`],
      ['spaces', { DATABASE_URL: `sqlite:${file}` }, `${file} is not a database of SQLite: correct the path`],
      ['spaces', { BLOB_STORE_URL: `file:${path}.` }, `${path}. is not there, or cannot be made: correct`],
    ];
    for (const [command, env, sentence] of cases) {
      const { code, stdout, stderr } = await folder.run([command], env);
      const variable = Object.keys(env)[0];
      expect([code, stdout], stderr).to.deep.equal([78, '']);
      expect(stderr)
        .to.include(`${variable} cannot be used: ${sentence}`)
        .and.to.match(/^[^\n]*\n$/);
    }
  });

  // test/infrastructure/commands.test.ts has more wrong calls.
  it('reject wrong calls with 64 and print the usage', async () => {
    const { code, stdout, stderr } = await folder.runProcess(['serve', 'now']);

    expect([code, stdout]).to.deep.equal([64, '']);
    expect(stderr).to.include('Usage: image-catalog serve');
    expect(await readdir(folder.path)).to.deep.equal([]);
  });

  for (const call of [['verify'], ['sweep'], ['sweep', '--dry-run'], ['backup', 'copy']]) {
    it(`${call.join(' ')} ends with 78 and creates nothing if there is no catalog`, async () => {
      const { code, stdout, stderr } = await folder.run(call);

      expect([code, stdout]).to.deep.equal([78, '']);
      expect(stderr).to.include('DATABASE_URL');
      expect(await readdir(folder.path)).to.deep.equal([]);
    });
  }

  it('end with 78 if the database file is not a catalog', async () => {
    await writeFile(databaseFile(folder.path), '');

    const { code, stderr } = await folder.runProcess(['verify']);

    expect(code).to.equal(78);
    expect(stderr).to.include('DATABASE_URL');
  });

  it('end with 78 if the blob folder is missing', async () => {
    await catalogOf(0);
    await rm(blobFolder(folder.path), { recursive: true });

    const { code, stderr } = await folder.run(['verify']);

    expect(code).to.equal(78);
    expect(stderr).to.include('BLOB_STORE_URL');
  });
});

function verification(): void {
  it('ends with 0 for a catalog without findings', async () => {
    await catalogOf(3);

    const { code, stdout, stderr } = await folder.runProcess(['verify']);

    expect([code, stdout]).to.deep.equal([0, '']);
    expect(stderr).to.equal('3 records checked: all of them have their bytes.\n');
  });

  it('ends with 1 and reports missing, damaged and orphaned blobs', async () => {
    const [missing, altered, shortened, whole] = await catalogOf(4);
    if (!missing || !altered || !shortened || !whole) throw new TypeError('Four images were uploaded');
    await rm(blobPath(uuidOf(missing)));
    const bytes = await readFile(blobPath(uuidOf(altered)));
    await writeFile(blobPath(uuidOf(altered)), bytes.fill(0, bytes.length - 100));
    await truncate(blobPath(uuidOf(shortened)), 100);
    await plant(blobPath(ORPHAN));
    await plant(blobPath(parseBlobKey(ORPHAN.replace('0a', 'ff'))), new Date());
    const before = await folder.blobFiles();

    const result = await folder.runProcess(['verify']);

    expect(result.code).to.equal(1);
    expect(
      findingsIn(result).map(({ problem, imageId, blobKey }) => [problem, imageId, blobKey]),
    ).to.deep.equal([
      ['missing', missing.id, uuidOf(missing)],
      ['damaged', altered.id, uuidOf(altered)],
      ['damaged', shortened.id, uuidOf(shortened)],
      ['orphaned', undefined, ORPHAN],
    ]);
    expect(await folder.blobFiles(), 'it changes nothing').to.deep.equal(before);
  });

  it('writes its result as metrics', async () => {
    const [missing] = await catalogOf(3);
    if (missing) await rm(blobPath(uuidOf(missing)));
    const file = join(folder.path, 'verify.prom');

    const { code } = await folder.run(['verify', '--sample', '100%', '--metrics', file]);

    const metrics = new Scrape(await readFile(file, 'utf8'));
    const findings = ['missing', 'damaged', 'orphaned'].map((problem) =>
      metrics.value('image_catalog_verify_findings', { problem }),
    );
    expect([code, ...findings]).to.deep.equal([1, 1, 0, 0]);
    expect(metrics.value('image_catalog_verify_sample_ratio')).to.equal(1);
    const lastRun = metrics.value('image_catalog_verify_last_run_timestamp_seconds');
    expect(lastRun).to.be.closeTo(Date.now() / 1000, 60);
  });

  it('writes no metrics if it does not reach its end', async () => {
    await catalogOf(1);
    const file = join(folder.path, 'verify.prom');
    await rename(blobFolder(folder.path), join(folder.path, 'elsewhere'));

    expect((await folder.run(['verify', '--metrics', file])).code).to.not.equal(0);

    expect(existsSync(file)).to.equal(false);
  });

  it('ends with 75 if the blobs become unavailable, and reports none as missing', async () => {
    await catalogOf(2);
    const progress = join(folder.path, 'progress');
    spawnSync('mkfifo', [progress]);
    const verifying = folder.spawnCommand(['verify', '--resume', progress]);
    // It has checked its storage when it reads its progress, and blocks on the FIFO.
    const fifo = await open(progress, 'w');
    await rm(blobFolder(folder.path), { recursive: true });
    await fifo.writeFile(JSON.stringify({ checked: 0, findings: 0 }));
    await fifo.close();

    expect((await verifying.exited).code, verifying.output).to.equal(75);
    expect([verifying.stdout, verifying.stderr.includes('ENOENT')]).to.deep.equal(['', true]);
  });

  it('prints a table with --format table', async () => {
    const [image] = await catalogOf(1);
    if (image === undefined) throw new TypeError('An image was uploaded');
    await rm(blobPath(uuidOf(image)));

    const { stdout } = await folder.run(['verify', '--format', 'table']);

    expect(stdout).to.match(new RegExp(`^missing +${image.id} ${uuidOf(image)} \\S.*$`));
  });

  it('checks a sample with --sample', async () => {
    await catalogOf(0);
    await addRecords(2000);

    const result = await folder.run(['verify', '--sample', '10%']);

    expect(result.code).to.equal(1);
    // Six standard deviations in both directions.
    expect(findingsIn(result).length).to.be.within(120, 280);
  });

  resumedVerification();
}

function resumedVerification(): void {
  it('resumes after a kill without skipping a record', async () => {
    await catalogOf(0);
    await addRecords(3000);
    const progress = join(folder.path, 'progress.json');
    const killed = folder.spawnCommand(['verify', '--resume', progress]);
    await killed.line((line) => (line.includes('"imageId":1500,') ? true : undefined));
    expect(await killed.stop('SIGKILL')).to.deep.equal({ code: null, signal: 'SIGKILL' });

    const resumed = await folder.run(['verify', '--resume', progress]);

    expect(resumed.code).to.equal(1);
    const [before, after] = [findingsIn(killed), findingsIn(resumed)];
    expect(after[0]?.imageId, 'first record after the resume').to.be.greaterThan(1000);
    const ids = new Set([...before, ...after].map(({ imageId }) => imageId));
    expect(ids.size).to.equal(3000);
    await expectNothingAt(progress);
  });

  for (const content of [
    '',
    '{',
    '[]',
    '{"name":"something else"}',
    '{"after":"1","checked":1,"findings":0}',
  ]) {
    it(`does not resume from a file with ${JSON.stringify(content)} and keeps the file`, async () => {
      await catalogOf(0);
      const file = join(folder.path, 'precious.json');
      await writeFile(file, content);

      expect((await folder.run(['verify', '--resume', file])).code).to.equal(64);
      expect(await readFile(file, 'utf8')).to.equal(content);
    });
  }
}

function sweeping(): void {
  let images: readonly ImageRecord[];
  let foreign: readonly string[];

  beforeEach(async () => {
    images = await catalogOf(2);
    foreign = ['notes.txt', 'ab/notes.txt', '.staging/notes.txt'];
    for (const name of foreign) await plant(join(blobFolder(folder.path), name));
    await plant(blobPath(ORPHAN));
    await plant(join(stagingFolder(folder.path), `${deadProcess()}-${ORPHAN}.part`));
    await plant(renditionPath(ORPHAN));
  });

  async function everything(): Promise<readonly string[]> {
    return [
      ...(await folder.blobFiles()),
      ...(await readdir(renditionFolder(folder.path), { recursive: true })),
    ];
  }

  function reportIn({ stdout }: CommandResult): Record<string, unknown> {
    return JSON.parse(stdout) as Record<string, unknown>;
  }

  it('--dry-run reports what a sweep would remove and changes nothing', async () => {
    const before = await everything();

    const result = await folder.run(['sweep', '--dry-run']);

    expect(result.code).to.equal(0);
    expect(reportIn(result)).to.include({ stagedFiles: 1, blobs: 1, renditions: 1 });
    expect(reportIn(result).foreign).to.have.members(foreign);
    expect(await everything()).to.deep.equal(before);
  });

  it('removes orphaned files, and keeps and reports foreign files', async () => {
    const result = await folder.run(['sweep'], { SWEEP_GRACE_SECONDS: '1' });

    expect(result.code).to.equal(0);
    expect(reportIn(result)).to.include({ stagedFiles: 1, blobs: 1, renditions: 1, blobsWatched: 0 });
    expect(reportIn(result).foreign).to.have.members(foreign);
    const left = ['notes.txt', 'notes.txt', 'notes.txt', ...images.map(uuidOf)];
    expect(await folder.blobFiles()).to.have.members(left);
    await expectNothingAt(renditionPath(ORPHAN));
  });

  it('needs no staging folder, which a maintenance machine does not have', async () => {
    await rm(stagingFolder(folder.path), { recursive: true });

    expect(reportIn(await folder.run(['sweep', '--dry-run']))).to.include({ stagedFiles: 0, blobs: 1 });
  });
}

function resumedBackups(): void {
  let target: string;

  beforeEach(() => {
    target = join(folder.path, 'backup');
  });

  it('continues a backup that was killed', async () => {
    const [first, second] = await catalogOf(2);
    if (first === undefined || second === undefined) throw new TypeError('Two images were uploaded');
    await folder.run(['backup', target]);
    expect((await folder.run(['backup', target, '--resume'])).code, 'a complete backup').to.equal(64);
    // A kill leaves the progress, and a blob that is copied in part.
    const progress = { after: first.id, checked: 1, findings: 0 };
    await writeFile(join(target, 'backup-progress.json'), JSON.stringify(progress));
    const blob = shardedPath(blobFolder(target), uuidOf(second));
    await rm(blob);
    await writeFile(blob, 'part');

    expect((await folder.run(['backup', target])).code, 'without --resume').to.equal(64);
    expect((await folder.run(['backup', target, '--resume'])).code).to.equal(0);
    expect((await readdir(target)).sort()).to.deep.equal(['blobs', 'catalog.sqlite']);
    expect((await folder.run(['verify'], {}, target)).code).to.equal(0);
  });

  it('begins again if the records were copied in part', async () => {
    await catalogOf(1);
    await mkdir(target);
    await writeFile(join(target, 'backup-progress.json'), JSON.stringify({ checked: 0, findings: 0 }));
    await writeFile(join(target, 'catalog.sqlite.part'), 'part');

    expect((await folder.run(['backup', target, '--resume'])).code).to.equal(0);
    expect((await readdir(target)).sort()).to.deep.equal(['blobs', 'catalog.sqlite']);
    expect((await folder.run(['verify'], {}, target)).code).to.equal(0);
  });
}

function damagedBackups(): void {
  let target: string;

  beforeEach(() => {
    target = join(folder.path, 'backup');
  });

  it('ends with 1 if blobs are damaged, copies them as they are, and counts them apart', async () => {
    const [shortened, altered] = await catalogOf(3);
    if (shortened === undefined || altered === undefined) throw new TypeError('Three images were uploaded');
    await truncate(blobPath(uuidOf(shortened)), 10);
    const bytes = await readFile(blobPath(uuidOf(altered)));
    bytes.writeUInt8(bytes.readUInt8(bytes.length - 20) ^ 1, bytes.length - 20);
    await writeFile(blobPath(uuidOf(altered)), bytes);

    const result = await folder.run(['backup', target]);

    expect(result).to.deep.equal({
      code: 1,
      stdout: '',
      stderr: `1 image copied to ${target}.\n2 images are damaged, and copied as found; run image-catalog verify\n`,
    });
    expect(await readFile(shardedPath(blobFolder(target), uuidOf(altered)))).to.deep.equal(bytes);
    const there = await mkdir(join(folder.path, 'there'), { recursive: true });
    const restored = await folder.run(['restore', target], {}, there);
    expect(restored.code).to.equal(1);
    expect(JSON.parse(restored.stdout)).to.include({ images: 3, lost: 0, damaged: 2 });
    expect(restored.stderr).to.include('2 images are damaged in the copy');
  });

  it('counts the damaged images of both runs if it was killed', async () => {
    const images = await catalogOf(3);
    for (const image of images) await truncate(blobPath(uuidOf(image)), 10);
    await mkdir(target);
    const progress = { after: images[0]?.id, checked: 1, findings: 1, damaged: 1 };
    await writeFile(join(target, 'backup-progress.json'), JSON.stringify(progress));

    const { code, stderr } = await folder.run(['backup', target, '--resume']);

    expect(code).to.equal(1);
    expect(stderr).to.include('0 images copied').and.to.include('3 images are damaged');
  });
}

function backups(): void {
  let target: string;

  beforeEach(() => {
    target = join(folder.path, 'backup');
  });

  it('copies a catalog during uploads and deletes to a complete catalog that can be served', async () => {
    const service = await folder.start();
    const images = await uploadSeveral(folder, service, 40);
    const over = new AbortController();
    const deleting = uploadAndDelete(service, images.slice(20), over.signal);

    const result = await folder.runProcess(['backup', target]);
    over.abort();
    const deleted = await deleting;

    expect(result).to.include({ code: 0, stdout: '' });
    expect(result.stderr).to.match(/^\d+ images? copied to .*\.\n$/);
    expect(deleted.size, 'deletes meanwhile').to.be.greaterThan(0);
    const verified = await folder.run(['verify'], { SWEEP_GRACE_SECONDS: '0' }, target);
    expect(verified).to.include({ code: 0, stdout: '' });
    const restored = folder.client(await folder.start({}, { folder: target }));
    const listed = new Map((await restored.list()).map(({ id, sha256 }) => [id, sha256]));
    for (const { id, sha256 } of images) {
      if (!deleted.has(id)) expect(listed.get(id), `image ${id}`).to.equal(sha256);
    }
    for (const [id, sha256] of listed) {
      expect(await sha256Of(await restored.file(id)), `bytes of image ${id}`).to.equal(sha256);
    }
  });

  /** Until it is stopped. Resolves to the ids of deleted images. */
  async function uploadAndDelete(
    service: RunningService,
    images: readonly ImageRecord[],
    stopped: AbortSignal,
  ): Promise<ReadonlySet<number>> {
    const catalog = folder.images(service);
    const deleted = new Set<number>();
    for (const { id } of images) {
      if (stopped.aborted) break;
      const { bytes, name } = await noise(random);
      await catalog.upload(new File([bytes], name));
      await catalog.delete(id);
      deleted.add(id);
    }
    return deleted;
  }

  it('makes hard links of blobs', async () => {
    const [image] = await catalogOf(1);
    if (image === undefined) throw new TypeError('An image was uploaded');
    await folder.run(['backup', target]);

    const [source, copy] = await Promise.all(
      [blobFolder(folder.path), blobFolder(target)].map((root) => stat(shardedPath(root, uuidOf(image)))),
    );
    expect(copy?.ino).to.equal(source?.ino);
  });

  it('ends with 1 if the blob of a record is missing, and copies the others', async () => {
    const [lost, whole] = await catalogOf(2);
    if (lost === undefined || whole === undefined) throw new TypeError('Two images were uploaded');
    await rm(blobPath(uuidOf(lost)));

    const result = await folder.run(['backup', target]);

    expect(result).to.deep.equal({
      code: 1,
      stdout: '',
      stderr: `1 image copied to ${target}.\n1 record has no bytes that could be copied; run image-catalog verify\n`,
    });
    await access(shardedPath(blobFolder(target), uuidOf(whole)));
  });

  damagedBackups();

  it('rejects a folder that is not empty and keeps it', async () => {
    await catalogOf(1);
    await plant(join(target, 'precious'));

    const result = await folder.run(['backup', target]);

    expect(result.code).to.equal(64);
    expect(await readdir(target)).to.deep.equal(['precious']);
  });
}

function blobPath(uuid: BlobKey): string {
  return shardedPath(blobFolder(folder.path), uuid);
}

function renditionPath(uuid: BlobKey): string {
  return `${shardedPath(renditionFolder(folder.path), uuid)}.v1-small.webp`;
}

/** A catalog of some images without a running service. */
async function catalogOf(count: number): Promise<readonly ImageRecord[]> {
  return await catalogs.copyTo(folder.path, count);
}

/** Adds records without blobs directly to the database. */
async function addRecords(count: number): Promise<void> {
  const knex = openSqliteDatabase(databaseFile(folder.path));
  const images = sqlPorts(knex, { clock: new SystemClock() }).images.in(COMMON_SPACE);
  await knex.raw('PRAGMA synchronous = OFF');
  // Records of one batch are written together.
  for (let added = 0; added < count; added += 500) {
    await Promise.all(Array.from({ length: Math.min(500, count - added) }, () => images.add(newImage())));
  }
  await knex.destroy();
}

async function plant(path: string, modified = LONG_AGO): Promise<void> {
  await mkdir(dirname(path), { recursive: true });
  await writeFile(path, 'planted');
  await utimes(path, modified, modified);
}

/** The name of a process of this machine that has ended. */
function deadProcess(): string {
  const { pid } = spawnSync(process.execPath, ['--version']);
  return new HostProcesses().self.replace(/-.*/, `-${pid}-0badcafe`);
}

async function expectNothingAt(path: string): Promise<void> {
  const isThere = await access(path).then(
    () => true,
    () => false,
  );
  expect(isThere, path).to.equal(false);
}
