import { chmod, chown, mkdir, readdir, readFile, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from 'chai';
import { pngPicture } from '../support/fixtures/pictures.ts';
import { ServiceFolder } from '../support/servers/service-folder.ts';
import { databaseFile } from '../support/servers/service-process.ts';
import { skipAloud } from '../support/skipped/skip-aloud.ts';

/** As most systems have it. */
const USUAL_UMASK = ['sh', '-c', 'umask 022; exec "$0" "$@"'];

let folder: ServiceFolder;

async function modeOf(path: string): Promise<string> {
  return ((await stat(path)).mode & 0o777).toString(8);
}

async function modesOf(...ends: readonly string[]): Promise<readonly string[]> {
  return await Promise.all(ends.map((end) => modeOf(`${databaseFile(folder.path)}${end}`)));
}

/** A catalog with a picture, whose service goes on. */
async function startWithPicture(): Promise<Awaited<ReturnType<ServiceFolder['start']>>> {
  const service = await folder.start({}, { through: USUAL_UMASK });
  const picture = new Uint8Array(await pngPicture());
  expect((await folder.client(service).upload(picture, 'cat.png')).status).to.equal(201);
  return service;
}

describe('Files of the service, whatever its umask,', () => {
  before(function () {
    if (process.platform === 'win32') skipAloud(this, 'needs modes of files');
  });

  beforeEach(async () => {
    folder = await ServiceFolder.open();
  });

  afterEach(() => folder.close());

  it('are for its user alone: a new database, its log and its index', async () => {
    await startWithPicture();

    expect(await modesOf('', '-wal', '-shm')).to.deep.equal(['600', '600', '600']);
  });

  it('lose what others may do, and keep what the group may do, if they exist', async () => {
    const first = await startWithPicture();
    await first.process.stop();
    const env = join(folder.path, '.env');
    await writeFile(env, '# nothing\n');
    for (const file of [databaseFile(folder.path), env]) await chmod(file, 0o664);
    await startWithPicture();

    expect([...(await modesOf('', '-wal', '-shm')), await modeOf(env)]).to.deep.equal([
      '660',
      '660',
      '660',
      '660',
    ]);
  });

  it('stay as they are if they belong to another user, and doctor says so', async function () {
    if (process.getuid?.() !== 0) skipAloud(this, 'needs root');
    const first = await startWithPicture();
    await first.process.stop();
    const database = databaseFile(folder.path);
    await chown(database, 1000, 1000);
    await chmod(database, 0o644);
    const second = await startWithPicture();
    await second.process.stop();

    const { stdout } = await folder.run(['doctor'], folder.env);

    expect(await modesOf('')).to.deep.equal(['644']);
    expect(stdout).to.include(`${database} can be read by every user of this machine`);
  });

  it('are for its user alone in a backup, and in a catalog that is restored from an open one', async () => {
    const service = await startWithPicture();
    const copy = join(folder.path, 'copy');
    const { code } = await folder.spawnCommand(['backup', copy], {}, folder.path, USUAL_UMASK).exited;
    await service.process.stop();
    expect([code, await modeOf(join(copy, 'catalog.sqlite'))]).to.deep.equal([0, '600']);
    await chmod(join(copy, 'catalog.sqlite'), 0o644);

    const restored = join(folder.path, 'restored');
    await mkdir(restored);
    const run = folder.spawnCommand(['restore', copy], {}, restored, USUAL_UMASK);

    expect((await run.exited).code, run.output).to.equal(0);
    expect(await modeOf(databaseFile(restored))).to.equal('600');
    expect((await readdir(restored)).filter((name) => name.includes('restoring'))).to.deep.equal([]);
  });

  it('have the mode that the umask gives if they are exported', async () => {
    const service = await startWithPicture();
    await service.process.stop();
    const target = join(folder.path, 'export');
    const { code } = await folder.spawnCommand(['export', '--direct', target], {}, folder.path, USUAL_UMASK)
      .exited;

    expect(code).to.equal(0);
    expect(await modeOf(join(target, 'records.ndjson'))).to.equal('644');
    expect(await readFile(join(target, 'records.ndjson'), 'utf8')).to.include('cat.png');
  });
});
