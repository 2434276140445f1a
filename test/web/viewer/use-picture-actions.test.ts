import type { ImageRecord } from '@image-catalog/client';
import { expect } from 'chai';
import { Store } from '../../../web/src/base/store.ts';
import { type PictureActions, usePictureActions } from '../../../web/src/viewer/use-picture-actions.ts';
import type { Walk } from '../../../web/src/viewer/use-walk.ts';
import { daysOf, FakeImagePages } from '../doubles/fake-image-pages.ts';
import { GalleryParts } from '../doubles/gallery-parts.ts';
import { mount, unmountAfterwards } from '../doubles/mounted-hook.ts';
import type { RenderedHook } from '../doubles/rendered-hook.ts';

describe('the actions of a picture in the viewer', () => {
  unmountAfterwards();

  const pages = new FakeImagePages(daysOf(1, () => 3));
  const record = pages.recordAt(1);
  let events: unknown[];
  let undo: () => void;
  let parts: GalleryParts;
  let hook: RenderedHook<PictureActions>;
  let walk: Walk;

  async function open(links: object = {}, endings?: object): Promise<PictureActions> {
    events = [];
    const deletions = {
      hidden: new Store(new Set()),
      delete: (ids: readonly number[], { onUndone }: { readonly onUndone: () => void }) => {
        events.push(['delete', ...ids]);
        undo = onUndone;
      },
    };
    parts = new GalleryParts({ links, deletions, ...(endings && { endings }) }, `?image=${record.id}`);
    const options = {
      record,
      walk,
      showHint: (text: string) => events.push(text),
      onShow: ({ id }: ImageRecord) => events.push(['show', id]),
      onClose: () => events.push('close'),
    };
    hook = await mount(() => usePictureActions(options), parts);
    return hook.value;
  }

  beforeEach(() => {
    const neighbours = { previous: pages.recordAt(0), next: pages.recordAt(2) };
    walk = { position: 1, count: 3, step: () => false, toFirst: () => {}, toLast: () => {}, ...neighbours };
  });

  it('show the next picture after a deletion', async () => {
    (await open()).remove();

    expect(events).to.deep.equal([
      ['delete', record.id],
      ['show', pages.idAt(2)],
    ]);
  });

  it('show the previous picture if it was the last, and close if it was the only one', async () => {
    walk = { ...walk, next: undefined };
    (await open()).remove();
    expect(events[1]).to.deep.equal(['show', pages.idAt(0)]);
    walk = { ...walk, previous: undefined };
    (await open()).remove();

    expect(events[1]).to.equal('close');
  });

  it('show a picture again whose deletion is undone, unless the viewer was closed', async () => {
    (await open()).remove();
    undo();
    expect(events.at(-1)).to.deep.equal(['show', record.id]);
    parts.addressBar.push({ image: undefined });
    events = [];
    undo();

    expect(events).to.deep.equal([]);
  });

  it('delete nothing if another picture is shown when the person agrees', async () => {
    let agree: () => void = () => undefined;
    const ask = (_ids: unknown, proceed: () => void): void => void (agree = proceed);
    (await open({}, { ask })).remove();
    parts.addressBar.replace({ image: pages.idAt(2) });
    agree();

    expect(events).to.deep.equal([]);
  });

  it('say that there is no further picture', async () => {
    const actions = await open();
    actions.step(1);
    actions.step(-1);

    expect(events).to.deep.equal(['This is the last picture', 'This is the first picture']);
  });

  it('say nothing as long as the place is not known', async () => {
    walk = { ...walk, position: undefined };
    (await open()).step(1);

    expect(events).to.deep.equal([]);
  });

  it('report a download that fails', async () => {
    const failure = new Error('unreachable');
    const { download } = await open({
      url: async () => {
        throw failure;
      },
    });
    download();
    await hook.pass(1);

    expect(parts.reported).to.deep.equal([failure]);
  });
});
