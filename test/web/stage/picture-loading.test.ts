import type { ImageRecord } from '@image-catalog/client';
import { expect } from 'chai';
import { LinkMissing } from '../../../web/src/catalog/link-missing.ts';
import { type SharpPicture, useSharpPicture } from '../../../web/src/stage/use-sharp-picture.ts';
import { daysOf, FakeImagePages } from '../doubles/fake-image-pages.ts';
import { GalleryParts } from '../doubles/gallery-parts.ts';
import { RenderedHook } from '../doubles/rendered-hook.ts';

const globals = globalThis as { Image?: unknown; HTMLElement?: unknown };

/** Decodes what the test allows. */
class FakeImage {
  static broken = new Set<string>();
  src = '';

  async decode(): Promise<void> {
    if (FakeImage.broken.has(this.src)) throw new DOMException('broken', 'EncodingError');
  }
}

const record: ImageRecord = {
  ...new FakeImagePages(daysOf(1, () => 1)).recordAt(0),
  thumbhash: '1QcSHQRnh493V4dIh4eXh1h4kJUI',
};
let hook: RenderedHook<SharpPicture>;
let wanted: number | 'original' | undefined;
let asked: unknown[];
let forgotten: number;
let parts: GalleryParts;
let failure: Error | undefined;

function useFakes(): void {
  before(() => {
    globals.Image = FakeImage;
    globals.HTMLElement = class {};
  });

  after(() => {
    delete globals.Image;
    delete globals.HTMLElement;
  });

  beforeEach(() => {
    wanted = 640;
    asked = [];
    forgotten = 0;
    failure = undefined;
    FakeImage.broken.clear();
  });

  afterEach(() => hook.unmount());
}

async function open(): Promise<void> {
  const links = {
    url: async (_id: number, rendition: { readonly width?: number }) => {
      asked.push(rendition);
      if (failure !== undefined) throw failure;
      return `https://cats.example/${rendition.width ?? 'original'}`;
    },
    forget: () => void (forgotten += 1),
  };
  parts = new GalleryParts({ links });
  parts.queries.setQueryData(['image', record.id], record);
  hook = await RenderedHook.render(() => useSharpPicture(record, wanted), parts.wrap);
}

async function want(width: typeof wanted): Promise<void> {
  wanted = width;
  await hook.again();
}

describe('the picture of the viewer', () => {
  useFakes();

  it('is its placeholder as long as nothing else is wanted', async () => {
    wanted = undefined;
    await open();

    expect(hook.value.src).to.match(/^data:image\/png/);
    expect(asked).to.deep.equal([]);
  });

  it('is a rendition as soon as that is decoded', async () => {
    await open();

    expect([hook.value.src, hook.value.state]).to.deep.equal(['https://cats.example/640', 'sharp']);
    expect(asked).to.deep.equal([{ width: 640, format: 'webp' }]);
  });

  it('gets sharper when the zoom rests', async () => {
    await open();
    await want(1920);
    expect([hook.value.src, hook.value.state]).to.deep.equal(['https://cats.example/640', 'loading']);
    await hook.pass(150);

    expect([hook.value.src, hook.value.state]).to.deep.equal(['https://cats.example/1920', 'sharp']);
  });

  it('leaves out sizes at which the zoom does not rest', async () => {
    await open();
    await want(1080);
    await hook.pass(100);
    await want(1920);
    await hook.pass(150);

    expect(asked).to.deep.equal([640, 1920].map((width) => ({ width, format: 'webp' })));
  });

  it('never gets worse', async () => {
    await open();
    await want('original');
    await hook.pass(150);
    await want(320);
    await hook.pass(150);

    expect(hook.value.src).to.equal('https://cats.example/original');
    expect(asked).to.have.length(2);
  });
});

describe('the picture of the viewer that fails', () => {
  useFakes();

  it('is tried again with another link, then fails, and is tried again when asked to', async () => {
    FakeImage.broken.add('https://cats.example/640');
    await open();
    for (const [attempts, delay] of [1000, 4000, 16_000].entries()) {
      expect([asked.length, forgotten, hook.value.state]).to.deep.equal([attempts + 1, attempts, 'loading']);
      await hook.pass(delay);
    }
    expect([asked.length, hook.value.state]).to.deep.equal([4, 'failed']);
    FakeImage.broken.clear();
    await hook.do(({ retry }) => retry());

    expect(hook.value.state).to.equal('sharp');
  });

  it('is tried again at once when the service is back', async () => {
    FakeImage.broken.add('https://cats.example/640');
    await open();
    FakeImage.broken.clear();
    await hook.do(() => parts.again.set(1));

    expect([asked.length, hook.value.state]).to.deep.equal([2, 'sharp']);
  });

  it('is its placeholder again if the browser cannot show what it has loaded', async () => {
    await open();
    await hook.do(({ onError }) => onError());

    expect([hook.value.src.slice(0, 14), hook.value.state]).to.deep.equal(['data:image/png', 'loading']);
  });

  it('is looked up again if the service has no link for it', async () => {
    failure = new LinkMissing();
    await open();

    expect(parts.queries.getQueryState(['image', record.id])?.isInvalidated).to.equal(true);
  });
});
