import { expect } from 'chai';
import type { ImageRecord } from '../../client/src/image-record.ts';
import { nextLoader } from '../../client/src/next.ts';
import { publicSrcset, publicUrl } from '../../client/src/public.ts';
import { parseConfig } from '../../src/infrastructure/config/config.ts';

const ADDRESS = 'https://cats.example.com/p/3/hero';
const NAME = { url: ADDRESS };

function recordOf(width: number, widths: readonly number[]): ImageRecord {
  const links = { renditions: { template: '', widths } };
  return { width, height: 100, links } as unknown as ImageRecord;
}

describe('publicUrl', () => {
  it('has the next larger width that the service offers, and the largest for more', () => {
    const widths = [1, 16, 17, 320, 641, 3840, 5000].map((width) => publicUrl(NAME, { width }));

    expect(widths).to.deep.equal(
      [16, 16, 32, 320, 750, 3840, 3840].map((width) => `${ADDRESS}?width=${width}`),
    );
    expect(publicUrl(NAME, { width: 101, widths: [100, 200] })).to.equal(`${ADDRESS}?width=200`);
    expect(publicUrl(NAME, { width: 300, widths: [100, 200] })).to.equal(`${ADDRESS}?width=200`);
  });

  it('knows the widths that a service offers by default', () => {
    const { sizes } = parseConfig({
      IDP_DOMAIN: 'https://id.example.com/',
      IDP_AUDIENCE: 'images',
    }).renditions;

    for (const width of sizes) {
      expect(publicUrl(NAME, { width: width - 0.5 })).to.equal(`${ADDRESS}?width=${width}`);
    }
  });

  it('has the format alone, both, or neither', () => {
    expect(publicUrl(NAME)).to.equal(ADDRESS);
    expect(publicUrl(NAME, { format: 'webp' })).to.equal(`${ADDRESS}?format=webp`);
    expect(publicUrl(NAME, { width: 64, format: 'auto' })).to.equal(`${ADDRESS}?width=64&format=auto`);
  });

  it('is undefined for a name that is not public, and so is its srcset', () => {
    expect(publicUrl({ url: null }, { width: 64 })).to.equal(undefined);
    expect(publicSrcset({ url: null }, recordOf(100, [64]))).to.equal(undefined);
  });
});

describe('publicSrcset', () => {
  it('has the widths of the record, none above the first that is as wide as the picture', () => {
    expect(publicSrcset(NAME, recordOf(100, [64, 96, 128, 256]))).to.equal(
      `${ADDRESS}?width=64 64w, ${ADDRESS}?width=96 96w, ${ADDRESS}?width=128 100w`,
    );
    expect(publicSrcset(NAME, recordOf(96, [64, 96, 128]), { format: 'auto' })).to.equal(
      `${ADDRESS}?width=64&format=auto 64w, ${ADDRESS}?width=96&format=auto 96w`,
    );
    expect(publicSrcset(NAME, recordOf(500, [64]))).to.equal(`${ADDRESS}?width=64 64w`);
  });
});

describe('nextLoader', () => {
  it('gives every width of next/image an address in a format that the browser accepts', () => {
    expect(nextLoader({ src: ADDRESS, width: 640 })).to.equal(`${ADDRESS}?width=640&format=auto`);
  });
});
