import { CatalogError } from '@image-catalog/client';
import { expect } from 'chai';
import { Store } from '../../../web/src/base/store.ts';
import { Deletions, type DeletionsParts } from '../../../web/src/deletion/deletions.ts';
import type { ImageList } from '../../../web/src/images/image-list.ts';
import { Notices } from '../../../web/src/notices/notices.ts';
import { UndoSteps } from '../../../web/src/undo/undo-steps.ts';
import { Gate, settled } from '../../support/time/gate.ts';
import { ManualTime } from '../../support/time/manual-time.ts';

let time: ManualTime;
let notices: Notices;
let list: RecordedList;
let lists: Store<ImageList | undefined>;
let requests: number[];
let respond: (id: number) => Promise<void>;
let undo: UndoSteps;
let parts: DeletionsParts;
let deletions: Deletions;

function useDeletions(): void {
  beforeEach(() => {
    time = new ManualTime();
    notices = new Notices(time);
    list = new RecordedList();
    lists = new Store<ImageList | undefined>(list as unknown as ImageList);
    requests = [];
    respond = async () => {};
    const catalog = {
      delete: async (id: number): Promise<void> => {
        requests.push(id);
        await respond(id);
      },
    };
    undo = new UndoSteps(notices);
    parts = { catalog, images: { list: lists }, notices, undo, hasTrash: false };
    deletions = new Deletions(parts);
  });
}

function shown(): readonly string[] {
  return notices.shown.get().map(({ text }) => text);
}

describe('deletions', () => {
  useDeletions();

  it('hides the pictures at once, in one notice, and sends nothing yet', () => {
    deletions.delete([1, 2, 3]);

    expect([...list.hidden]).to.deep.equal([1, 2, 3]);
    expect(shown()).to.deep.equal(['3 pictures deleted']);
    expect(requests).to.deep.equal([]);
  });

  it('sends the requests when the undo time is over, and refreshes the list once', async () => {
    deletions.delete([1, 2, 3, 4, 5, 6]);
    await time.settle(8000);

    expect(requests).to.deep.equal([1, 2, 3, 4, 5, 6]);
    expect(list.refreshes).to.equal(1);
    expect(shown()).to.deep.equal([]);
  });

  it('deletes a picture once that is deleted twice', async () => {
    deletions.delete([1, 1]);
    deletions.delete([1]);
    await time.settle(8000);

    expect(requests).to.deep.equal([1]);
  });

  it('hides the pictures in the next list as well', () => {
    deletions.delete([1]);
    const next = new RecordedList();
    lists.set(next as unknown as ImageList);

    expect([...next.hidden]).to.deep.equal([1]);
  });

  it('sends the requests at once if the page is left before', async () => {
    respond = async () => await new Promise(() => undefined);
    deletions.delete([1]);
    deletions.delete([2, 3, 4, 5, 6]);
    expect(deletions.pending).to.equal(6);
    void deletions.sendNow({ keepalive: true });

    expect(requests).to.deep.equal([1, 2, 3, 4, 5, 6]);
    expect([...list.hidden]).to.deep.equal([1, 2, 3, 4, 5, 6]);
    expect(shown()).to.deep.equal([]);
    await time.settle(8000);
    expect(requests).to.have.length(6);
  });

  it('says when everything is sent, for the page of the trash', async () => {
    const gate = new Gate();
    respond = () => gate.opened;
    deletions.delete([1]);
    await time.settle(8000);
    deletions.delete([2]);
    let isSent = false;
    void deletions.sendNow().then(() => {
      isSent = true;
    });
    await settled();
    const wasSent = isSent;
    gate.open();
    await settled();

    expect([wasSent, isSent]).to.deep.equal([false, true]);
    expect(requests).to.deep.equal([1, 2]);
  });

  it('says that pictures are in the trash where there is one', () => {
    deletions = new Deletions({ ...parts, hasTrash: true });
    deletions.delete([1]);
    deletions.delete([2, 3]);

    expect(shown()).to.deep.equal(['2 pictures moved to the trash']);
  });
});

describe('pictures that come back from the trash', () => {
  useDeletions();

  it('are pictures like others again', async () => {
    deletions.delete([1]);
    await time.settle(8000);
    deletions.removed([1, 2]);
    deletions.restored([1, 2]);
    expect([[...deletions.hidden.get()], [...deletions.byOthers.get()]]).to.deep.equal([[], []]);

    // An own deletion can be undone again.
    deletions.delete([1]);
    undo.undo();
    expect([...list.hidden]).to.not.include(1);
    expect(shown()).to.deep.equal(['Picture restored']);
  });
});

describe('the undo of deletions', () => {
  useDeletions();

  it('shows the pictures again if it is undone by the notice', async () => {
    let undone = 0;
    deletions.delete([1, 2], { onUndone: () => void (undone += 1) });
    notices.act(notices.shown.get()[0]?.id ?? 0);
    await time.settle(8000);

    expect([...list.hidden]).to.deep.equal([]);
    expect(requests).to.deep.equal([]);
    expect(undone).to.equal(1);
  });

  it('undoes the last deletion first, and offers the one before', () => {
    deletions.delete([1]);
    deletions.delete([2, 3]);
    undo.undo();

    expect([...list.hidden]).to.deep.equal([1]);
    expect(shown()).to.have.members(['Picture deleted', '2 pictures restored']);
  });

  it('begins the undo time again with every deletion', async () => {
    deletions.delete([1]);
    await time.settle(7000);
    deletions.delete([2]);
    await time.settle(7000);
    const sentBefore = [...requests];
    await time.settle(1000);

    expect(sentBefore).to.deep.equal([]);
    expect(requests).to.deep.equal([1, 2]);
  });

  it('waits while the person is at the notice', async () => {
    deletions.delete([1]);
    notices.pause();
    await time.settle(60_000);
    const sentBefore = [...requests];
    notices.resume();
    await time.settle(8000);

    expect([sentBefore, requests]).to.deep.equal([[], [1]]);
  });

  it('does nothing if there is nothing to undo', () => {
    undo.undo();

    expect(shown()).to.deep.equal([]);
  });
});

describe('deletions at the service', () => {
  useDeletions();

  it('has at most 4 requests under way', async () => {
    const gate = new Gate();
    respond = () => gate.opened;
    deletions.delete([1, 2, 3, 4, 5, 6]);
    await time.settle(8000);
    const underWay = requests.length;
    gate.open();
    await settled();

    expect([underWay, requests.length]).to.deep.equal([4, 6]);
  });

  it('brings pictures back that were refused, with the reasons', async () => {
    respond = async (id) => {
      const facts = { code: 'insufficient_scope', status: 403, scope: 'images:delete' };
      if (id !== 2) throw new CatalogError('No', facts);
    };
    deletions.delete([1, 2, 3]);
    await time.settle(8000);

    expect([...list.hidden]).to.deep.equal([2]);
    expect(shown()).to.deep.equal([
      '2 pictures could not be deleted. You have no permission for this. Ask the operator for the scope images:delete.',
    ]);
    expect([...deletions.hidden.get()]).to.deep.equal([2]);
  });

  it('takes a picture that is not there any more as deleted', async () => {
    respond = () => Promise.reject(new CatalogError('gone', { code: 'image_not_found', status: 404 }));
    deletions.delete([1]);
    await time.settle(8000);

    expect([...list.hidden]).to.deep.equal([1]);
    expect(shown()).to.deep.equal([]);
  });
});

class RecordedList {
  readonly hidden = new Set<number>();
  refreshes = 0;

  hide(ids: readonly number[]): void {
    for (const id of ids) this.hidden.add(id);
  }

  show(ids: readonly number[]): void {
    for (const id of ids) this.hidden.delete(id);
  }

  async refresh(): Promise<void> {
    this.refreshes += 1;
  }
}
