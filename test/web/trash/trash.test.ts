import { CatalogError, type Change, type TrashedImage } from '@image-catalog/client';
import { expect } from 'chai';
import { Store } from '../../../web/src/base/store.ts';
import { Deletions } from '../../../web/src/deletion/deletions.ts';
import { Notices } from '../../../web/src/notices/notices.ts';
import { daysLeft } from '../../../web/src/trash/days-left.ts';
import { TrashActions } from '../../../web/src/trash/trash-actions.ts';
import { type TrashList, useTrashList } from '../../../web/src/trash/use-trash-list.ts';
import { type TrashWork, useTrashWork } from '../../../web/src/trash/use-trash-work.ts';
import { UndoSteps } from '../../../web/src/undo/undo-steps.ts';
import { ManualTime } from '../../support/time/manual-time.ts';
import { GalleryParts } from '../doubles/gallery-parts.ts';
import { RenderedHook } from '../doubles/rendered-hook.ts';

const GONE = new CatalogError('gone', { code: 'image_not_found', status: 404 });
const FORBIDDEN = new CatalogError('No', { code: 'insufficient_scope', status: 403 });

describe('days until a picture is erased', () => {
  const now = Date.parse('2026-01-30T12:00:00Z');
  for (const [erasedAt, expected] of [
    ['2026-03-01T12:00:00.000Z', 30],
    ['2026-01-31T12:00:00.001Z', 2],
    ['2026-01-31T12:00:00.000Z', 1],
    ['2026-01-30T12:00:00.000Z', 0],
    ['2026-01-01T12:00:00.000Z', 0],
  ] as const) {
    it(`are ${expected} at ${erasedAt}`, () => expect(daysLeft(erasedAt, now)).to.equal(expected));
  }
});

describe('pictures of the trash', () => {
  let notices: Notices;
  let deletions: Deletions;
  let refusals: Map<number, CatalogError>;
  let sent: string[];
  let list: RecordedList;
  let actions: TrashActions;

  beforeEach(() => {
    notices = new Notices(new ManualTime());
    refusals = new Map();
    sent = [];
    list = new RecordedList();
    const images = { list: new Store(list as never) };
    const send = (action: string) => async (id: number) => {
      sent.push(`${action} ${id}`);
      const refusal = refusals.get(id);
      if (refusal !== undefined) throw refusal;
    };
    const catalog = { restoreImage: send('restore') as never, eraseImage: send('erase') };
    deletions = new Deletions({
      catalog: { delete: async () => undefined },
      images,
      notices,
      undo: new UndoSteps(notices),
      hasTrash: false,
    });
    actions = new TrashActions({ catalog, deletions, images, notices });
  });

  const shown = (): readonly string[] => notices.shown.get().map(({ text }) => text);

  it('are restored, and in the list again', async () => {
    deletions.removed([1, 2]);
    const progress: number[] = [];

    expect(await actions.restore([1, 2], (done) => progress.push(done))).to.deep.equal([1, 2]);
    expect(progress).to.deep.equal([1, 2]);
    expect([...deletions.hidden.get()]).to.deep.equal([]);
    expect(list.calls).to.deep.equal(['hide 1,2', 'show 1,2', 'refresh']);
    expect([...deletions.restoredHere]).to.deep.equal([1, 2]);
    expect(shown()).to.deep.equal(['2 pictures restored']);
  });

  it('that others have erased are not restored, but they leave the list', async () => {
    refusals.set(1, GONE).set(2, FORBIDDEN);

    expect(await actions.restore([1, 2, 3], () => undefined)).to.deep.equal([1, 3]);
    expect(shown()).to.deep.equal([
      '1 picture could not be restored. The picture is not there any more.',
      '1 picture could not be restored. You have no permission for this. Ask the operator of the catalog.',
      'Picture restored',
    ]);
  });

  it('are erased; those that are erased already are no failure', async () => {
    refusals.set(1, GONE).set(2, FORBIDDEN);

    expect(await actions.erase([1, 2, 3], () => undefined)).to.deep.equal([1, 3]);
    expect(shown()).to.deep.equal([
      '1 picture could not be erased. You have no permission for this. Ask the operator of the catalog.',
      '2 pictures erased',
    ]);
    expect(sent).to.deep.equal(['erase 1', 'erase 2', 'erase 3']);
  });
});

interface Shown {
  readonly list: TrashList;
  readonly work: TrashWork;
}

describe('the page of the trash', () => {
  let trash: TrashedImage[];
  let changes: Store<readonly Change[]>;
  let isSent: boolean;
  let restored: number[];
  let hook: RenderedHook<Shown>;

  async function open(pictures: readonly TrashedImage[]): Promise<void> {
    trash = [...pictures];
    changes = new Store<readonly Change[]>([]);
    isSent = false;
    restored = [];
    const deletions = {
      sendNow: async () => void (isSent = true),
      restored: () => undefined,
      restoredHere: new Set(),
    };
    const catalog = {
      async *listTrash() {
        if (!isSent) throw new TypeError('Deletions of this page wait');
        yield* trash;
      },
      restoreImage: async (id: number) => void restored.push(id),
    };
    const parts = new GalleryParts({ catalog, deletions, live: { changes } });
    hook = await RenderedHook.render(() => {
      const list = useTrashList();
      return { list, work: useTrashWork(list) };
    }, parts.wrap);
    await hook.pass(1);
  }

  afterEach(() => hook.unmount());

  const ids = (): readonly number[] | undefined => hook.value.list.pictures?.map(({ image }) => image.id);

  it('has what was deleted, also by this page a moment ago', async () => {
    await open([trashed(2), trashed(1)]);

    expect(ids()).to.deep.equal([2, 1]);
    expect(hook.value.list.showMore).to.equal(undefined);
  });

  it('shows a thousand pictures, and more if the person wants', async () => {
    await open(Array.from({ length: 1001 }, (_, at) => trashed(2000 - at)));
    expect(ids()).to.have.length(1000);

    await hook.do(({ list }) => list.showMore?.());
    expect(ids()).to.have.length(1001);
    expect(hook.value.list.showMore).to.equal(undefined);
  });

  it('restores the selected pictures', async () => {
    await open([trashed(3), trashed(2), trashed(1)]);
    await hook.do(({ work }) => work.select([3, 2]));
    await hook.do(({ work }) => work.toggle(3));
    await hook.do(({ work }) => work.toggle(1));
    expect(hook.value.work.ids).to.deep.equal([2, 1]);

    await hook.do(({ work }) => work.restore());
    expect(restored).to.deep.equal([2, 1]);
    expect(ids()).to.deep.equal([3]);
    expect([hook.value.work.ids, hook.value.work.progress]).to.deep.equal([[], undefined]);
  });

  it('loses what others restore or erase, and says that others have deleted more', async () => {
    await open([trashed(3), trashed(2), trashed(1)]);
    await hook.do(() => changes.set([change('image.restored', 3), change('image.deleted', 1)]));
    expect(ids()).to.deep.equal([2]);
    expect(hook.value.list.isOutdated).to.equal(false);

    trash = [trashed(4), trashed(2)];
    await hook.do(() => changes.set([change('image.trashed', 2), change('image.trashed', 4)]));
    expect([ids(), hook.value.list.isOutdated]).to.deep.equal([[2], true]);

    await hook.do(({ list }) => list.reload());
    expect([ids(), hook.value.list.isOutdated]).to.deep.equal([[4, 2], false]);
  });
});

function trashed(id: number): TrashedImage {
  const image = { id } as TrashedImage['image'];
  return {
    image,
    trashedAt: '2026-01-01T12:00:00.000Z',
    trashedBy: null,
    erasedAt: '2026-01-31T12:00:00.000Z',
  };
}

function change(type: string, id: number): Change {
  return { cursor: String(id), type, id, at: '2026-01-31T12:00:00.000Z', by: null };
}

class RecordedList {
  readonly calls: string[] = [];

  hide(ids: readonly number[]): void {
    if (ids.length > 0) this.calls.push(`hide ${ids.join()}`);
  }

  show(ids: readonly number[]): void {
    this.calls.push(`show ${ids.join()}`);
  }

  async refresh(): Promise<void> {
    this.calls.push('refresh');
  }
}
