import { spawnSync } from 'node:child_process';
import { open } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { expect } from 'chai';
import { zipArchive } from '../../src/adapters/http/archive/zip-archive.ts';
import type { Archive } from '../../src/application/files/archive-images.ts';
import { type MadeFile, madeArchive, ZEROS } from '../support/fixtures/made-archive.ts';
import { type TemporaryFolder, temporaryFolder } from '../support/fixtures/temporary-folder.ts';

/** The first size or offset that four bytes cannot express. */
const FOUR_BYTES = 0xffff_ffff;
/** Of an entry, beside its name and its content. */
const ENTRY_BYTES = 30 + 16;

const PYTHON_TEST =
  "import zipfile; z = zipfile.ZipFile('images.zip'); assert z.testzip() is None; print(len(z.namelist()))";
const PYTHON_READ =
  "import sys, zipfile; sys.stdout.write(zipfile.ZipFile('images.zip').read(sys.argv[1]).decode().rstrip())";

let folder: TemporaryFolder;

function useFolder(): void {
  before(async () => {
    folder = await temporaryFolder();
  });

  after(() => folder.remove());
}

/** Leaves holes where the archive has long runs of zeros. Fails if it is not as long as it said. */
async function write(archive: Archive): Promise<void> {
  const { length, stream } = zipArchive(archive);
  const file = await open(join(folder.path, 'images.zip'), 'w');
  let position = 0;
  for await (const chunk of stream as AsyncIterable<Buffer>) {
    if (!isLong(chunk)) await file.write(chunk, 0, chunk.length, position);
    position += chunk.length;
  }
  await file.truncate(position);
  await file.close();
  expect(position).to.equal(length);
}

function isLong(chunk: Uint8Array): boolean {
  return chunk.buffer === ZEROS.buffer && chunk.length >= 65_536;
}

function run(tool: string, ...args: readonly string[]): string {
  const options = { cwd: folder.path, encoding: 'utf8', maxBuffer: 64 * 1024 ** 2 } as const;
  const { status, stdout, stderr } = spawnSync(tool, [...args], options);
  expect(status, `${tool} ${args.join(' ')}: ${stderr}`).to.equal(0);
  return stdout.trimEnd();
}

const MISSES_TOOL = ['unzip', 'bsdtar', 'python3'].some((tool) => spawnSync(tool, ['--help']).error);

describe('zipArchive of many files is whole for unzip, bsdtar and Python', function () {
  useFolder();

  before(function () {
    if (MISSES_TOOL) this.skip();
  });

  for (const [count, nameBytes, missing, deleted] of [
    [1, 5, 0, 0],
    [1, 5, 4_999, 0],
    [2, 5, 3, 1],
    [211, 255, 0, 0],
    [212, 255, 0, 0],
    [300, 255, 1, 299],
    [1_092, 5, 0, 0],
    [1_093, 5, 0, 0],
    [2_500, 255, 2_500, 1_000],
    [5_000, 5, 0, 0],
    [5_000, 255, 0, 0],
  ] as const) {
    it(`${count} with names of ${nameBytes} bytes, ${missing} missing, ${deleted} deleted meanwhile`, async () => {
      const files = Array.from({ length: count }, (_, at) => ({
        name: String(at).padStart(nameBytes, '0'),
        size: 200 + (at % 3),
        isDeleted: at >= count - deleted,
      }));
      await write(
        madeArchive(
          files,
          Array.from({ length: missing }, (_, at) => 10_001 + at),
        ),
      );
      const entries = count - deleted + (missing + deleted > 0 ? 1 : 0);
      run('unzip', '-tqq', 'images.zip');
      expect(run('bsdtar', '-tf', 'images.zip').split('\n')).to.have.length(entries);
      expect(run('python3', '-c', PYTHON_TEST)).to.equal(String(entries));
    });
  }
});

interface Crc32 {
  unsigned: (bytes: Uint8Array, previous: number) => number;
}

const CRC32 = createRequire(createRequire(import.meta.url).resolve('yazl'))('buffer-crc32') as Crc32;
const checksum = CRC32.unsigned;

function bytesOf({ name, size }: MadeFile): number {
  return ENTRY_BYTES + name.length + size;
}

/** In the directory. */
function listedBytesOf({ name }: MadeFile): number {
  return 46 + 9 + name.length;
}

/** The size of a file that makes the one behind it begin here. */
function sizeBefore(offset: number, name: string): number {
  return offset - ENTRY_BYTES - name.length;
}

const LAST: MadeFile = { name: 'last.jpg', size: 1_000 };
const LONG: MadeFile = { name: 'x'.repeat(255), size: 1_000, isDeleted: true };
/** Of the list of one id, which is not there. */
const LIST_BYTES = ENTRY_BYTES + 'missing.txt'.length + '99\n'.length;

describe('zipArchive around 4 GiB is whole for unzip, bsdtar and Python', function () {
  useFolder();

  before(function () {
    if (MISSES_TOOL) this.skip();
    // That of long files is not what is tested.
    CRC32.unsigned = (bytes, previous) => (bytes.length >= 65_536 ? 0 : checksum(bytes, previous));
  });

  after(() => {
    CRC32.unsigned = checksum;
  });

  for (const over of [-1, 0, 1]) {
    for (const [title, files] of [
      [`a file of 2^32 - 1 + ${over} bytes`, [{ name: 'a.jpg', size: FOUR_BYTES + over }, LAST]],
      [
        `a file that begins at 2^32 - 1 + ${over}`,
        [{ name: 'a.jpg', size: sizeBefore(FOUR_BYTES + over, 'a.jpg') }, LAST],
      ],
      [
        `a directory that begins at 2^32 - 1 + ${over}`,
        [{ name: 'a.jpg', size: sizeBefore(FOUR_BYTES + over - bytesOf(LAST) - LIST_BYTES, 'a.jpg') }, LAST],
      ],
      [
        `a directory that begins at 2^32 - 1 + ${over} once it is shorter by a file that was deleted meanwhile`,
        [
          {
            name: 'a.jpg',
            size: sizeBefore(
              FOUR_BYTES + over - listedBytesOf(LONG) - bytesOf(LONG) - bytesOf(LAST) - LIST_BYTES,
              'a.jpg',
            ),
          },
          LONG,
          LAST,
        ],
      ],
    ] as const satisfies ReadonlyArray<readonly [string, readonly MadeFile[]]>) {
      it(title, async () => {
        await write(madeArchive(files, [99]));
        expectReadable(files);
      });
    }
  }

  it('blank lines in the place of a file that did not need ZIP64, which do', async () => {
    await write(madeArchive([LAST, { ...LONG, size: FOUR_BYTES - 40 }]));
    expect(run('unzip', '-p', 'images.zip', LAST.name)).to.have.length(LAST.size);
    expect(run('bsdtar', '-tf', 'images.zip')).to.equal(`${LAST.name}\nmissing.txt`);
    expect(run('python3', '-c', PYTHON_READ, LAST.name)).to.have.length(LAST.size);
  });

  function expectReadable(files: readonly MadeFile[]): void {
    const deleted = files.flatMap(({ isDeleted }, at) => (isDeleted === true ? [at + 1] : []));
    const list = [...deleted, 99].join('\n');
    const names = [
      ...files.filter(({ isDeleted }) => isDeleted !== true).map(({ name }) => name),
      'missing.txt',
    ];
    expect(run('unzip', '-Z1', 'images.zip').split('\n')).to.deep.equal(names);
    expect(run('bsdtar', '-tf', 'images.zip').split('\n')).to.deep.equal(names);
    run('unzip', '-tqq', 'images.zip', LAST.name, 'missing.txt');
    expect(run('unzip', '-p', 'images.zip', 'missing.txt')).to.equal(list);
    expect(run('bsdtar', '-xOf', 'images.zip', 'missing.txt')).to.equal(list);
    expect(run('python3', '-c', PYTHON_READ, 'missing.txt')).to.equal(list);
    expect(Buffer.byteLength(run('bsdtar', '-xOf', 'images.zip', LAST.name))).to.equal(LAST.size);
  }
});
