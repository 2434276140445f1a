import { execFile } from 'node:child_process';
import { readFile, writeFile } from 'node:fs/promises';
import { extname, join } from 'node:path';
import { promisify } from 'node:util';
import { expect } from 'chai';
import { sharp } from '../../src/decoder/decoder-options.ts';
import { cleaned, uploadedFacts } from '../support/fixtures/clean-file.ts';
import { ACCEPTED, corpusIsSet } from '../support/fixtures/corpus.ts';
import { temporaryFolder } from '../support/fixtures/temporary-folder.ts';
import { FOREIGN_FILES } from '../support/kinds/foreign-files.ts';
import { skipAloud } from '../support/skipped/skip-aloud.ts';

const run = promisify(execFile);

/** Of groups of exiftool: what tells how to show the picture. */
const STRUCTURE =
  /^(?:SourceFile|(?:ExifTool|System|File|Composite|ICC[-_\w]*|JFIF|Adobe|PNG|PNG-pHYs|RIFF|GIF):|IFD0:Orientation$)/;
/** Texts that the groups above may have. */
const TEXTS =
  /:(?:Comment|XMP|Author|Title|Description|Software|ModifyDate|CreationTime|ThumbnailImage|Artist|Copyright)$/;
const OF_FILES = /^(?:System|File|ExifTool):/;

interface Cleaned {
  readonly name: string;
  readonly file: Buffer;
  readonly clean: Buffer;
}

describe('The clean form of each file of the corpora that an upload accepts', () => {
  corpusIsSet();

  let all: readonly Cleaned[];

  before(async () => {
    const files = [
      ...FOREIGN_FILES.map(({ name, read }) => ({ name, read: async () => read() })),
      ...ACCEPTED.map(({ file, path }) => ({ name: file, read: () => readFile(path) })),
    ];
    const found: Cleaned[] = [];
    for (const { name, read } of files) {
      const file = Buffer.from(await read());
      if ((await uploadedFacts(file)) !== undefined) found.push({ name, file, clean: await cleaned(file) });
    }
    all = found;
    expect(all).not.to.have.length(0);
  });

  it('has the same pixels, upright and as they are stored', async () => {
    for (const { name, file, clean } of all) {
      for (const turned of [true, false]) {
        const [before, after] = await Promise.all([pixelsOf(file, turned), pixelsOf(clean, turned)]);
        expect(before.equals(after), name).to.equal(true);
      }
    }
  });

  it('is an upload with the same size and look, and clean', async () => {
    for (const { name, file, clean } of all) {
      const { embedded: _, ...facts } = (await uploadedFacts(file)) ?? {};
      const { embedded, ...cleanFacts } = (await uploadedFacts(clean)) ?? {};
      expect(cleanFacts, name).to.deep.equal(facts);
      expect(Object.values(embedded?.capture ?? {}).filter(Boolean), name).to.deep.equal([]);
      expect((await cleaned(clean)).equals(clean), name).to.equal(true);
    }
  });

  it('has nothing but structure, profile, orientation, resolution and loop count for exiftool', async function () {
    const { path, remove } = await temporaryFolder();
    for (const [index, { name, clean }] of all.entries()) {
      await writeFile(join(path, `${index}${extname(name)}`), clean);
    }
    const tags = await tagsIn(path);
    await remove();
    if (tags === undefined) skipAloud(this, 'exiftool is not installed');
    for (const file of tags) {
      const left = Object.keys(file).filter(
        (tag) => !STRUCTURE.test(tag) || (TEXTS.test(tag) && !OF_FILES.test(tag)),
      );
      expect(
        left,
        all[Number.parseInt(String(file['SourceFile']).split('/').at(-1) ?? '', 10)]?.name,
      ).to.deep.equal([]);
    }
  });
});

async function pixelsOf(file: Buffer, turned: boolean): Promise<Buffer> {
  const image = sharp(file);
  return await (turned ? image.autoOrient() : image).raw().toBuffer();
}

/** `undefined` without exiftool. */
async function tagsIn(folder: string): Promise<ReadonlyArray<Readonly<Record<string, unknown>>> | undefined> {
  const options = { maxBuffer: 64 * 1024 * 1024 };
  try {
    const { stdout } = await run('exiftool', ['-json', '-G1', '-ee', '-U', folder], options);
    return JSON.parse(stdout) as ReadonlyArray<Readonly<Record<string, unknown>>>;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
}
