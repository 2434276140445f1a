import { expect } from 'chai';
import type { Rendition } from '../../src/domain/image/rendition.ts';
import { type LinkedFile, linkedFileName, parseLinkedFile } from '../../src/domain/link/linked-file.ts';

const RENDITION: Rendition = { width: 320, fit: 'inside', format: 'webp', quality: 75 };

const FILES: ReadonlyArray<readonly [string, LinkedFile]> = [
  ['original', { rendition: undefined, isDownload: false }],
  ['original-download', { rendition: undefined, isDownload: true }],
  ['320xauto-inside-q75.webp', { rendition: { ...RENDITION, height: undefined }, isDownload: false }],
  ['320xauto-inside-q75.webp-download', { rendition: { ...RENDITION, height: undefined }, isDownload: true }],
  [
    'autox64-inside-q5.avif',
    {
      rendition: { width: undefined, height: 64, fit: 'inside', format: 'avif', quality: 5 },
      isDownload: false,
    },
  ],
  [
    '64x64-cover-q100.jpg',
    { rendition: { width: 64, height: 64, fit: 'cover', format: 'jpeg', quality: 100 }, isDownload: false },
  ],
  [
    '64x64-cover-500x0-q75.webp',
    {
      rendition: { ...RENDITION, width: 64, height: 64, fit: 'cover', focus: { x: 0.5, y: 0 } },
      isDownload: false,
    },
  ],
  [
    '64x64-cover-1000x7-lossless.png-download',
    {
      rendition: {
        ...RENDITION,
        width: 64,
        height: 64,
        fit: 'cover',
        format: 'png',
        focus: { x: 1, y: 0.007 },
      },
      isDownload: true,
    },
  ],
  [
    '64x32-contain-lossless.png',
    { rendition: { width: 64, height: 32, fit: 'contain', format: 'png', quality: 75 }, isDownload: false },
  ],
  [
    'autoxauto-inside-q75.jpg',
    {
      rendition: { width: undefined, height: undefined, fit: 'inside', format: 'jpeg', quality: 75 },
      isDownload: false,
    },
  ],
];

const OTHER_SPELLINGS = [
  '',
  'Original',
  'original-download-download',
  '-download',
  'original.jpg',
  '320xauto-inside-q75',
  '320xauto-inside-q75.jpeg',
  '320xauto-inside-q75.WEBP',
  '0320xauto-inside-q75.webp',
  '+320xauto-inside-q75.webp',
  '320xauto-inside-q075.webp',
  '320xauto-inside-q75.png',
  '320xauto-inside-lossless.webp',
  '320xauto-cover-q75.webp',
  '320xauto-fill-q75.webp',
  '320x-inside-q75.webp',
  '320xauto-inside-q75.webp ',
  '320xauto-inside-q75.webp\n',
  '1-320xauto-inside-q75.webp',
  '64x64-cover-500-q75.webp',
  '64x64-cover-1001x0-q75.webp',
  '64x64-cover-0500x0-q75.webp',
  '64x64-cover-500x0-500x0-q75.webp',
  '64x64-inside-500x0-q75.webp',
  '64x64-contain-500x0-q75.webp',
  '64xauto-cover-500x0-q75.webp',
];

describe('the name of a linked file', () => {
  for (const [name, file] of FILES) {
    it(`${name} is written and read`, () => {
      expect(linkedFileName(file)).to.equal(name);
      expect(parseLinkedFile(name)).to.deep.equal(file);
    });
  }

  for (const name of OTHER_SPELLINGS) {
    it(`${JSON.stringify(name)} is none`, () => {
      expect(parseLinkedFile(name)).to.equal(undefined);
    });
  }
});
