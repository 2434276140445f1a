import { expect } from 'chai';
import { CLEAN, type Rendition } from '../../src/domain/image/rendition.ts';
import { type LinkedFile, linkedFileName, parseLinkedFile } from '../../src/domain/link/linked-file.ts';

const RENDITION: Rendition = { fit: 'inside', format: 'webp', quality: 75 };

/** Beside a name: the rendition, and whether it is a download. */
const FILES: ReadonlyArray<readonly [string, Partial<Rendition> | typeof CLEAN | undefined, boolean?]> = [
  ['original', undefined],
  ['original-download', undefined, true],
  ['clean', CLEAN],
  ['clean-download', CLEAN, true],
  ['320xauto-inside-q75.webp', { width: 320, height: undefined }],
  ['320xauto-inside-q75.webp-download', { width: 320, height: undefined }, true],
  ['autox64-inside-q5.avif', { width: undefined, height: 64, format: 'avif', quality: 5 }],
  ['64x64-cover-q100.jpg', { width: 64, height: 64, fit: 'cover', format: 'jpeg', quality: 100 }],
  ['64x64-cover-500x0-q75.webp', { width: 64, height: 64, fit: 'cover', focus: { x: 0.5, y: 0 } }],
  [
    '64x64-cover-1000x7-lossless.png-download',
    { width: 64, height: 64, fit: 'cover', format: 'png', focus: { x: 1, y: 0.007 } },
    true,
  ],
  ['64x32-contain-lossless.png', { width: 64, height: 32, fit: 'contain', format: 'png' }],
  ['autoxauto-inside-q75.jpg', { width: undefined, height: undefined, format: 'jpeg' }],
];

const OTHER_SPELLINGS = [
  '',
  'original-download-download',
  'original.jpg',
  '320xauto-inside-q75.jpeg',
  '0320xauto-inside-q75.webp',
  '320xauto-inside-q075.webp',
  '320xauto-inside-q75.png',
  '320xauto-inside-lossless.webp',
  '320xauto-cover-q75.webp',
  '320xauto-fill-q75.webp',
  '320xauto-inside-q75.webp\n',
  '64x64-cover-1001x0-q75.webp',
  '64x64-cover-500x0-500x0-q75.webp',
  '64x64-inside-500x0-q75.webp',
];

describe('the name of a linked file', () => {
  for (const [name, stated, isDownload = false] of FILES) {
    it(`${name} is written and read`, () => {
      const rendition = typeof stated === 'object' ? { ...RENDITION, ...stated } : stated;
      const file: LinkedFile = { rendition, isDownload };
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
