import { createHash } from 'node:crypto';
import { appendFile, mkdir, mkdtemp, readdir, readFile, rm, truncate, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from 'chai';
import type { ImageRecord } from '../../client/src/image-record.ts';
import { tinyPng, writeFiles } from '../support/fixtures/tiny-pictures.ts';
import type { CommandResult } from '../support/servers/command-in-process.ts';
import { ServiceFolder } from '../support/servers/service-folder.ts';
import { blobFolder, databaseFile, type RunningService } from '../support/servers/service-process.ts';

const FOCUS = { x: 0.25, y: 0.5 };
const NAMES = ['cat.png', 'CAT.png', 'Zoë.png', 'Zoë.png', 'con.png', 'a:b?.png', '.hidden.png', 'photo'];

interface ExportedLine extends ImageRecord {
  readonly file: string;
  readonly metadata?: object;
}

let folder: ServiceFolder;
let target: string;
let service: RunningService;
let records: readonly ImageRecord[];

function environment(of: RunningService = service): Readonly<Record<string, string>> {
  return { CATALOG_URL: of.url, CATALOG_TOKEN: folder.token };
}

async function run(...flags: readonly string[]): Promise<CommandResult> {
  return await folder.run(['export', target, ...flags], environment());
}

async function exportedRecords(): Promise<readonly ExportedLine[]> {
  const lines = (await readFile(join(target, 'records.ndjson'), 'utf8')).split('\n');
  return lines.flatMap((line) => {
    try {
      return [JSON.parse(line) as ExportedLine];
    } catch {
      return [];
    }
  });
}

describe('image-catalog export', function () {
  before(async () => {
    folder = await ServiceFolder.open();
    service = await folder.start();
    const images = folder.images(service);
    for (const [number, name] of NAMES.entries()) {
      await images.upload(new File([new Uint8Array(tinyPng(number))], name), { metadata: { focus: FOCUS } });
    }
    records = await folder.records(service);
  });

  beforeEach(async () => {
    target = join(await mkdtemp(join(folder.path, 'test-')), 'export');
  });

  after(() => folder?.close());

  it('writes every original under a safe and unique name, and its record', async () => {
    const result = await run();

    expect(result.stderr).to.match(/ originals written to .* 0 are damaged\.\n$/);
    expect(result.code).to.equal(0);
    const lines = await exportedRecords();
    expect(lines.map(({ file: _file, metadata: _metadata, ...record }) => record)).to.deep.equal(records);
    expect(lines[0]?.metadata).to.deep.include({ title: null, focus: FOCUS });
    expect(lines.map(({ file }) => file)).to.deep.equal([
      'cat.png',
      'CAT (2).png',
      'Zoë.png',
      'Zoë (4).png',
      '_con.png',
      'a_b_.png',
      '_hidden.png',
      'photo.png',
    ]);
    for (const { file, sha256 } of lines) expect(await digestOf(join(target, file)), file).to.equal(sha256);
    expect(await readdir(target)).to.have.lengthOf(NAMES.length + 1);
  });

  laterRuns();

  it('ends with 1 if an original is damaged, and writes the others', async () => {
    const [first] = records;
    const uuid = first?.filename.slice(0, 36) ?? '';
    const blob = join(blobFolder(folder.path), uuid.slice(0, 2), uuid);
    const bytes = await readFile(blob);
    await truncate(blob, 10);
    await appendFile(blob, Buffer.alloc((first?.size ?? 0) - 10));
    // Another process, which has not read the file yet.
    const other = await folder.start();

    const result = await folder.run(['export', target], environment(other));
    await other.process.stop();
    await writeFile(blob, bytes);

    expect(result.code).to.equal(1);
    expect(reportOf(result)).to.include({ written: NAMES.length - 1, damaged: 1 });
    expect(await readdir(target)).to.not.include('cat.png');
  });

  it('exports the storage of this machine with --direct', async () => {
    const env = {
      DATABASE_URL: `sqlite:${databaseFile(folder.path)}`,
      BLOB_STORE_URL: `file:${blobFolder(folder.path)}`,
    };

    const result = await folder.run(['export', target, '--direct'], env);

    expect(result.code, result.stderr).to.equal(0);
    const lines = await exportedRecords();
    expect(lines.map(({ file: _file, metadata: _metadata, ...record }) => record)).to.deep.equal(
      records.map((record) => ({ ...record, space: '' })),
    );
    expect(lines[0]?.metadata).to.deep.include({ title: null, focus: FOCUS });
  });

  it('ends with 64 for a token that is refused', async () => {
    const result = await folder.run(['export', target], { ...environment(), CATALOG_TOKEN: 'a.b.c' });

    expect(result.code).to.equal(64);
    expect(result.stderr).to.include('jwt malformed');
  });
});

function laterRuns(): void {
  it('can be imported into an empty catalog with equal names and hashes', async () => {
    await run();
    await mkdir(join(folder.path, 'other'));
    const other = await folder.start({}, { folder: join(folder.path, 'other') });

    const imported = await folder.run(
      ['import', target, '--journal', join(folder.path, 'journal')],
      environment(other),
    );

    expect(imported.code, imported.stderr).to.equal(0);
    expect(namesOf(await folder.records(other))).to.deep.equal(namesOf(records));
  });

  it('writes only what is missing in a second run', async () => {
    await run();
    const added = await folder.images(service).upload(new File([new Uint8Array(tinyPng(99))], 'new.png'));
    await rm(join(target, 'cat.png'));

    const second = await run();
    await folder.images(service).delete(added.id);

    expect(reportOf(second)).to.include({ written: 2, present: NAMES.length - 1 });
    expect(await readdir(target)).to.include.members(['cat.png', 'new.png']);
  });

  it('continues after a kill', async () => {
    await run();
    const lines = (await readFile(join(target, 'records.ndjson'), 'utf8')).split('\n');
    // The last file has no line, the line before is cut off, and a download was under way.
    await writeFile(join(target, 'records.ndjson'), lines.slice(0, -3).join('\n').concat('\n{"id":7,"fi'));
    await writeFile(join(target, '.unfinished-1'), 'half');

    const second = await run();

    expect(reportOf(second)).to.include({ written: 2, damaged: 0 });
    expect(await readdir(target)).to.have.lengthOf(NAMES.length + 1);
    expect((await exportedRecords()).map(({ id }) => id)).to.have.members(records.map(({ id }) => id));
  });

  it('does not overwrite files that it has not made', async () => {
    await writeFiles(target, { 'cat.png': 'precious' });

    await run();

    expect(await readFile(join(target, 'cat.png'), 'utf8')).to.equal('precious');
    expect((await exportedRecords())[0]?.file).to.equal('cat (1).png');
  });

  it('writes only images after --since', async () => {
    const last = records.at(-2)?.createdAt ?? '';

    expect(reportOf(await run('--since', last))).to.include({ written: 1 });
  });

  it('writes only images of --created-by', async () => {
    const [uploader = ''] = records.map(({ createdBy }) => createdBy ?? '');

    expect(reportOf(await run('--created-by', uploader.toUpperCase()))).to.include({ written: 0 });
    expect(reportOf(await run('--created-by', uploader))).to.include({ written: records.length });
  });
}

function reportOf({ stdout }: CommandResult): object {
  return (JSON.parse(stdout.trim().split('\n').at(-1) ?? '') as { readonly report: object }).report;
}

function namesOf(records: readonly ImageRecord[]): readonly string[] {
  return records.map(({ originalName, sha256 }) => `${sha256} ${originalName}`).toSorted();
}

async function digestOf(path: string): Promise<string> {
  return createHash('sha256')
    .update(await readFile(path))
    .digest('hex');
}
