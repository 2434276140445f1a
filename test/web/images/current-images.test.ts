import { expect } from 'chai';
import { Store } from '../../../web/src/base/store.ts';
import { CurrentImages } from '../../../web/src/images/current-images.ts';
import { parseViewState } from '../../../web/src/view-state/view-state.ts';
import { settled } from '../../support/time/gate.ts';
import { daysOf, FakeImagePages } from '../doubles/fake-image-pages.ts';

describe('the list of the view', () => {
  const view = new Store(parseViewState(''));
  let pages: FakeImagePages;
  let heads: number;
  let images: CurrentImages;

  beforeEach(() => {
    view.set(parseViewState(''));
    pages = new FakeImagePages(daysOf(2, () => 5));
    heads = 0;
    images = new CurrentImages(pages, view, { onHead: () => void (heads += 1) });
  });

  it('is requested when a person is signed in, and only once', async () => {
    expect(images.list.get()).to.equal(undefined);
    images.open();
    images.open();
    await settled();

    expect([images.list.get()?.count, pages.timelines.length, heads]).to.deep.equal([10, 1, 1]);
  });

  it('is another one for other filters or another order', async () => {
    images.open();
    const lists = [''].concat('?q=cat', '?q=cat&sort=added').map((search) => {
      view.set(parseViewState(search));
      return images.list.get();
    });

    expect(new Set(lists).size).to.equal(3);
  });

  it('stays while a picture is opened', () => {
    images.open();
    const list = images.list.get();
    view.set(parseViewState('?image=3'));

    expect(images.list.get()).to.equal(list);
  });

  it('ends the requests of the list before', async () => {
    images.open();
    await Promise.resolve();
    view.set(parseViewState('?q=cat'));

    expect(pages.requests[0]?.signal?.aborted).to.equal(true);
    expect(pages.requests.at(-1)?.signal?.aborted).to.equal(false);
  });
});
