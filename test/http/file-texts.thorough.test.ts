import { execFile } from 'node:child_process';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect } from 'chai';
import { sharp } from '../../src/decoder/decoder-options.ts';
import { jpegPicture, noisyPng } from '../support/fixtures/pictures.ts';
import { type TemporaryFolder, temporaryFolder } from '../support/fixtures/temporary-folder.ts';
import { startFor } from '../support/http/start-for.ts';
import { TestService } from '../support/http/test-service.ts';
import { flatVp8l, vp8x, webp } from '../support/kinds/webp-chunks.ts';
import { skipAloud } from '../support/skipped/skip-aloud.ts';

const run = promisify(execFile);

const EXIF = { 'IFD0:Artist': 'Änn of EXIF', 'IFD0:Copyright': '© EXIF' };
const OF_EXIF = { creator: 'Änn of EXIF', copyright: '© EXIF' };

const IPTC = {
  'IPTC:ObjectName': 'Kätzchen',
  'IPTC:Caption-Abstract': 'Auf dem Sofa,\nmüde',
  'IPTC:By-line': ['Änn', 'Bö'],
  'IPTC:CopyrightNotice': '© IPTC',
  'IPTC:Credit': 'Reuters & Söhne',
};
const OF_IPTC = {
  title: 'Kätzchen',
  description: 'Auf dem Sofa,\nmüde',
  creator: 'Änn, Bö',
  copyright: '© IPTC',
  credit: 'Reuters & Söhne',
};

const XMP = {
  'XMP-dc:Title-de': 'Katze',
  'XMP-dc:Title': 'Cat 🐈',
  'XMP-dc:Description': 'On the <sofa>,\nasleep',
  'XMP-dc:Description-fr': 'Sur le canapé',
  'XMP-iptcCore:AltTextAccessibility': 'A cat & a sofa',
  'XMP-iptcCore:AltTextAccessibility-de': 'Eine Katze',
  'XMP-dc:Creator': ['Ann', 'Bo', 'Cy'],
  'XMP-dc:Rights': '© XMP',
  'XMP-photoshop:Credit': 'AFP',
  'XMP-xmpRights:UsageTerms': 'Ask first',
  'XMP-xmpRights:WebStatement': 'https://example.com/rights',
};
const OF_XMP = {
  title: 'Cat 🐈',
  description: 'On the <sofa>,\nasleep',
  alt: 'A cat & a sofa',
  creator: 'Ann, Bo, Cy',
  copyright: '© XMP',
  credit: 'AFP',
  usageTerms: 'Ask first',
};

type Tags = Readonly<Record<string, string | readonly string[]>>;
type Texts = Readonly<Record<string, string>>;
type Kind = 'jpeg' | 'png' | 'webp';

interface Case {
  readonly name: string;
  readonly kinds: readonly Kind[];
  readonly tags: Tags;
  readonly options?: readonly string[];
  readonly texts: Texts;
}

const { 'XMP-xmpRights:UsageTerms': _terms, ...WITHOUT_TERMS } = XMP;
const BLANK = Object.fromEntries(Object.keys(IPTC).map((tag) => [tag, ' ']));

const CASES: readonly Case[] = [
  { name: 'EXIF', kinds: ['jpeg', 'png', 'webp'], tags: EXIF, texts: OF_EXIF },
  {
    name: 'IPTC with the UTF-8 marker',
    kinds: ['jpeg'],
    tags: { 'IPTC:CodedCharacterSet': 'UTF8', ...IPTC },
    texts: OF_IPTC,
  },
  {
    name: 'IPTC in UTF-8 without the marker',
    kinds: ['jpeg'],
    tags: IPTC,
    options: ['-charset', 'iptc=UTF8'],
    texts: OF_IPTC,
  },
  {
    name: 'IPTC in Latin-1',
    kinds: ['jpeg'],
    tags: IPTC,
    options: ['-charset', 'iptc=Latin'],
    texts: OF_IPTC,
  },
  { name: 'XMP', kinds: ['jpeg', 'png', 'webp'], tags: XMP, texts: OF_XMP },
  {
    name: 'compact XMP in front of the pixels',
    kinds: ['png'],
    tags: XMP,
    options: ['-api', 'PNGEarlyXMP=1', '-api', 'Compact=Shorthand,NoPadding'],
    texts: OF_XMP,
  },
  {
    name: 'compressed XMP',
    kinds: ['png'],
    tags: XMP,
    options: ['-api', 'Compress=1'],
    texts: OF_XMP,
  },
  {
    name: 'shorthand XMP',
    kinds: ['jpeg', 'webp'],
    tags: XMP,
    options: ['-api', 'Compact=Shorthand'],
    texts: OF_XMP,
  },
  {
    name: 'XMP with an address of the terms alone',
    kinds: ['jpeg'],
    tags: WITHOUT_TERMS,
    texts: { ...OF_XMP, usageTerms: 'https://example.com/rights' },
  },
  {
    name: 'all of them, which XMP wins',
    kinds: ['jpeg'],
    tags: { ...EXIF, ...IPTC, ...XMP },
    texts: OF_XMP,
  },
  {
    name: 'IPTC and EXIF, which IPTC wins',
    kinds: ['jpeg'],
    tags: { 'IPTC:CodedCharacterSet': 'UTF8', ...EXIF, ...IPTC },
    texts: OF_IPTC,
  },
  { name: 'EXIF and blank IPTC', kinds: ['jpeg'], tags: { ...EXIF, ...BLANK }, texts: OF_EXIF },
];

const NOTHING = {
  title: null,
  description: null,
  alt: null,
  creator: null,
  copyright: null,
  credit: null,
  usageTerms: null,
};

const service = startFor('all', () => TestService.start({ inputFormats: 'jpeg,png,webp' }));

describe('What exiftool writes', () => {
  let folder: TemporaryFolder;

  before(async function () {
    folder = await temporaryFolder();
    const version = await run('exiftool', ['-ver']).catch(() => undefined);
    if (version === undefined) skipAloud(this, 'exiftool is not installed');
  });

  after(async () => {
    await folder.remove();
  });

  for (const { name, kinds, tags, options = [], texts } of CASES) {
    for (const kind of kinds) {
      it(`as ${name} into a ${kind} is read, and neither clean original nor rendition has it`, async () => {
        const file = await written(folder.path, kind, tags, options);

        const { id } = await service.upload(file);
        const { body } = await service.get(`/api/image/${id}/metadata`).expect(200);
        const { title, description, alt, capture } = body as Record<string, object>;
        expect({ ...NOTHING, ...texts }).to.deep.equal({
          title,
          description,
          alt,
          ...pickCredits(capture as Record<string, unknown>),
        });
        for (const form of ['metadata=none', `width=16&format=${kind}`]) {
          const made = await service.get(`/api/image/${id}/file?${form}`).buffer(true).expect(200);
          expect(await tagsLeft(folder.path, made.body as Buffer), form).to.deep.equal([]);
        }
      });
    }
  }
});

function pickCredits({ creator, copyright, credit, usageTerms }: Record<string, unknown>): object {
  return { creator, copyright, credit, usageTerms };
}

/** A picture into which exiftool has written tags. */
async function written(folder: string, kind: Kind, tags: Tags, options: readonly string[]): Promise<Buffer> {
  const path = join(folder, `written.${kind}`);
  await writeFile(path, await plainPicture(kind));
  const values = Object.entries(tags).flatMap(([tag, value]) =>
    [value].flat().map((text) => `-${tag}=${text}`),
  );
  await run('exiftool', ['-q', '-overwrite_original', ...options, ...values, path]);
  return await readFile(path);
}

async function plainPicture(kind: Kind): Promise<Buffer> {
  const box = { width: 30, height: 20 };
  if (kind === 'webp') return webp([vp8x(box), flatVp8l(box)]);
  return kind === 'png' ? await noisyPng(30, 20) : await jpegPicture(30, 20);
}

/** The tags of metadata that exiftool finds. */
async function tagsLeft(folder: string, file: Buffer): Promise<readonly string[]> {
  const { format } = await sharp(file).metadata();
  const path = join(folder, `clean.${format}`);
  await writeFile(path, file);
  const { stdout } = await run('exiftool', ['-json', '-G0', '-EXIF:all', '-IPTC:all', '-XMP:all', path]);
  const [found = {}] = JSON.parse(stdout) as ReadonlyArray<Record<string, unknown>>;
  return Object.keys(found).filter((tag) => tag !== 'SourceFile');
}
