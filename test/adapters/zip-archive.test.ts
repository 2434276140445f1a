import { expect } from 'chai';
import { zipArchive } from '../../src/adapters/http/archive/zip-archive.ts';
import type { Archive } from '../../src/application/files/archive-images.ts';
import { type MadeFile, madeArchive } from '../support/fixtures/made-archive.ts';

/** The first size of a directory that two bytes cannot express. */
const TWO_BYTES = 0xffff;
/** Of a file in the directory, beside its name. */
const LISTED_BYTES = 46 + 9;

function filesOf(count: number, nameBytes: number): readonly MadeFile[] {
  return Array.from({ length: count }, (_, at) => ({
    name: String(at).padStart(nameBytes, '0'),
    size: at % 3,
  }));
}

/** The directory has this many bytes. */
function listedIn(bytes: number): readonly MadeFile[] {
  const files = filesOf(Math.floor(bytes / (LISTED_BYTES + 200)) - 1, 200);
  const left = bytes - files.length * (LISTED_BYTES + 200) - 2 * LISTED_BYTES;
  return [
    ...files,
    { name: 'x'.repeat(Math.floor(left / 2)), size: 1 },
    { name: 'y'.repeat(Math.ceil(left / 2)), size: 1 },
  ];
}

async function expectLength(archive: Archive): Promise<void> {
  const { length, stream } = zipArchive(archive);
  let sent = 0;
  for await (const chunk of stream as AsyncIterable<Buffer>) sent += chunk.length;
  expect(sent).to.equal(length);
}

describe('zipArchive has the length that it said', () => {
  for (const [title, archive] of [
    ['one file', madeArchive(filesOf(1, 5))],
    ['one file, and one missing', madeArchive(filesOf(1, 5), [9])],
    ['211 files with names of 255 bytes', madeArchive(filesOf(211, 255))],
    ['212 files with names of 255 bytes', madeArchive(filesOf(212, 255))],
    ['1200 files', madeArchive(filesOf(1_200, 5))],
    [
      'one file, and 4999 missing',
      madeArchive(
        filesOf(1, 5),
        Array.from({ length: 4_999 }, (_, at) => 9_000 + at),
      ),
    ],
    ['a directory of 65,534 bytes', madeArchive(listedIn(TWO_BYTES - 1))],
    ['a directory of 65,535 bytes', madeArchive(listedIn(TWO_BYTES))],
    ['a directory of 65,536 bytes', madeArchive(listedIn(TWO_BYTES + 1))],
    ['names that are not ASCII', madeArchive([{ name: 'Žluťoučký 猫 😺.png', size: 1 }])],
    ['a time after January 2038', madeArchive([{ name: 'a.jpg', size: 1, instant: Date.UTC(2039, 0, 1) }])],
    [
      '300 files with names of 255 bytes, of which every second was deleted meanwhile',
      madeArchive(filesOf(300, 255).map((file, at) => ({ ...file, isDeleted: at % 2 === 1 }))),
    ],
    [
      'a directory of 65,535 bytes, from which a file was deleted meanwhile',
      madeArchive(listedIn(TWO_BYTES).map((file, at) => ({ ...file, isDeleted: at === 7 }))),
    ],
  ] as const) {
    it(`of ${title}`, async () => {
      await expectLength(archive);
    });
  }
});
