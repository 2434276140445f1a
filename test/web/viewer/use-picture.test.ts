import { CatalogError, type ImageRecord } from '@image-catalog/client';
import { expect } from 'chai';
import { Store } from '../../../web/src/base/store.ts';
import type { PagedImages } from '../../../web/src/images/paged-images.ts';
import { usePicture } from '../../../web/src/viewer/use-picture.ts';
import { daysOf, FakeImagePages, loadedList } from '../doubles/fake-image-pages.ts';
import { GalleryParts } from '../doubles/gallery-parts.ts';
import { mount, unmountAfterwards } from '../doubles/mounted-hook.ts';

describe('a picture of the viewer', () => {
  unmountAfterwards();

  const pages = new FakeImagePages(daysOf(1, () => 3));
  let requests: number[];
  let byOthers: Store<ReadonlySet<number>>;
  let failure: Error | undefined;

  async function open(id: number, { hidden = [] as number[] } = {}) {
    requests = [];
    const get = async (asked: number): Promise<ImageRecord> => {
      requests.push(asked);
      if (failure !== undefined) throw failure;
      return { ...pages.recordAt(0), id: asked };
    };
    const store = new Store(new Set(hidden));
    byOthers = new Store(new Set<number>());
    const parts = new GalleryParts({
      catalog: { get },
      list: await loadedList(pages),
      deletions: { hidden: store, byOthers },
    });
    return { parts, hidden: store, hook: await mount(() => usePicture(id), parts) };
  }

  afterEach(() => {
    failure = undefined;
  });

  it('of the list needs no request', async () => {
    const { hook } = await open(pages.idAt(1));

    expect(hook.value).to.deep.equal({ kind: 'shown', record: pages.recordAt(1) });
    expect(requests).to.deep.equal([]);
  });

  it('of no list is requested', async () => {
    const { hook } = await open(77);

    expect(hook.value.kind).to.equal('shown');
    expect(requests).to.deep.equal([77]);
  });

  it('that the service does not have was deleted, which is no trouble', async () => {
    failure = new CatalogError('There is no image 77', { code: 'image_not_found', status: 404 });
    const { hook, parts } = await open(77);

    expect(hook.value).to.deep.equal({ kind: 'deleted' });
    expect(parts.reported).to.deep.equal([]);
  });

  it('that is being deleted is not shown, and comes back', async () => {
    const { hook, hidden } = await open(pages.idAt(1), { hidden: [pages.idAt(1)] });
    expect(hook.value).to.deep.equal({ kind: 'deleted' });
    await hook.do(() => hidden.set(new Set()));

    expect(hook.value.kind).to.equal('shown');
  });

  it('that others delete stays while it is looked at', async () => {
    const id = pages.idAt(1);
    const { hook, hidden, parts } = await open(id);
    await hook.do(() => {
      byOthers.set(new Set([id]));
      (parts.list.get() as PagedImages).hide([id]);
      hidden.set(new Set([id]));
    });

    expect(hook.value.kind).to.equal('shown');
    expect(requests).to.deep.equal([]);
  });

  it('that cannot be loaded is waited for, with the error, and tried again', async () => {
    failure = new CatalogError('down', { code: 'network_error', status: 0 });
    const { hook } = await open(77);
    expect(hook.value).to.include({ kind: 'waiting', error: failure });
    failure = undefined;
    await hook.do((picture) => picture.kind === 'waiting' && picture.retry());

    expect(hook.value.kind).to.equal('shown');
  });
});
