import type { ImagePage, ImageRecord, PageQuery } from '@image-catalog/client';
import { expect } from 'chai';
import { Store } from '../../../web/src/base/store.ts';
import { Deletions } from '../../../web/src/deletion/deletions.ts';
import type { ImageList } from '../../../web/src/images/image-list.ts';
import { PagedImages } from '../../../web/src/images/paged-images.ts';
import { LivePictures } from '../../../web/src/live/live-pictures.ts';
import { Notices } from '../../../web/src/notices/notices.ts';
import { Selection } from '../../../web/src/selection/selection.ts';
import { UndoSteps } from '../../../web/src/undo/undo-steps.ts';
import { parseViewState } from '../../../web/src/view-state/view-state.ts';
import { settled } from '../../support/time/gate.ts';
import { ManualTime } from '../../support/time/manual-time.ts';
import { changeOf } from '../doubles/fake-change-feed.ts';
import { daysOf, FakeImagePages, loadedList } from '../doubles/fake-image-pages.ts';

const PICTURES = 20;

let time: ManualTime;
let pages: FakeImagePages;
let list: PagedImages;
let lists: Store<ImageList | undefined>;
let view: Store<ReturnType<typeof parseViewState>>;
let deletions: Deletions;
let selection: Selection;
let undo: UndoSteps;
let own: Set<number>;
/** What the service finds of new pictures in a filtered view. */
let matching: readonly ImageRecord[];
let asked: PageQuery[];
let live: LivePictures;

async function open(search = ''): Promise<void> {
  time = new ManualTime();
  pages = new FakeImagePages(daysOf(2, () => PICTURES / 2));
  list = await loadedList(pages);
  await list.load(0);
  lists = new Store<ImageList | undefined>(list);
  view = new Store(parseViewState(search));
  const notices = new Notices(time);
  undo = new UndoSteps(notices);
  deletions = new Deletions({
    catalog: { delete: async () => undefined },
    images: { list: lists },
    notices,
    undo,
    hasTrash: false,
  });
  selection = new Selection(new Notices(time));
  own = new Set();
  matching = [];
  asked = [];
  const page = async (query: PageQuery = {}): Promise<ImagePage> => {
    asked.push(query);
    return { records: matching, next: undefined, total: undefined, changesCursor: undefined };
  };
  live = new LivePictures({
    catalog: { page },
    images: { list: lists },
    view,
    deletions,
    selection,
    clock: time,
    isOwn: (id) => own.has(id),
  });
}

/** Another client uploads pictures, the newest of all. */
function uploaded(count: number): readonly ImageRecord[] {
  pages.changeCount(0, (pages.days[0]?.count ?? 0) + count);
  return Array.from({ length: count }, (_, at) => pages.recordAt(at));
}

async function create(records: readonly ImageRecord[]): Promise<void> {
  await live.apply(records.map((record) => changeOf('created', record)));
}

const shownIds = (): readonly (number | undefined)[] =>
  Array.from({ length: list.count }, (_, at) => list.recordAt(at)?.id);

describe('pictures that others upload', () => {
  beforeEach(() => open());

  it('wait, and the list stays as it is', async () => {
    const before = shownIds();
    await create(uploaded(3));

    expect(live.waiting.get().size).to.equal(3);
    expect(shownIds()).to.deep.equal(before);
  });

  it('still wait if the list is asked again for another reason', async () => {
    const before = shownIds();
    await create(uploaded(3));
    await list.refresh();

    expect(shownIds()).to.deep.equal(before);
  });

  it('come in when they are asked for; the first of them is said', async () => {
    await create(uploaded(3));
    const position = await live.bringIn();

    expect([position, list.count, live.waiting.get().size]).to.deep.equal([0, PICTURES + 3, 0]);
    expect(list.recordAt(0)?.id).to.equal(PICTURES + 3);
  });

  it('count once, however often the feed says it', async () => {
    const records = uploaded(2);
    await create(records);
    await create(records);
    await live.bringIn();
    await create(records);

    expect(live.waiting.get().size).to.equal(0);
    expect(list.count).to.equal(PICTURES + 2);
  });

  it('are not shown if they are deleted before', async () => {
    const [first, second] = uploaded(2) as [ImageRecord, ImageRecord];
    await create([first, second]);
    await live.apply([changeOf('deleted', first)]);

    expect([...live.waiting.get().keys()]).to.deep.equal([second.id]);
  });

  it('do not wait in an empty view', async () => {
    pages = new FakeImagePages(daysOf(1, () => 0));
    list = await loadedList(pages);
    lists.set(list);
    await create(uploaded(2));
    await time.settle(500);

    expect([live.waiting.get().size, list.count]).to.deep.equal([0, 2]);
  });

  it('do not wait if they come behind the last picture', async () => {
    view.set(parseViewState('?sort=first-added'));
    await create(uploaded(1));
    await time.settle(500);

    expect([live.waiting.get().size, list.count]).to.deep.equal([0, PICTURES + 1]);
  });

  it('do not wait for a view that was opened later', async () => {
    await create(uploaded(3));
    lists.set(new PagedImages(pages, { query: { sort: 'created', order: 'desc' } }));

    expect(live.waiting.get().size).to.equal(0);
  });

  it('of this page do not wait', async () => {
    const [first, second] = uploaded(2) as [ImageRecord, ImageRecord];
    own.add(first.id);
    await create([first]);
    expect(live.waiting.get().size).to.equal(0);

    // The feed was faster than the response to the upload.
    await create([second]);
    await list.refresh();
    own.add(second.id);
    live.releaseOwn();

    expect(live.waiting.get().size).to.equal(0);
    expect(list.positionOf(second.id)).to.equal(1);
  });

  it('that a filter leaves out are ignored: the service says which', async () => {
    await open('?q=cat');
    const [first, second] = uploaded(2) as [ImageRecord, ImageRecord];
    matching = [second];
    await create([first, second]);

    expect([...live.waiting.get().keys()]).to.deep.equal([second.id]);
    expect(asked.map(({ q }) => q)).to.deep.equal(['cat']);
  });
});

describe('pictures that others edit', () => {
  beforeEach(() => open());

  const edited = (position: number): ImageRecord => ({ ...pages.recordAt(position), title: 'Theirs' });

  it('change in their place', async () => {
    const record = edited(4);
    await live.apply([changeOf('updated', record, { version: 2 })]);

    expect(list.recordAt(4)).to.deep.equal(record);
    expect(live.edits.get().map(({ image, version }) => [image.id, version])).to.deep.equal([[record.id, 2]]);
  });

  it('are no news if they are shown already, as after an own edit', async () => {
    list.replace(edited(4));
    const { version } = list;
    const before = version.get();
    await live.apply([changeOf('updated', edited(4))]);

    expect([version.get(), live.edits.get()]).to.deep.equal([before, []]);
  });

  it('may leave a filtered view: it is asked again, once for many edits', async () => {
    await open('?tags=star');
    const timelines = pages.timelines.length;
    await live.apply([changeOf('updated', edited(4)), changeOf('updated', edited(5))]);
    await live.apply([changeOf('updated', edited(6))]);
    await time.settle(500);
    expect(pages.timelines.length).to.equal(timelines + 1);

    await live.apply([changeOf('updated', edited(7))]);
    await time.settle(9000);
    expect(pages.timelines.length, 'too soon').to.equal(timelines + 1);
    await time.settle(2000);
    expect(pages.timelines.length).to.equal(timelines + 2);
  });

  it('change a filtered view as soon if the clock of the device is set back', async () => {
    await open('?tags=star');
    await live.apply([changeOf('updated', edited(4))]);
    await time.settle(500);
    const timelines = pages.timelines.length;
    time.sleep(-7_200_000);

    await live.apply([changeOf('updated', edited(5))]);
    await time.settle(10_000);

    expect(pages.timelines.length).to.equal(timelines + 1);
  });

  it('do not change a filtered view below the viewer', async () => {
    await open('?tags=star&image=3');
    const timelines = pages.timelines.length;
    await live.apply([changeOf('updated', edited(4))]);
    await time.settle(500);
    expect(pages.timelines.length).to.equal(timelines);

    view.set(parseViewState('?tags=star'));
    await settled();
    expect(pages.timelines.length).to.equal(timelines + 1);
  });
});

describe('pictures that others delete', () => {
  beforeEach(() => open());

  it('disappear, also from the selection', async () => {
    const record = pages.recordAt(4);
    selection.add([record.id, 1]);
    await live.apply([changeOf('deleted', record)]);

    expect(shownIds()).to.not.include(record.id);
    expect([...selection.ids.get()]).to.deep.equal([1]);
    expect([...deletions.byOthers.get()]).to.deep.equal([record.id]);
  });

  it('disappear if the record that comes with an older change is gone', async () => {
    await live.apply([{ ...changeOf('updated', pages.recordAt(4)), image: null }]);

    expect(list.count).to.equal(PICTURES - 1);
  });

  it('do not come back when an own deletion is undone', async () => {
    const [first, second] = [pages.recordAt(4), pages.recordAt(5)];
    deletions.delete([first.id, second.id]);
    await live.apply([changeOf('deleted', first)]);
    undo.undo();

    expect(shownIds()).to.not.include(first.id);
    expect(shownIds()).to.include(second.id);
  });

  it('are not those of others if this page has deleted them', async () => {
    const record = pages.recordAt(4);
    deletions.delete([record.id]);
    await live.apply([changeOf('deleted', record)]);

    expect([...deletions.byOthers.get()]).to.deep.equal([]);
  });

  it('are counted by the service if they are not loaded', async () => {
    await live.apply([changeOf('deleted', { ...pages.recordAt(0), id: 999 })]);
    pages.changeCount(1, PICTURES / 2 - 1);
    await time.settle(500);

    expect(list.count).to.equal(PICTURES - 1);
  });
});

describe('pictures that go to the trash and come back', () => {
  beforeEach(() => open());

  async function trashed(position: number): Promise<ImageRecord> {
    const record = pages.recordAt(position);
    await live.apply([changeOf('trashed', record)]);
    return record;
  }

  it('disappear, and wait as new ones when others restore them', async () => {
    const record = await trashed(4);
    expect(shownIds()).to.not.include(record.id);

    await live.apply([changeOf('restored', record)]);
    expect([...live.waiting.get().keys()]).to.deep.equal([record.id]);
    expect([...deletions.hidden.get()]).to.deep.equal([]);
    expect(shownIds()).to.not.include(record.id);

    await live.bringIn();
    expect(shownIds()).to.include(record.id);
  });

  it('stay where they are if both happens at once', async () => {
    const record = pages.recordAt(4);
    const before = shownIds();
    await live.apply([changeOf('trashed', record), changeOf('restored', record)]);

    expect(shownIds()).to.deep.equal(before);
    expect(live.waiting.get().size).to.equal(0);
  });

  it('are shown at once if this page restores them, whatever the feed has said before', async () => {
    const record = pages.recordAt(4);
    own.add(record.id);
    await trashed(4);
    await live.apply([changeOf('restored', record)]);

    expect(shownIds()).to.include(record.id);
    expect(live.waiting.get().size).to.equal(0);
  });
});

describe('changes of names', () => {
  beforeEach(() => open());

  it('are no edits of the pictures that have them', async () => {
    const record = pages.recordAt(4);
    const change = { ...changeOf('updated', { ...record, id: 999 }), type: 'name.set', name: 'hero' };
    await live.apply([change]);

    expect(live.edits.get()).to.deep.equal([]);
    expect(live.changes.get()).to.deep.equal([change]);
  });

  it('do not hide the version of an edit', async () => {
    const record = { ...pages.recordAt(4), title: 'Theirs' };
    const name = { ...changeOf('updated', record), type: 'name.set', name: 'hero' };
    await live.apply([changeOf('updated', record, { version: 2 }), name]);

    expect(live.edits.get().map(({ version }) => version)).to.deep.equal([2]);
  });
});
