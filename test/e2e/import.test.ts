import { existsSync } from 'node:fs';
import { mkdtemp, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from 'chai';
import { exifBlock, withExif } from '../support/fixtures/exif.ts';
import { jpegPicture } from '../support/fixtures/pictures.ts';
import { tinyPng, writeFiles } from '../support/fixtures/tiny-pictures.ts';
import type { CommandResult } from '../support/servers/command-in-process.ts';
import { lastingPort } from '../support/servers/lasting-port.ts';
import { ServiceFolder } from '../support/servers/service-folder.ts';
import { blobFolder, databaseFile, type RunningService } from '../support/servers/service-process.ts';
import { eventually } from '../support/time/eventually.ts';

interface Line {
  readonly path: string;
  readonly outcome: string;
  readonly id?: number;
  readonly code?: string;
}

let folder: ServiceFolder;
let pictures: string;
let journal: string;
let service: RunningService;
/** Of the service, also while it is down. */
let port: string;

/** Length of the log when a test began. */
let logStart: number;

async function deleteAll(): Promise<void> {
  const images = folder.images(service);
  for (const { id } of await folder.records(service)) await images.delete(id);
}

async function run(...flags: readonly string[]): Promise<CommandResult> {
  const env = { CATALOG_URL: service.url, CATALOG_TOKEN: folder.token };
  return await folder.run(['import', pictures, '--journal', journal, ...flags], env);
}

/** The variables of the storage of the service. */
function storage(): Readonly<Record<string, string>> {
  return {
    DATABASE_URL: `sqlite:${databaseFile(folder.path)}`,
    BLOB_STORE_URL: `file:${blobFolder(folder.path)}`,
  };
}

describe('image-catalog import', function () {
  before(async () => {
    folder = await ServiceFolder.open();
    port = String(await lastingPort());
    service = await folder.start({ PORT: port });
  });

  after(() => folder?.close());

  beforeEach(async () => {
    const own = await mkdtemp(join(folder.path, 'test-'));
    pictures = join(own, 'pictures');
    journal = join(own, 'journal.jsonl');
    await writeFiles(pictures, {
      'cat.png': tinyPng(1),
      'sub/dog.png': tinyPng(2),
      'sub/deep/Zoë.png': tinyPng(3),
    });
    await deleteAll();
    logStart = service.process.stdout.length;
  });

  it('uploads every picture below the folder once, under its name', async () => {
    const result = await run('--tag', 'tabby', '--tag', 'Sofa');

    expect(result.stderr).to.equal('');
    expect(result.code).to.equal(0);
    expect(reportOf(result)).to.include({ found: 3, created: 3, present: 0, refused: 0, failed: 0 });
    const records = await folder.records(service);
    expect(records.map(({ originalName }) => originalName)).to.have.members([
      'cat.png',
      'dog.png',
      'Zoë.png',
    ]);
    expect(records[0]?.tags).to.deep.equal(['Sofa', 'tabby']);
    const ids = new Set(linesOf(result).map(({ id }) => id));
    expect(ids).to.deep.equal(new Set(records.map(({ id }) => id)));
  });

  laterRuns();

  it('skips what --exclude names, and what storage devices keep', async () => {
    await writeFiles(pictures, { '@eaDir/cat.png/SYNOPHOTO_THUMB_XL.jpg': tinyPng(4) });
    const result = await run('--exclude', 'deep', '--exclude', 'dog.*');

    expect(result.stderr).to.equal('');
    expect(reportOf(result)).to.include({ found: 1, created: 1, skipped: 3 });
  });

  it('prints the problems and a summary with --format table', async () => {
    await writeFiles(pictures, { 'notes.txt': 'no picture' });

    const [problem, summary] = (await run('--format', 'table')).stdout.split('\n');

    expect(problem).to.include('notes.txt: refused');
    expect(summary).to.match(/^4 files in .* s: 3 created/);
  });

  failedRuns();

  interruptedRuns();

  it('imports into the storage of this machine with --direct', async () => {
    await service.process.stop();
    const env = storage();
    await writeFiles(pictures, { 'broken.png': tinyPng(5).subarray(0, 60) });
    const direct = ['import', pictures, '--direct', '--journal', journal, '--tag', 'Imported'];

    const first = await folder.run(direct, env);
    const second = await folder.run(direct, env);

    expect(first.code, first.stderr).to.equal(0);
    expect(reportOf(first)).to.include({ found: 4, created: 3, refused: 1 });
    expect(reportOf(second)).to.include({ found: 4, created: 0, present: 3, refused: 1 });
    service = await folder.start({ PORT: port });
    const records = await folder.records(service);
    expect(records.map(({ tags }) => tags.join())).to.deep.equal(['Imported', 'Imported', 'Imported']);
  });

  it('reads what the camera wrote into a file, also with --direct', async () => {
    await service.process.stop();
    const exif = exifBlock({ image: { 0x010f: 'Nikon' }, photo: { 0x9003: '2025:06:01 10:00:00' } });
    await writeFiles(pictures, { 'nikon.jpg': withExif(await jpegPicture(64, 48), exif) });

    const { code, stderr } = await folder.run(
      ['import', pictures, '--direct', '--journal', journal],
      storage(),
    );

    expect(code, stderr).to.equal(0);
    service = await folder.start({ PORT: port });
    const record = (await folder.records(service)).find(({ originalName }) => originalName === 'nikon.jpg');
    const { capture } = await folder.images(service).metadata(record?.id ?? 0);
    expect(capture).to.include({ make: 'Nikon', takenAt: '2025-06-01T10:00:00.000' });
  });

  it('takes damaged pictures of an export with --direct, counts them, and refuses others', async () => {
    const whole = await jpegPicture(64, 64);
    const cut = Buffer.concat([whole.subarray(0, -20), Buffer.of(0xff, 0xd9)]);
    const other = Buffer.concat([whole.subarray(0, -22), Buffer.of(0xff, 0xd9)]);
    const record = { file: 'cut.jpg', originalName: 'cut.jpg' };
    await writeFiles(pictures, {
      'cut.jpg': cut,
      'other.jpg': other,
      'records.ndjson': `${JSON.stringify(record)}\n`,
    });
    await service.process.stop();

    const result = await folder.run(['import', pictures, '--direct', '--journal', journal], storage());

    service = await folder.start({ PORT: port });
    expect(reportOf(result)).to.include({ found: 5, created: 4, flawed: 1, refused: 1 });
    const lines = linesOf(result).filter(({ path }) => path.endsWith('.jpg'));
    expect(lines.find(({ path }) => path === 'cut.jpg')).to.include({ outcome: 'created' });
    expect(JSON.stringify(lines)).to.include('image data is missing');
    expect(lines.find(({ path }) => path === 'other.jpg')).to.include({ code: 'invalid_image' });
  });
});

function laterRuns(): void {
  it('prints on a terminal what refused files are', async () => {
    const heic = Buffer.from('\0\0\0\x18ftypheic\0\0\0\0mif1heic');
    await writeFiles(pictures, { 'a.jpg': heic, 'b.heic': heic, 'notes.txt': 'no picture', 'empty.png': '' });

    const { stdout } = await run('--dry-run', '--format', 'table');

    expect(stdout).to.include('a.jpg: refused, The file is HEIC, not a JPEG, PNG, WebP or GIF image');
    expect(stdout).to.match(/ 4 refused \((?:2 HEIC, 1 other|1 other, 2 HEIC)\), /);
  });

  it('names each refused file with its code, and does not send it again', async () => {
    await writeFiles(pictures, {
      'notes.txt': 'no picture',
      'empty.png': '',
      'broken.png': tinyPng(5).subarray(0, 60),
    });

    const first = await run();
    const second = await run();

    expect(codesOf(first)).to.deep.equal({
      'notes.txt': 'unsupported_media_type',
      'empty.png': 'file_required',
      'broken.png': 'invalid_image',
    });
    expect(codesOf(second)).to.deep.equal(codesOf(first));
    expect(first.code).to.equal(0);
    const counts = { found: 6, present: 3, refused: 3, created: 0, refusedKinds: { other: 1 } };
    expect(reportOf(second)).to.deep.include(counts);
    const log = await eventually(
      () => service.process.stdout.slice(logStart),
      (text) => text.includes('"status":422'),
    );
    expect(log.match(/"status":422/g)).to.have.lengthOf(1);
  });
}

function failedRuns(): void {
  it('ends with 1 if a file cannot be read', async () => {
    const path = Buffer.concat([Buffer.from(`${pictures}/`), Buffer.from([0xff, 0xfe]), Buffer.from('.png')]);
    await writeFile(path, tinyPng(8));

    const result = await run();

    expect(result.code).to.equal(1);
    expect(reportOf(result)).to.include({ found: 4, created: 3, failed: 1 });
  });

  it('ends with 64 for a token that is refused, before it reads a file', async () => {
    const env = { CATALOG_URL: service.url, CATALOG_TOKEN: 'a.b.c' };

    const result = await folder.run(['import', pictures, '--journal', journal], env);

    expect([result.code, result.stdout]).to.deep.equal([64, '']);
    expect(result.stderr).to.include('jwt malformed');
  });

  it('ends with 64 for a tag that no image can have, and sends nothing', async () => {
    const { code, stdout, stderr } = await run('--tag', 'with,comma');

    expect([code, stdout]).to.deep.equal([64, '']);
    expect(stderr.split('\n')[0]).to.equal('--tag may not contain commas');
    expect(reportOf(await run('--tag', 'without comma'))).to.include({ created: 3 });
  });

  it('ends with 75 if the space is full, and uploads the rest when it has room', async () => {
    const limit = async (images: string): Promise<unknown> =>
      await folder.run(['spaces', 'set', '', '--max-images', images]);
    await limit('1');

    const full = await run();

    await limit('default');
    expect(full.code).to.equal(75);
    expect(reportOf(full)).to.deep.include({ created: 1, refused: 2, refusedForNow: { quota_exceeded: 2 } });
    expect(full.stderr).to.match(
      /^2 files refused for now: the space is full: .*\nThen run the same command/,
    );
    const later = await run();
    expect(later.code).to.equal(0);
    expect(reportOf(later)).to.include({ created: 2, present: 1, refused: 0 });
  });

  it('ends with 75 if the token lacks the scope to upload, and says so', async () => {
    const strict = await folder.start({ SCOPE_WRITE: 'images:write' });

    const { code, stderr } = await run('--url', strict.url);

    expect(code).to.equal(75);
    expect(stderr).to.match(/^The scope images:write is required: .*\nThen run the same command again/);
    expect(reportOf(await run())).to.include({ created: 3 });
  });

  it('ends with 64 for a journal that cannot be kept, before it uploads anything', async () => {
    for (const path of ['/proc/x/y', pictures]) {
      const { code, stderr } = await run('--journal', path);
      expect([code, stderr.split('\n')[0]?.startsWith(`--journal ${path} cannot be used: `)]).to.deep.equal([
        64,
        true,
      ]);
    }
    expect(await folder.records(service)).to.deep.equal([]);
  });

  it('ends with 78 for a catalog that is not there with --direct --dry-run, and makes none', async () => {
    const nowhere = join(folder.path, 'nowhere');
    const env = { DATABASE_URL: `sqlite:${nowhere}/c.sqlite`, BLOB_STORE_URL: `file:${nowhere}/blobs` };

    const { code, stderr } = await folder.run(['import', pictures, '--direct', '--dry-run'], env);

    expect(code).to.equal(78);
    expect(stderr).to.match(/^DATABASE_URL cannot be used: .*c\.sqlite is not there/);
    expect(existsSync(nowhere)).to.equal(false);
  });

  it('ends with 64 without credentials, a folder or a catalog', async () => {
    const without = await folder.run(['import', pictures, '--url', service.url]);
    const nowhere = await folder.run(['import', pictures], { CATALOG_TOKEN: folder.token });
    const noFolder = await folder.run(['import', join(pictures, 'no'), '--url', service.url]);

    expect([without.code, nowhere.code, noFolder.code]).to.deep.equal([64, 64, 64]);
    expect(without.stderr).to.include('CATALOG_ISSUER');
    expect(nowhere.stderr).to.include('--url');
    expect(noFolder.stderr).to.include('cannot be read');
  });
}

function interruptedRuns(): void {
  it('continues when the service is available again', async () => {
    const files = Object.fromEntries(
      Array.from({ length: 200 }, (_, n) => [`more/${n}.png`, tinyPng(100 + n)]),
    );
    await writeFiles(pictures, files);
    const env = { CATALOG_URL: service.url, CATALOG_TOKEN: folder.token };
    const running = folder.spawnCommand(['import', pictures, '--journal', journal, '--jobs', '2'], env);
    await running.line((line) => line.includes('"created"') || undefined);
    await service.process.stop('SIGKILL');
    service = await folder.start({ PORT: port });

    const { code } = await running.exited;

    expect(code, running.stderr).to.equal(0);
    expect(reportOf(running)).to.include({ found: 203, failed: 0 });
    expect(await folder.records(service)).to.have.lengthOf(203);
  });

  it('ends with the signal and the report so far', async () => {
    const files = Object.fromEntries(
      Array.from({ length: 200 }, (_, n) => [`more/${n}.png`, tinyPng(100 + n)]),
    );
    await writeFiles(pictures, files);
    const env = { CATALOG_URL: service.url, CATALOG_TOKEN: folder.token };
    const running = folder.spawnCommand(['import', pictures, '--journal', journal, '--jobs', '1'], env);
    await running.line((line) => line.includes('"created"') || undefined);
    running.kill('SIGINT');

    const { code } = await running.exited;

    expect(code, running.stderr).to.equal(130);
    const { found, created } = reportOf(running) as { readonly found: number; readonly created: number };
    expect(found).to.equal(created).and.to.be.within(1, 202);
    expect(reportOf(await run())).to.include({ found: 203, failed: 0 });
    expect(await folder.records(service)).to.have.lengthOf(203);
  });
}

function linesOf({ stdout }: CommandResult): readonly Line[] {
  return stdout
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as Line)
    .slice(0, -1);
}

function reportOf({ stdout }: Pick<CommandResult, 'stdout'>): object {
  return (JSON.parse(stdout.trim().split('\n').at(-1) ?? '') as { readonly report: object }).report;
}

function codesOf(result: CommandResult): Readonly<Record<string, string | undefined>> {
  const refused = linesOf(result).filter(({ outcome }) => outcome === 'refused');
  return Object.fromEntries(refused.map(({ path, code }) => [path, code]));
}
