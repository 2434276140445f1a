import { expect } from 'chai';
import { parseBlobKey } from '../../src/domain/image/blob-key.ts';
import type { Image } from '../../src/domain/image/image.ts';
import { markOf, pagePayload, parsePage, parsePagePayload } from '../../src/domain/link/shared-page.ts';
import { newImage } from '../support/fixtures/new-image.ts';

function images(count: number, firstId = 1): readonly Image[] {
  return Array.from({ length: count }, (_, at) => ({
    ...newImage(),
    uuid: parseBlobKey(crypto.randomUUID()),
    id: firstId + at,
    createdAt: new Date(0),
  }));
}

describe('The payload of a page to share', () => {
  for (const title of [null, 'Cats', 'Kočky: léto_2026 – 100 %', '😺'.repeat(100), '-0000', 'a_b-c']) {
    it(`keeps the title ${JSON.stringify(title)?.slice(0, 40)} and the images in their order`, () => {
      const shown = images(3).toReversed();
      const payload = pagePayload(title, shown);

      expect(payload).to.match(/^[A-Za-z0-9_-]+$/);
      expect(parsePagePayload(payload)).to.deep.equal({
        title,
        images: shown.map(({ id, uuid }) => ({ id, mark: markOf(uuid) })),
      });
    });
  }

  it('leaves room for the largest 100 ids and the longest title in 2,000 characters', () => {
    const shown = images(100, Number.MAX_SAFE_INTEGER - 99);
    const payload = pagePayload('\u{10ffff}'.repeat(100), shown);
    expect(parsePagePayload(payload).images.map(({ id }) => id)).to.deep.equal(shown.map(({ id }) => id));
    expect(`s/${payload}/1769868000/${'x'.repeat(43)}`.length).to.be.at.most(2_000);
  });

  it('has another mark for another image', () => {
    expect(new Set(images(1_000).map(({ uuid }) => markOf(uuid))).size).to.equal(1_000);
  });

  for (const [part, value] of [
    ['payload', ''],
    ['payload', 'a.b'],
    ['payload', 'é'],
    ['payload', 'x'.repeat(2_001)],
    ['expiry', '01'],
    ['expiry', '1e3'],
    ['mac', 'x'.repeat(42)],
    ['mac', `${'x'.repeat(42)}=`],
  ] as const) {
    it(`is refused with the ${part} ${JSON.stringify(value.slice(0, 10))}`, () => {
      const segments = { payload: 'BABAAAAAAB', expiry: '1769868000', mac: 'x'.repeat(43) };
      expect(parsePage(segments)).not.to.equal(undefined);
      expect(parsePage({ ...segments, [part]: value })).to.equal(undefined);
    });
  }
});
