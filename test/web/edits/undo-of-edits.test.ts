import { CatalogError, type ImageRecord } from '@image-catalog/client';
import { expect } from 'chai';
import { Store } from '../../../web/src/base/store.ts';
import type { Edit } from '../../../web/src/edits/edit.ts';
import { Edits } from '../../../web/src/edits/edits.ts';
import { MOST_UNDONE } from '../../../web/src/edits/most-undone.ts';
import { Notices } from '../../../web/src/notices/notices.ts';
import { UndoSteps } from '../../../web/src/undo/undo-steps.ts';
import { parseViewState, type ViewState } from '../../../web/src/view-state/view-state.ts';
import { settled } from '../../support/time/gate.ts';
import { ManualTime } from '../../support/time/manual-time.ts';
import { CAMERA_TIME, FakeMetadata } from '../doubles/fake-metadata.ts';

const OUTAGE = new CatalogError('no', { code: 'storage_unavailable', status: 503 });
const BY_HAND = '2026-07-01T12:00:00.000+02:00';

let catalog: FakeMetadata;
let time: ManualTime;
let notices: Notices;
let undo: UndoSteps;
let view: Store<ViewState>;
/** What the list of the view has loaded. */
let records: Map<number, ImageRecord>;
let refreshes: number;
let reported: unknown[];
let saved: Array<readonly number[]>;
let edits: Edits;

function useEdits(): void {
  beforeEach(() => {
    catalog = new FakeMetadata()
      .add(1, { title: 'Cat', tags: ['sofa'] })
      .add(2)
      .add(3, { title: 'Tree' });
    time = new ManualTime();
    notices = new Notices(time);
    undo = new UndoSteps(notices);
    view = new Store(parseViewState(''));
    records = new Map();
    [refreshes, reported, saved] = [0, [], []];
    const list = {
      find: (id: number) => records.get(id),
      replace: (...changed: readonly ImageRecord[]) => {
        for (const one of changed) records.set(one.id, one);
      },
      refresh: async () => void (refreshes += 1),
    };
    edits = new Edits({
      catalog,
      images: { list: new Store(list as never) },
      view,
      notices,
      trouble: { report: (error) => void reported.push(error) },
      undo,
    });
  });
}

const shown = (): readonly string[] => notices.shown.get().map(({ text }) => text);
const titles = (): readonly unknown[] => [...catalog.images.values()].map(({ title }) => title);

async function change(edit: Edit, ids: readonly number[] = [1, 2, 3]): Promise<void> {
  const onSaved = (changed: readonly number[]): void => void saved.push(changed);
  await edits.change(ids, edit, { textOf: ({ updated }) => `${updated.length} changed`, onSaved });
}

async function undoAll(): Promise<void> {
  undo.undo();
  await settled();
  await settled();
}

describe('the undo of an edit of many pictures', () => {
  useEdits();

  it('brings back the title of each, and says so', async () => {
    await change({ title: 'Mountains' });
    expect([shown(), titles()]).to.deep.equal([['3 changed'], ['Mountains', 'Mountains', 'Mountains']]);
    await undoAll();

    expect(titles()).to.deep.equal(['Cat', null, 'Tree']);
    expect(shown()).to.deep.equal(['Changes of 3 pictures undone.']);
    expect([saved, refreshes]).to.deep.equal([
      [
        [1, 2, 3],
        [1, 2, 3],
      ],
      1,
    ]);
  });

  it('is offered for 8 s', async () => {
    await change({ title: 'Mountains' });
    await time.settle(8000);
    await undoAll();

    expect([shown(), titles()]).to.deep.equal([[], ['Mountains', 'Mountains', 'Mountains']]);
  });

  it('needs no request before the edit for pictures of the list, which shows what is back', async () => {
    records.set(1, { id: 1, title: 'Cat', tags: ['sofa'], takenAt: null } as never);
    await change({ title: 'Mountains' }, [1, 2]);
    expect(catalog.requests).to.deep.equal(['read 2', 'edit many 1 2']);

    records.set(1, { id: 1, title: 'Mountains', tags: ['sofa'], takenAt: null } as never);
    await undoAll();
    expect(records.get(1)?.title).to.equal('Cat');
  });

  it('brings back descriptions, which the list does not have', async () => {
    catalog.put(1, { description: 'On the sofa' });
    records.set(1, { id: 1, title: 'Cat', tags: [], takenAt: null } as never);
    await change({ description: null }, [1]);
    await undoAll();

    expect(catalog.images.get(1)?.description).to.equal('On the sofa');
  });

  it('brings back times by hand as they were, and leaves the others to the camera', async () => {
    catalog.put(1, { takenAt: BY_HAND });
    catalog.put(2, { takenAt: CAMERA_TIME });
    await change({ shiftMinutes: 60 });
    const moved = [...catalog.images.values()].map(({ takenAt }) => takenAt);
    const sent: unknown[] = [];
    const { edit } = catalog;
    Object.assign(catalog, {
      edit: (...request: Parameters<typeof edit>) => {
        sent.push(request[1]);
        return edit(...request);
      },
    });
    await undoAll();

    expect(moved).to.deep.equal(['2026-07-01T13:00:00.000+02:00', '2026-06-01T13:00:00.000', null]);
    expect(sent).to.deep.equal([{ takenAt: BY_HAND }, { takenAt: null }]);
  });

  it('is that of a shift of times whose response was lost, which is asked for once', async () => {
    catalog.put(1, { takenAt: BY_HAND });
    const { editMany } = catalog;
    const shift = async (...request: Parameters<typeof editMany>): Promise<never> => {
      await editMany(...request);
      throw new CatalogError('no', { code: 'network_error', status: 0 });
    };
    Object.assign(catalog, { editMany: shift });
    await change({ shiftMinutes: 60 });
    expect([shown(), reported, saved]).to.deep.equal([['3 changed'], [], [[1, 2, 3]]]);
    await undoAll();

    expect(catalog.images.get(1)?.takenAt).to.equal(BY_HAND);
  });

  it('is none of a shift of times that was not done', async () => {
    catalog.put(1, { takenAt: BY_HAND });
    catalog.before = (request) => {
      if (request.startsWith('edit many')) throw OUTAGE;
    };
    await change({ shiftMinutes: 60 });

    expect([shown(), reported]).to.deep.equal([['0 changed'], [OUTAGE]]);
  });

  it('removes only tags that the edit has added, and keeps those of others', async () => {
    await change({ addTags: ['cat', 'Sofa'], removeTags: ['tree'] }, [1, 2]);
    catalog.put(2, { tags: ['cat', 'garden', 'Sofa'] });
    await undoAll();

    expect(catalog.images.get(1)?.tags).to.include('sofa').and.not.include('cat');
    expect(catalog.images.get(2)?.tags).to.deep.equal(['garden']);
  });
});

describe('the undo of an edit, and what others do meanwhile', () => {
  useEdits();

  it('leaves a picture as it is whose title others have changed since', async () => {
    await change({ title: 'Mountains' });
    catalog.put(2, { title: 'Hills' });
    await undoAll();

    expect(titles()).to.deep.equal(['Cat', 'Hills', 'Tree']);
    expect(shown()).to.deep.equal([
      'Changes of 2 pictures undone. 1 picture was changed by someone else since and stays as it is.',
    ]);
  });

  it('overwrites no edit that comes in between', async () => {
    await change({ title: 'Mountains' }, [1]);
    catalog.before = (request) => {
      if (request === 'edit 1') catalog.put(1, { title: 'Hills' });
      catalog.before = request === 'edit 1' ? () => undefined : catalog.before;
    };
    await undoAll();

    expect(titles()[0]).to.equal('Hills');
  });

  it('passes over pictures that were deleted, before and after', async () => {
    await change({ title: 'Mountains' }, [1, 2, 9]);
    catalog.images.delete(2);
    await undoAll();

    expect(titles()).to.deep.equal(['Cat', 'Tree']);
    expect(shown()).to.deep.equal(['Change of 1 picture undone. 1 picture has been deleted.']);
  });

  it('does not move the list while a picture is open', async () => {
    view.set(parseViewState('?image=1'));
    await change({ title: 'Mountains' });
    await undoAll();
    const whileOpen = refreshes;
    view.set(parseViewState(''));

    expect([whileOpen, refreshes]).to.deep.equal([0, 1]);
  });
});

describe('the bounds of the undo of an edit', () => {
  useEdits();

  it('stops at an outage, and goes on with the rest if the person says so', async () => {
    await change({ title: 'Mountains' });
    catalog.before = (request) => {
      if (request === 'edit 2') throw OUTAGE;
    };
    await undoAll();
    expect(titles()).to.deep.equal(['Cat', 'Mountains', 'Tree']);
    expect(reported).to.deep.equal([OUTAGE]);
    expect(shown()).to.deep.equal(['Changes of 2 pictures undone. 1 picture could not be changed back.']);

    catalog.before = () => undefined;
    notices.act(notices.shown.get()[0]?.id ?? 0);
    await settled();
    await settled();
    expect(titles()).to.deep.equal(['Cat', null, 'Tree']);
  });

  it('asks for no further picture after an outage', async () => {
    const ids = Array.from({ length: 40 }, (_, index) => index + 1);
    for (const id of ids) catalog.add(id);
    await change({ title: 'Mountains' }, ids);
    catalog.requests.length = 0;
    catalog.before = () => {
      throw OUTAGE;
    };
    await undoAll();

    expect(catalog.requests).to.have.length(4);
    expect(shown()).to.deep.equal(['40 pictures could not be changed back.']);
  });

  it('says how far it is', async () => {
    const ids = Array.from({ length: 200 }, (_, index) => index + 1);
    for (const id of ids) catalog.add(id);
    await change({ title: 'Mountains' }, ids);
    const said: string[] = [];
    notices.shown.subscribe(() => said.push(...shown()));
    await undoAll();

    expect(said).to.include('Undoing: 100 of 200 pictures');
    expect(shown()).to.deep.equal(['Changes of 200 pictures undone.']);
  });

  it('is not offered for more pictures than it can undo', async () => {
    const ids = Array.from({ length: MOST_UNDONE + 1 }, (_, index) => index + 1);
    for (const id of ids) catalog.add(id);
    await change({ title: 'Mountains' }, ids);

    expect(notices.shown.get().map(({ action }) => action)).to.deep.equal([undefined]);
    expect(catalog.requests).to.have.length(2);
  });

  it('is none if what was there cannot be read: then nothing is changed', async () => {
    catalog.before = (request) => {
      if (request === 'read 3') throw OUTAGE;
    };
    await change({ title: 'Mountains' });

    expect([titles(), reported]).to.deep.equal([['Cat', null, 'Tree'], [OUTAGE]]);
    expect(shown()).to.deep.equal(['0 changed']);
  });
});
