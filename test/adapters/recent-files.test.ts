import fs from 'node:fs';
import { rename, rm, stat, truncate, writeFile } from 'node:fs/promises';
import { syncBuiltinESMExports } from 'node:module';
import { join } from 'node:path';
import { expect } from 'chai';
import { RecentFiles } from '../../src/adapters/filesystem/recent-files.ts';
import type { ByteRange } from '../../src/domain/ports/bytes/blob-store.ts';
import { collect, patternedBytes } from '../support/fixtures/bytes.ts';
import { rejection } from '../support/fixtures/rejection.ts';
import { type TemporaryFolder, temporaryFolder } from '../support/fixtures/temporary-folder.ts';

const SIZE = 1_000;
const LARGE = 1024 * 1024;

const { open, stat: statInPool } = fs;
let opened: number;
let checkedInPool: number;
let now: number;
let folder: TemporaryFolder;
let path: string;
let files: RecentFiles;

function useFiles(): void {
  beforeEach(async () => {
    folder = await temporaryFolder();
    path = join(folder.path, 'file');
    now = 1;
    files = new RecentFiles(() => now);
    await writeFile(path, patternedBytes(SIZE));
    opened = 0;
    checkedInPool = 0;
    fs.open = ((...args: Parameters<typeof open>) => {
      opened += 1;
      open(...args);
    }) as typeof open;
    fs.stat = ((...args: Parameters<typeof statInPool>) => {
      checkedInPool += 1;
      statInPool(...args);
    }) as typeof statInPool;
    syncBuiltinESMExports();
  });

  afterEach(async () => {
    fs.open = open;
    fs.stat = statInPool;
    syncBuiltinESMExports();
    await folder.remove();
  });
}

async function read(range?: ByteRange): Promise<Uint8Array | undefined> {
  const file = await files.open(path, range);
  return file && (await collect(file.read()));
}

async function moreThanFit(): Promise<readonly string[]> {
  const paths = Array.from({ length: 70 }, (_, number) => join(folder.path, `${number}`));
  for (const one of paths) await writeFile(one, patternedBytes(LARGE / 4));
  return paths;
}

describe('RecentFiles', () => {
  useFiles();

  it('opens a file once if it is read repeatedly, whole and in part', async () => {
    for (const range of [undefined, undefined, { start: 10, end: 19 }, { start: 990, end: 999 }]) {
      const { start, end } = range ?? { start: 0, end: SIZE - 1 };
      expect(await read(range)).to.deep.equal(patternedBytes(SIZE).subarray(start, end + 1));
    }
    expect(opened).to.equal(1);
    expect((await files.open(path, { start: 1, end: 1 }))?.size).to.equal(SIZE);
  });

  it('does not return a part as the whole file', async () => {
    await read({ start: 10, end: 19 });

    expect(await read()).to.deep.equal(patternedBytes(SIZE));
  });
});

describe('RecentFiles of files that change', () => {
  useFiles();

  it('fails if a large file becomes shorter after it was opened', async () => {
    await writeFile(path, patternedBytes(LARGE));
    const found = await files.open(path, undefined);
    if (found === undefined) throw new Error('The file is not there');
    await truncate(path, LARGE / 2);

    expect(await rejection(collect(found.read()))).to.have.property('message', 'The file has become shorter');
  });

  it('returns undefined for a removed file', async () => {
    await read();
    await rm(path);

    expect(await read()).to.equal(undefined);
  });

  it('reads a file that replaced the cached one', async () => {
    await read();
    await writeFile(`${path}.new`, new Uint8Array(SIZE));
    await rename(`${path}.new`, path);

    expect(await read()).to.deep.equal(new Uint8Array(SIZE));
  });

  it('reads a file that was changed in place', async () => {
    await read();
    const { ctimeMs } = await stat(path);
    // The file system's clock ticks every few milliseconds.
    do await writeFile(path, new Uint8Array(SIZE));
    while ((await stat(path)).ctimeMs === ctimeMs);

    expect(await read()).to.deep.equal(new Uint8Array(SIZE));
  });

  it('reads a file that was truncated and restored', async () => {
    await read();
    await writeFile(path, patternedBytes(10));
    expect(await read()).to.have.length(10);
    await writeFile(path, patternedBytes(SIZE));

    expect(await read()).to.deep.equal(patternedBytes(SIZE));
  });

  it('checks a file in the thread pool once a second', async () => {
    await read();
    for (const later of [999, 1, 999, 1]) {
      now += later;
      expect(await read()).to.have.length(SIZE);
    }

    expect({ opened, checkedInPool }).to.deep.equal({ opened: 1, checkedInPool: 2 });
  });

  it('notices a second later that a file was removed', async () => {
    await read();
    await rm(path);
    now += 1_000;

    expect(await read()).to.equal(undefined);
    expect(checkedInPool).to.equal(1);
  });
});

describe('RecentFiles with bounded memory', () => {
  useFiles();

  it('caches at most 16 MiB', async () => {
    const paths = await moreThanFit();

    for (const one of paths) await files.open(one, undefined);
    expect(opened).to.equal(70);
    await files.open(paths[0] ?? '', undefined);
    expect(opened).to.equal(70);
    await files.open(paths.at(-1) ?? '', undefined);
    expect(opened).to.equal(71);
  });

  it('keeps most of its files while more than fit are requested in turn', async () => {
    const paths = await moreThanFit();
    for (const one of paths) await files.open(one, undefined);
    opened = 0;

    for (const one of [...paths, ...paths]) await files.open(one, undefined);

    expect(opened).to.be.within(7, 20);
  });

  it('makes room for a file that is requested often', async () => {
    const paths = await moreThanFit();
    await writeFile(path, patternedBytes(LARGE / 4));
    for (const one of [...paths, ...Array.from({ length: 8 }, () => path)]) await files.open(one, undefined);
    opened = 0;

    await read();

    expect(opened).to.equal(0);
  });

  it('caches no large file', async () => {
    await writeFile(path, patternedBytes(LARGE));

    for (const _ of [1, 2]) expect(await read()).to.have.length(LARGE);

    expect(opened).to.equal(2);
  });
});
