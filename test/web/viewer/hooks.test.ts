import { CatalogError, type ImageRecord } from '@image-catalog/client';
import { expect } from 'chai';
import { Store } from '../../../web/src/base/store.ts';
import type { ImageList } from '../../../web/src/images/image-list.ts';
import { PagedImages } from '../../../web/src/images/paged-images.ts';
import { FITTED } from '../../../web/src/stage/geometry.ts';
import { useZoom, type Zoom } from '../../../web/src/stage/use-zoom.ts';
import { useHint } from '../../../web/src/viewer/use-hint.ts';
import { usePicture } from '../../../web/src/viewer/use-picture.ts';
import { type PictureActions, usePictureActions } from '../../../web/src/viewer/use-picture-actions.ts';
import { useViewerKeys } from '../../../web/src/viewer/use-viewer-keys.ts';
import { useWalk, type Walk } from '../../../web/src/viewer/use-walk.ts';
import { daysOf, FakeImagePages } from '../doubles/fake-image-pages.ts';
import { GalleryParts } from '../doubles/gallery-parts.ts';
import { RenderedHook } from '../doubles/rendered-hook.ts';

const STAGE = { width: 1000, height: 500 };
const LANDSCAPE = { id: 1, width: 4000, height: 2000 };
const PORTRAIT = { id: 2, width: 2000, height: 4000 };

let mounted: RenderedHook<unknown> | undefined;

async function rendered<Value>(hook: () => Value, parts = new GalleryParts()): Promise<RenderedHook<Value>> {
  const result = await RenderedHook.render(hook, parts.wrap);
  mounted = result;
  return result;
}

async function opened(pages: FakeImagePages): Promise<ImageList> {
  const list = new PagedImages(pages, { query: { sort: 'taken', order: 'desc' } });
  await list.refresh();
  return list;
}

function unmountHook(): void {
  afterEach(async () => {
    await mounted?.unmount();
    mounted = undefined;
  });
}

describe('the zoom of the viewer', () => {
  unmountHook();

  const open = async (picture: typeof LANDSCAPE = LANDSCAPE, stage = STAGE) => {
    const shown = { picture, stage };
    return { shown, hook: await rendered<Zoom>(() => useZoom(shown.picture, shown.stage)) };
  };

  it('shows a picture whole at first', async () => {
    const { hook } = await open();

    expect(hook.value.isZoomed).to.equal(false);
    expect(hook.value.frame.fitted).to.deep.equal({ width: 1000, height: 500 });
  });

  it('takes several changes before the next render', async () => {
    const { hook } = await open();
    await hook.do(({ by }) => {
      by(2);
      by(2);
    });

    expect(hook.value.placement.zoom).to.equal(4);
  });

  it('does not pass on to another picture', async () => {
    const { hook, shown } = await open();
    await hook.do(({ by }) => by(3));
    shown.picture = PORTRAIT;
    await hook.again();

    expect([hook.value.isZoomed, hook.value.isAnimated]).to.deep.equal([false, false]);
  });

  it('stays when the window changes its size', async () => {
    const { hook, shown } = await open();
    await hook.do(({ by }) => by(3));
    shown.stage = { width: 800, height: 400 };
    await hook.again();

    expect([hook.value.isZoomed, hook.value.isAnimated]).to.deep.equal([true, false]);
  });

  it('is a motion for keys and double clicks, and follows wheel and fingers at once', async () => {
    const { hook } = await open();
    const motions: [(zoom: Zoom) => void, boolean][] = [
      [({ by }) => by(2, FITTED, true), true],
      [({ by }) => by(2), false],
      [({ pan }) => pan({ x: 5, y: 0 }), false],
      [({ step }) => step(1, 0), true],
      [({ reset }) => reset(), true],
      [({ toggle }) => toggle(), true],
    ];
    for (const [change, isAnimated] of motions) {
      await hook.do(change);
      expect(hook.value.isAnimated).to.equal(isAnimated);
    }
  });
});

describe('a hint of the viewer', () => {
  unmountHook();

  it('goes away by itself', async () => {
    const hook = await rendered(() => useHint(1));
    await hook.do(([, show]) => show('The last picture'));
    await hook.pass(1900);
    expect(hook.value[0]).to.equal('The last picture');
    await hook.pass(100);

    expect(hook.value[0]).to.equal(undefined);
  });

  it('goes away with its picture', async () => {
    let id = 1;
    const hook = await rendered(() => useHint(id));
    await hook.do(([, show]) => show('The last picture'));
    id = 2;
    await hook.again();

    expect(hook.value[0]).to.equal(undefined);
  });
});

describe('a walk of the viewer', () => {
  unmountHook();

  let pages: FakeImagePages;
  let shown: ImageRecord[];
  let parts: GalleryParts;
  let record: ImageRecord;

  async function walk(position: number, count = 600): Promise<RenderedHook<Walk>> {
    pages = new FakeImagePages(daysOf(1, () => count));
    shown = [];
    parts = new GalleryParts({ list: await opened(pages) });
    record = pages.recordAt(position);
    return await rendered(() => useWalk(record, (next) => shown.push(next)), parts);
  }

  const ids = (): readonly number[] => shown.map(({ id }) => id);

  it('knows its place and its neighbours', async () => {
    const { value } = await walk(10);

    expect([value.position, value.count]).to.deep.equal([10, 600]);
    expect([value.previous?.id, value.next?.id]).to.deep.equal([pages.idAt(9), pages.idAt(11)]);
  });

  it('steps in both directions', async () => {
    const hook = await walk(10);
    await hook.do(({ step }) => expect(step(1)).to.equal(true));
    await hook.do(({ step }) => expect(step(-1)).to.equal(true));

    expect(ids()).to.deep.equal([pages.idAt(11), pages.idAt(9)]);
  });

  it('ends at the first and the last picture', async () => {
    const first = await walk(0);
    expect(first.value.step(-1)).to.equal(false);
    await first.unmount();

    expect((await walk(599)).value.step(1)).to.equal(false);
    expect(ids()).to.deep.equal([]);
  });

  it('finds the place of a picture that the list has not loaded', async () => {
    const { value } = await walk(400);

    expect([value.position, value.next?.id]).to.deep.equal([400, pages.idAt(401)]);
  });

  it('loads what is far away, and leaves out steps meanwhile', async () => {
    const hook = await walk(10, 5000);
    await hook.do(({ toLast, step }) => {
      toLast();
      step(1);
    });

    expect(ids()).to.deep.equal([pages.idAt(4999)]);
  });

  it('reports a picture that cannot be loaded, and goes on', async () => {
    const hook = await walk(10, 5000);
    pages.failure = new Error('unreachable');
    await hook.do(({ toLast }) => toLast());
    pages.failure = undefined;
    await hook.do(({ toFirst }) => toFirst());

    expect(parts.reported.map(String)).to.deep.equal(['Error: unreachable']);
    expect(ids()).to.deep.equal([pages.idAt(0)]);
  });

  it('is alone with a picture of no view', async () => {
    const hook = await walk(10);
    record = { ...record, id: 99_999, takenAt: '1999-01-01T00:00:00' };
    await hook.again();

    expect(hook.value.position).to.equal(undefined);
    expect(hook.value.step(1)).to.equal(false);
  });
});

describe('a picture of the viewer', () => {
  unmountHook();

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
      list: await opened(pages),
      deletions: { hidden: store, byOthers },
    });
    return { parts, hidden: store, hook: await rendered(() => usePicture(id), parts) };
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

  it('that cannot be loaded is reported, and tried again', async () => {
    failure = new CatalogError('down', { code: 'network_error', status: 0 });
    const { hook, parts } = await open(77);
    expect([hook.value.kind, parts.reported]).to.deep.equal(['failed', [failure]]);
    failure = undefined;
    await hook.do((picture) => picture.kind === 'failed' && picture.retry());

    expect(hook.value.kind).to.equal('shown');
  });
});

describe('the actions of a picture in the viewer', () => {
  unmountHook();

  const pages = new FakeImagePages(daysOf(1, () => 3));
  const record = pages.recordAt(1);
  let events: unknown[];
  let undo: () => void;
  let parts: GalleryParts;
  let walk: Walk;

  async function open(links: object = {}): Promise<PictureActions> {
    events = [];
    const deletions = {
      hidden: new Store(new Set()),
      delete: (ids: readonly number[], { onUndone }: { readonly onUndone: () => void }) => {
        events.push(['delete', ...ids]);
        undo = onUndone;
      },
    };
    parts = new GalleryParts({ links, deletions }, `?image=${record.id}`);
    const options = {
      record,
      walk,
      showHint: (text: string) => events.push(text),
      onShow: ({ id }: ImageRecord) => events.push(['show', id]),
      onClose: () => events.push('close'),
    };
    return (await rendered(() => usePictureActions(options), parts)).value;
  }

  beforeEach(() => {
    const neighbours = { previous: pages.recordAt(0), next: pages.recordAt(2) };
    walk = { position: 1, count: 3, step: () => false, toFirst: noop, toLast: noop, ...neighbours };
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
    await mounted?.unmount();
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
    await mounted?.pass(1);

    expect(parts.reported).to.deep.equal([failure]);
  });
});

describe('the keys of the viewer', () => {
  unmountHook();

  const dialog = { current: {} as HTMLDialogElement };
  let seen: string[];
  let parts: GalleryParts;
  let isZoomed: boolean;

  beforeEach(async () => {
    seen = [];
    isZoomed = false;
    const note = (name: string) => () => void seen.push(name);
    const zoom = {
      get isZoomed() {
        return isZoomed;
      },
      step: (x: number, y: number) => void seen.push(`pan ${x} ${y}`),
      by: (factor: number) => void seen.push(factor > 1 ? 'larger' : 'smaller'),
      reset: note('fit'),
    };
    const walk = { toFirst: () => seen.push('first'), toLast: () => seen.push('last') };
    const actions = {
      step: (by: number) => void seen.push(`step ${by}`),
      remove: () => seen.push('delete'),
      download: note('download'),
    };
    const deletions = { hidden: new Store(new Set()), undo: note('undo') };
    parts = new GalleryParts({ deletions });
    const options = { dialog, zoom, walk, actions, onPanel: note('panel'), onTags: note('tags') };
    await rendered(() => useViewerKeys(options as never), parts);
  });

  const press = (key: string): boolean => pressOn(dialog.current, key);
  const pressOn = (on: object | undefined, key: string): boolean =>
    parts.shortcuts.handle(
      { key, ctrlKey: false, metaKey: false, altKey: false, shiftKey: false, repeat: false },
      { typing: false, onControl: false, dialog: on },
    );

  it('are those of the list of keys', () => {
    const keys = ['ArrowLeft', 'ArrowRight', 'Home', 'End', '+', '=', '-', '0', 'd', 'Delete', 'z', 'i', 't'];
    expect(keys.map((key) => press(key))).to.deep.equal(keys.map(() => true));

    expect(seen).to.deep.equal([
      'step -1',
      'step 1',
      'first',
      'last',
      'larger',
      'larger',
      'smaller',
      'fit',
      'download',
      'delete',
      'undo',
      'panel',
      'tags',
    ]);
  });

  it('move a picture that is zoomed', () => {
    isZoomed = true;
    for (const key of ['ArrowLeft', 'ArrowRight', 'ArrowUp', 'ArrowDown']) press(key);

    expect(seen).to.deep.equal(['pan -1 0', 'pan 1 0', 'pan 0 -1', 'pan 0 1']);
  });

  it('keep the page below from scrolling', () => {
    expect([press('ArrowUp'), press('ArrowDown'), seen]).to.deep.equal([true, true, []]);
  });

  it('are none of the page, and none of another dialog', () => {
    expect([pressOn(undefined, 'd'), pressOn({}, 'd')]).to.deep.equal([false, false]);
  });
});

function noop(): void {}
