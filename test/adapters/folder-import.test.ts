import { appendFile, readFile, rm, symlink, unlink } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from 'chai';
import { FileImportJournal } from '../../src/adapters/filesystem/file-import-journal.ts';
import { FolderImportSource } from '../../src/adapters/filesystem/folder-import-source.ts';
import type { JournalEntry } from '../../src/domain/ports/commands/import-journal.ts';
import { collectAll } from '../support/fixtures/collect-all.ts';
import { rejection } from '../support/fixtures/rejection.ts';
import { type TemporaryFolder, temporaryFolder } from '../support/fixtures/temporary-folder.ts';
import { writeFiles } from '../support/fixtures/tiny-pictures.ts';

let folder: TemporaryFolder;

beforeEach(async () => {
  folder = await temporaryFolder();
});

afterEach(() => folder.remove());

describe('FolderImportSource', () => {
  async function walked(source = new FolderImportSource(folder.path)): Promise<readonly string[]> {
    const entries = await collectAll(source.walk());
    return entries
      .map((entry) => `${entry.kind} ${entry.kind === 'file' ? entry.file.path : entry.path}`)
      .toSorted();
  }

  it('finds files in all folders, and counts them in advance', async () => {
    await writeFiles(folder.path, { 'a.png': 'a', 'b/c.png': 'c', 'b/d/e.png': 'e', '.git/f': 'f' });

    expect(await walked()).to.deep.equal(['file a.png', 'file b/c.png', 'file b/d/e.png', 'skipped .git']);
    expect(await new FolderImportSource(folder.path).count()).to.equal(3);
  });

  it('skips links, hidden files and files of file managers', async () => {
    await writeFiles(folder.path, { '.DS_Store': '', 'Thumbs.db': '', 'DESKTOP.INI': '' });
    await symlink('/', join(folder.path, 'root'));

    expect(await walked()).to.deep.equal([
      'skipped .DS_Store',
      'skipped DESKTOP.INI',
      'skipped Thumbs.db',
      'skipped root',
    ]);
  });

  it('skips folders in which systems and storage devices keep thumbnails and deleted files', async () => {
    const names = ['@eaDir', '#recycle', '@Recycle', 'lost+found', '.Trashes', '$RECYCLE.BIN', '__MACOSX'];
    await writeFiles(folder.path, Object.fromEntries(names.map((name) => [`2024/${name}/cat.jpg`, 'x'])));
    await writeFiles(folder.path, { '2024/cat.jpg': 'x', '2024/recycle/cat.jpg': 'x' });

    expect(await walked()).to.deep.equal([
      'file 2024/cat.jpg',
      'file 2024/recycle/cat.jpg',
      ...names.map((name) => `skipped 2024/${name}`).toSorted(),
    ]);
  });

  it('skips what the caller excludes', async () => {
    await writeFiles(folder.path, { 'raw/a.tif': '', 'b.tif': '', 'sub/raw': '', 'c.png': '' });
    const isExcluded = (path: string): boolean => path === 'raw' || path === 'b.tif';

    expect(await walked(new FolderImportSource(folder.path, new Set(), isExcluded))).to.deep.equal([
      'file c.png',
      'file sub/raw',
      'skipped b.tif',
      'skipped raw',
    ]);
  });

  it('leaves out what is no picture of the folder', async () => {
    await writeFiles(folder.path, { 'records.ndjson': '', 'sub/records.ndjson': '' });

    const source = new FolderImportSource(folder.path, new Set(['records.ndjson']));

    expect(await walked(source)).to.deep.equal(['file sub/records.ndjson']);
  });

  it('continues after a folder that has vanished', async () => {
    await writeFiles(folder.path, { 'a.png': 'a', 'gone/b.png': 'b' });
    const kinds: string[] = [];
    for await (const { kind } of new FolderImportSource(folder.path).walk()) {
      kinds.push(kind);
      await rm(join(folder.path, 'gone'), { recursive: true, force: true });
    }

    expect(kinds).to.deep.equal(['file', 'unreadable']);
  });

  it('reports a file that has vanished with its code', async () => {
    await writeFiles(folder.path, { 'a.png': 'a' });
    const source = new FolderImportSource(folder.path);
    await unlink(join(folder.path, 'a.png'));

    const digest = source.digest({ path: 'a.png', size: 1, modifiedMs: 0 });

    expect(await rejection(digest)).to.include({ code: 'ENOENT' });
  });

  it('gives the digest and the first bytes', async () => {
    await writeFiles(folder.path, { 'a.png': 'abc' });

    const { sha256, head } = await new FolderImportSource(folder.path).digest({
      path: 'a.png',
      size: 3,
      modifiedMs: 0,
    });

    expect(sha256).to.equal('ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad');
    expect(Buffer.from(head).toString()).to.equal('abc');
  });
});

describe('FileImportJournal', () => {
  const ENTRY: JournalEntry = { path: 'a.png', size: 3, modifiedMs: 1.5, outcome: 'created', id: 7 };
  let path: string;

  beforeEach(() => {
    path = join(folder.path, 'state/journal.jsonl');
  });

  async function reopened(): Promise<FileImportJournal> {
    return await FileImportJournal.open(path);
  }

  it('remembers an entry at once, also after a kill', async () => {
    const journal = await reopened();
    journal.add(ENTRY);

    expect(journal.find(ENTRY)).to.deep.equal(ENTRY);
    expect((await reopened()).find(ENTRY)).to.deep.equal(ENTRY);
    journal.close();
  });

  it('knows nothing of a file with another size or time', async () => {
    const journal = await reopened();
    journal.add(ENTRY);
    journal.close();

    expect(journal.find({ ...ENTRY, size: 4 })).to.equal(undefined);
    expect(journal.find({ ...ENTRY, modifiedMs: 1.25 })).to.equal(undefined);
    expect(journal.find({ ...ENTRY, path: 'b.png' })).to.equal(undefined);
  });

  it('ignores a line that was cut off, and adds the next one below it', async () => {
    const first = await reopened();
    first.add(ENTRY);
    first.close();
    await appendFile(path, '{"path":"b.png","si');
    const second = await reopened();
    second.add({ ...ENTRY, path: 'c.png' });
    second.close();

    const journal = await reopened();

    expect(journal.find(ENTRY)).to.deep.equal(ENTRY);
    expect(journal.find({ ...ENTRY, path: 'b.png' })).to.equal(undefined);
    expect(journal.find({ ...ENTRY, path: 'c.png' })).to.include({ id: 7 });
  });

  it('rejects if it cannot be written', async () => {
    await writeFiles(folder.path, { state: 'no folder' });
    const journal = await rejection(reopened());

    expect(journal).to.include({ code: 'ENOTDIR' });
  });

  it('throws if an entry cannot be written', async () => {
    const journal = await reopened();
    await writeFiles(folder.path, { state: 'no folder' });

    expect(() => journal.add(ENTRY))
      .to.throw()
      .with.property('code');
    expect(journal.find(ENTRY)).to.equal(undefined);
  });

  it('makes no file without an entry', async () => {
    (await reopened()).close();

    expect(await rejection(readFile(path))).to.include({ code: 'ENOENT' });
  });
});
