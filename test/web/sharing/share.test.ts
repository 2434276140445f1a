import { CatalogError } from '@image-catalog/client';
import { expect } from 'chai';
import { inOrderOfView } from '../../../web/src/sharing/in-order-of-view.ts';
import { sharePictures } from '../../../web/src/sharing/share-pictures.ts';
import { type Share, useShare } from '../../../web/src/sharing/use-share.ts';
import { GalleryParts } from '../doubles/gallery-parts.ts';
import { RenderedHook } from '../doubles/rendered-hook.ts';

const EXPIRES = '2026-11-29T12:00:00.000Z';
const URL = 'https://images.example/s/abc';
const OVERLOADED = new CatalogError('busy', { code: 'overloaded', status: 503 });

describe('a page to share', () => {
  let asked: unknown[];
  let respond: () => object;
  let copied: string[];
  let parts: GalleryParts;
  let hook: RenderedHook<Share>;
  const before = Object.getOwnPropertyDescriptor(globalThis, 'navigator');

  beforeEach(async () => {
    asked = [];
    copied = [];
    respond = () => ({ page: URL, expiresAt: EXPIRES, images: {}, missing: [9] });
    const clipboard = { writeText: async (text: string) => void copied.push(text) };
    Object.defineProperty(globalThis, 'navigator', { value: { clipboard }, configurable: true });
    const catalog = {
      links: async (...request: unknown[]) => {
        asked.push(request);
        return respond();
      },
    };
    parts = new GalleryParts({ catalog });
    hook = await RenderedHook.render(() => useShare([3, 9]), parts.wrap);
  });

  afterEach(async () => {
    await hook.unmount();
    if (before === undefined) Reflect.deleteProperty(globalThis, 'navigator');
    else Object.defineProperty(globalThis, 'navigator', before);
  });

  it('is made of the pictures in their order, and copied', async () => {
    await hook.do(({ setTitle, setLifetime }) => {
      setTitle(' Holidays ');
      setLifetime(86_400);
    });
    await hook.do(({ create }) => create());

    expect(asked).to.deep.equal([[[3, 9], { ttlSeconds: 86_400, page: { title: 'Holidays' } }]]);
    expect(hook.value.page).to.deep.equal({ url: URL, expiresAt: EXPIRES, missing: 1 });
    expect([copied, parts.noticed]).to.deep.equal([[URL], ['Link copied']]);
  });

  it('has no title if none was entered, and lasts a week', async () => {
    await hook.do(({ create }) => create());

    expect(asked).to.deep.equal([[[3, 9], { ttlSeconds: 604_800, page: { title: null } }]]);
  });

  it('says that all pictures have been deleted', async () => {
    respond = () => ({ page: null, expiresAt: EXPIRES, images: {}, missing: [3, 9] });
    await hook.do(({ create }) => create());

    expect([hook.value.page, parts.noticed]).to.deep.equal([undefined, ['2 pictures have been deleted.']]);
  });

  it('reports what the service refuses, and can be tried again', async () => {
    respond = () => {
      throw OVERLOADED;
    };
    await hook.do(({ create }) => create());

    expect([parts.reported, hook.value.isRunning]).to.deep.equal([[OVERLOADED], false]);
  });

  it('has the order of the view; what is not loaded comes last', () => {
    const positions = new Map([
      [5, 0],
      [2, 1],
    ]);
    const list = { positionOf: (id: number) => positions.get(id) };
    expect(inOrderOfView(new Set([9, 2, 5]), list)).to.deep.equal([5, 2, 9]);
    expect(inOrderOfView([2, 1], undefined)).to.deep.equal([2, 1]);
  });

  it('is nothing without an address', async () => {
    const links = async () => ({ expiresAt: EXPIRES, images: {}, missing: [] });
    expect(await sharePictures({ links }, [1], { title: '', ttlSeconds: 86_400 })).to.equal(undefined);
  });
});
