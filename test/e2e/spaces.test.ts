import { readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from 'chai';
import { ImageCatalog } from '../../client/src/node.ts';
import { openSqliteDatabase } from '../../src/adapters/sql/sqlite/open-sqlite-database.ts';
import { collectAll } from '../support/fixtures/collect-all.ts';
import { rejection } from '../support/fixtures/rejection.ts';
import { tinyPng, writeFiles } from '../support/fixtures/tiny-pictures.ts';
import type { CommandResult } from '../support/servers/command-in-process.ts';
import { lastingPort } from '../support/servers/lasting-port.ts';
import { PreparedCatalogs } from '../support/servers/prepared-catalogs.ts';
import { ServiceFolder } from '../support/servers/service-folder.ts';
import { databaseFile, type RunningService } from '../support/servers/service-process.ts';
import { eventually } from '../support/time/eventually.ts';

const UNTOUCHED = { trashed: { images: 0, bytes: 0 }, limits: { images: null, bytes: null } };
const BYTES = tinyPng(0).length;
/** More than are deleted at a time, so that a kill comes between two of them. */
const MANY = 150;

let folder: ServiceFolder;

/** Tiny pictures, named and told apart by a number. */
async function pictures(name: string, count: number): Promise<string> {
  const path = join(folder.path, `pictures of ${name}`);
  const numbers = Array.from({ length: count }, (_, index) => index);
  await writeFiles(path, Object.fromEntries(numbers.map((number) => [`${number}.png`, tinyPng(number)])));
  return path;
}

async function run(...args: readonly string[]): Promise<CommandResult> {
  return await folder.run(args, { XDG_STATE_HOME: join(folder.path, 'state') });
}

async function fill(space: string, count: number): Promise<void> {
  const path = await pictures(space, count);
  const { code, stderr } = await run('import', path, '--direct', '--jobs', '4', `--space=${space}`);
  expect(code, stderr).to.equal(0);
}

/** As if the space had so many images. */
async function setCounter(name: string, images: number): Promise<void> {
  const database = openSqliteDatabase(databaseFile(folder.path));
  await database('spaces').where({ name }).update({ images });
  await database.destroy();
}

async function startWithClaim(): Promise<RunningService> {
  return await folder.start({ SPACE_CLAIM: 'org_id' });
}

function imagesOf(service: RunningService, space: string): ImageCatalog {
  const token = folder.tokenWith({ org_id: space });
  return new ImageCatalog({ url: service.url, getToken: () => token, retries: 0 });
}

async function listed(): Promise<ReadonlyArray<{ readonly space: string; readonly images: number }>> {
  const { stdout } = await run('spaces');
  return linesOf(stdout) as ReadonlyArray<{ readonly space: string; readonly images: number }>;
}

function linesOf(text: string): readonly unknown[] {
  return text
    .split('\n')
    .filter(Boolean)
    .map((line) => JSON.parse(line) as unknown);
}

describe('image-catalog spaces', () => {
  const catalogs = new PreparedCatalogs();

  beforeEach(async () => {
    folder = await ServiceFolder.open();
    await catalogs.copyTo(folder.path, 0);
  });

  afterEach(() => folder.close());

  after(() => catalogs.remove());

  it('lists the spaces that have an image or a limit, as JSON lines', async () => {
    await fill('', 1);
    await fill('bob', 2);
    await run('spaces', 'set', 'alice', '--max-images', '7');

    const { code, stdout, stderr } = await run('spaces');

    expect([code, stderr]).to.deep.equal([0, '']);
    expect(linesOf(stdout)).to.deep.equal([
      { space: '', images: 1, bytes: BYTES, ...UNTOUCHED },
      { space: 'alice', images: 0, bytes: 0, ...UNTOUCHED, limits: { images: 7, bytes: null } },
      { space: 'bob', images: 2, bytes: 2 * BYTES, ...UNTOUCHED },
    ]);
  });

  it('prints a table with --format table', async () => {
    await fill('bob', 2);

    const { stdout } = await run('spaces', '--format', 'table');

    expect(stdout).to.match(/^ *images +max\. images .*space\n +2 +- .* "bob"\n?$/);
  });

  describe('set', limits);

  describe('assign', renames);

  describe('remove', removals);

  describe('and other commands', otherCommands);
});

function limits(): void {
  it('bounds a space in a running service, and shows it as usage', async () => {
    await fill('alice', 1);
    const service = await startWithClaim();
    const alice = imagesOf(service, 'alice');

    expect((await run('spaces', 'set', 'alice', '--max-images', '1')).code).to.equal(0);

    const file = new File([new Uint8Array(tinyPng(9))], 'more.png');
    expect(await rejection(alice.upload(file))).to.include({ code: 'quota_exceeded' });
    expect((await alice.usage()).limits).to.deep.equal({ images: 1, bytes: null });
    await imagesOf(service, 'bob').upload(file);
    expect((await run('spaces', 'set', 'alice', '--max-images', 'default')).code).to.equal(0);
    expect((await alice.upload(file)).id).to.be.a('number');
  });

  it('does not bound import --direct', async () => {
    await run('spaces', 'set', 'alice', '--max-images', '0');

    await fill('alice', 2);

    expect(await listed()).to.have.nested.property('[0].images', 2);
  });
}

function renames(): void {
  it('gives all images without a space to an owner', async () => {
    await fill('', 3);
    const service = await startWithClaim();
    const alice = imagesOf(service, 'alice');
    expect(await collectAll(alice.list())).to.deep.equal([]);

    const { code, stderr } = await run('spaces', 'assign', '', 'alice');

    expect(code).to.equal(0);
    expect(stderr).to.equal('"" is called "alice" from now on.\n');
    expect((await collectAll(alice.list())).map(({ id }) => id)).to.deep.equal([1, 2, 3]);
    expect((await alice.usage()).images).to.equal(3);
    expect((await listed()).map(({ space }) => space)).to.deep.equal(['alice']);
    expect((await run('verify')).code).to.equal(0);
  });

  it('exits with 1 and changes nothing if the new name has something', async () => {
    await fill('alice', 2);
    await run('spaces', 'set', 'bob', '--max-images', '5');
    const before = await listed();

    const { code, stderr } = await run('spaces', 'assign', 'alice', 'bob');

    expect(code).to.equal(1);
    expect(stderr).to.include('"bob" is in use');
    expect(await listed()).to.deep.equal(before);
  });

  it('exits with 66 and a sentence if there is no such space', async () => {
    const { code, stderr } = await run('spaces', 'assign', 'nosuch', 'bob');

    expect([code, stderr]).to.deep.equal([
      66,
      'There is no space "nosuch"; image-catalog spaces lists them.\n',
    ]);
    expect(await listed()).to.deep.equal([]);
  });

  it("from or to '' needs READ_ONLY or --wait above 10,000 images", async () => {
    await fill('', 1);
    await setCounter('', 100_000);
    const { code, stderr } = await run('spaces', 'assign', '', 'team');
    expect(code).to.equal(78);
    expect(stderr).to.match(
      /^100,000 images would move .* wait about 6 seconds.*READ_ONLY=true.*--wait.*\n$/,
    );
    expect((await listed()).map(({ space }) => space)).to.deep.equal(['']);

    expect((await run('spaces', 'assign', '', 'team', '--wait')).code).to.equal(0);
    expect((await run('spaces', 'assign', 'team', '')).code).to.equal(78);
    expect((await run('spaces', 'assign', 'team', 'others')).code).to.equal(0);
    const env = { READ_ONLY: 'true' };
    expect((await folder.run(['spaces', 'assign', 'others', ''], env)).code).to.equal(0);
    await setCounter('', 10_000);
    expect((await run('spaces', 'assign', '', 'team')).code).to.equal(0);
  });

  it('has happened whole or not at all when it is killed, and can be repeated', async () => {
    await fill('', MANY);
    const before = (await feed()).length;

    for (let kill = 0; (await listed()).some(({ space }) => space === ''); kill += 1) {
      const assigning = folder.spawnCommand(['spaces', 'assign', '', 'alice']);
      // From the fifth call on, it may end.
      if (kill < 5) {
        let hasEnded = false;
        void assigning.exited.then(() => {
          hasEnded = true;
        });
        await eventually(async () => hasEnded || (await sizeOfLog()) > 0, Boolean);
        assigning.kill('SIGKILL');
      }
      await assigning.exited;
      expect((await listed()).map(({ images }) => images)).to.deep.equal([MANY]);
    }

    expect(await listed()).to.have.nested.property('[0].space', 'alice');
    expect((await run('verify')).code).to.equal(0);
    expect(await feed()).to.have.length(before);
  });
}

function removals(): void {
  it('leaves links to its names 404, and altered ones 403', async () => {
    const port = String(await lastingPort());
    const web = { WEB_HOST: '127.0.0.1', WEB_PORT: port, WEB_URL: `http://127.0.0.1:${port}/` };
    const service = await folder.start({ ...web, SPACE_CLAIM: 'org_id' });
    const alice = imagesOf(service, 'alice');
    const { id } = await alice.upload(new File([new Uint8Array(tinyPng(1))], 'cat.png'));
    await alice.setName('hero', id);
    const [link = ''] = (await alice.links([], { names: ['hero'] })).names?.['hero'] ?? [];
    expect((await fetch(link)).status).to.equal(200);

    await run('spaces', 'remove', 'alice', '--yes');

    const codeOf = async (url: string): Promise<string> =>
      ((await (await fetch(url)).json()) as { readonly code: string }).code;
    expect(await codeOf(link)).to.equal('name_not_found');
    expect(await codeOf(link.replace('/hero/', '/zero/'))).to.equal('link_invalid');
  });

  for (const signal of ['SIGKILL', 'SIGTERM'] as const) {
    it(`continues after ${signal} in the middle`, async () => {
      await fill('bob', 1);
      await fill('alice', MANY);
      const removing = folder.spawnCommand(['spaces', 'remove', 'alice', '--yes']);
      await eventually(blobs, (left) => left.length < MANY);
      removing.kill(signal);
      const { code } = await removing.exited;
      const left = (await listed()).find(({ space }) => space === 'alice')?.images ?? 0;

      expect(code).to.equal(signal === 'SIGTERM' ? 143 : null);
      expect(left).to.be.within(1, MANY - 1);
      const { stdout } = await run('spaces', 'remove', 'alice', '--yes');
      expect(JSON.parse(stdout)).to.deep.equal({ space: 'alice', removed: left });
      expect((await listed()).map(({ space }) => space)).to.deep.equal(['bob']);
      const deleted = (await feed()).filter(({ type }) => type === 'image.deleted');
      expect(new Set(deleted.map(({ id }) => id)).size).to.equal(MANY);
      expect(deleted).to.have.length(MANY);
    });
  }
}

function otherCommands(): void {
  it('export names the space of each image, and exports one alone', async () => {
    await fill('', 1);
    await fill('alice', 2);
    const [all, one] = [join(folder.path, 'all'), join(folder.path, 'one')];

    await run('export', all, '--direct');
    await run('export', one, '--direct', '--space', 'alice');

    expect(await exported(all)).to.deep.equal([
      ['', null],
      ['alice', null],
      ['alice', null],
    ]);
    expect(await exported(one)).to.deep.equal([
      ['alice', null],
      ['alice', null],
    ]);
  });

  it('verify reports a space whose counters are wrong, and repairs them if asked to', async () => {
    await fill('alice', 2);
    const knex = openSqliteDatabase(databaseFile(folder.path));
    await knex('spaces').where({ name: 'alice' }).increment('images', 1);
    await knex.destroy();

    const { code, stdout } = await run('verify');

    expect(code).to.equal(1);
    expect(linesOf(stdout)).to.deep.equal([
      {
        problem: 'miscounted',
        space: 'alice',
        detail: `the space has 2 images with ${2 * BYTES} bytes, its counters say 3 images with ${2 * BYTES} bytes`,
      },
    ]);
    const table = await run('verify', '--format', 'table');
    expect(table.stdout).to.match(/^miscounted +- "alice" the space has 2 images/);
    const repair = await run('verify', '--repair-counters');
    expect([repair.code, linesOf(repair.stdout)]).to.deep.equal([
      0,
      linesOf(stdout).map((finding) => {
        const { detail, ...facts } = finding as { readonly detail: string };
        return { ...facts, detail: `${detail}: set right` };
      }),
    ]);
    expect(repair.stderr).to.equal('1 wrong counter set right.\n');
    expect((await run('verify')).code).to.equal(0);
    expect((await run('spaces', 'remove', 'alice', '--yes')).code).to.equal(0);
  });
}

interface ChangeLine {
  readonly type: string;
  readonly id: number;
  readonly space: string;
  readonly by: string | null;
}

async function feed(): Promise<readonly ChangeLine[]> {
  return linesOf((await run('changes')).stdout) as readonly ChangeLine[];
}

/** Of what the database has written since its last checkpoint. */
async function sizeOfLog(): Promise<number> {
  const found = await stat(`${databaseFile(folder.path)}-wal`).catch(() => undefined);
  return found?.size ?? 0;
}

async function blobs(): Promise<readonly string[]> {
  return (await folder.blobFiles()).filter((name) => /^[0-9a-f-]{36}$/.test(name));
}

async function exported(path: string): Promise<ReadonlyArray<readonly [string, string | null]>> {
  const lines = linesOf(await readFile(join(path, 'records.ndjson'), 'utf8'));
  return (lines as ReadonlyArray<{ space: string; createdBy: string | null }>).map(
    ({ space, createdBy }) => [space, createdBy] as const,
  );
}
