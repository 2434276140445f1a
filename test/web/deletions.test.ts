import { CatalogError } from '@image-catalog/client';
import { expect } from 'chai';
import { Deletions } from '../../web/src/deletion/deletions.ts';
import type { ImageList } from '../../web/src/images/image-list.ts';
import type { NoticeOptions } from '../../web/src/notices/notices.ts';
import { Store } from '../../web/src/store.ts';
import { Gate, settled } from '../support/doubles/gate.ts';

describe('deletions', () => {
  let timers: ManualTimers;
  let notices: RecordedNotices;
  let list: RecordedList;
  let lists: Store<ImageList | undefined>;
  let requests: number[];
  let respond: (id: number) => Promise<void>;
  let deletions: Deletions;

  beforeEach(() => {
    timers = new ManualTimers();
    notices = new RecordedNotices();
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
    deletions = new Deletions(catalog, { list: lists }, notices, timers.start);
  });

  it('hides the pictures at once, in one notice, and sends nothing yet', () => {
    deletions.delete([1, 2, 3]);

    expect([...list.hidden]).to.deep.equal([1, 2, 3]);
    expect(notices.texts()).to.deep.equal(['3 pictures deleted']);
    expect(requests).to.deep.equal([]);
  });

  it('sends the requests when the undo time is over, and refreshes the list once', async () => {
    deletions.delete([1, 2, 3, 4, 5, 6]);
    timers.end(0);
    await settled();

    expect(requests).to.deep.equal([1, 2, 3, 4, 5, 6]);
    expect(list.refreshes).to.equal(1);
    expect(notices.texts()).to.deep.equal([]);
  });

  it('shows the pictures again if it is undone by the notice', async () => {
    let undone = 0;
    deletions.delete([1, 2], { onUndone: () => void (undone += 1) });
    notices.act('2 pictures deleted');
    await settled();

    expect([...list.hidden]).to.deep.equal([]);
    expect(timers.running()).to.equal(0);
    expect(undone).to.equal(1);
    expect(notices.texts()).to.deep.equal(['2 pictures restored']);
  });

  it('undoes the last deletion first, and offers the one before', () => {
    deletions.delete([1]);
    deletions.delete([2, 3]);
    deletions.undo();

    expect([...list.hidden]).to.deep.equal([1]);
    expect(notices.texts()).to.deep.equal(['Picture deleted', '2 pictures restored']);
  });

  it('has an undo time for each deletion', async () => {
    deletions.delete([1]);
    deletions.delete([2]);
    timers.end(0);
    await settled();

    expect(requests).to.deep.equal([1]);
    expect(notices.texts()).to.deep.equal(['Picture deleted']);
  });

  it('does nothing if there is nothing to undo', () => {
    deletions.undo();

    expect(notices.texts()).to.deep.equal([]);
  });

  it('deletes a picture once that is deleted twice', async () => {
    deletions.delete([1, 1]);
    deletions.delete([1]);
    timers.end(0);
    await settled();

    expect(requests).to.deep.equal([1]);
    expect(timers.running()).to.equal(0);
  });

  it('has at most 4 requests under way', async () => {
    const gate = new Gate();
    respond = () => gate.opened;
    deletions.delete([1, 2, 3, 4, 5, 6]);
    timers.end(0);
    await settled();
    const underWay = requests.length;
    gate.open();
    await settled();

    expect([underWay, requests.length]).to.deep.equal([4, 6]);
  });

  it('brings pictures back that were refused, with the reasons', async () => {
    respond = async (id) => {
      if (id !== 2) throw new CatalogError('no', { code: 'insufficient_scope', status: 403 });
    };
    deletions.delete([1, 2, 3]);
    timers.end(0);
    await settled();

    expect([...list.hidden]).to.deep.equal([2]);
    expect(notices.texts()).to.deep.equal(['2 pictures could not be deleted: no']);
    expect([...deletions.hidden.get()]).to.deep.equal([2]);
  });

  it('takes a picture that is not there any more as deleted', async () => {
    respond = () => Promise.reject(new CatalogError('gone', { code: 'image_not_found', status: 404 }));
    deletions.delete([1]);
    timers.end(0);
    await settled();

    expect([...list.hidden]).to.deep.equal([1]);
    expect(notices.texts()).to.deep.equal([]);
  });

  it('hides the pictures in the next list as well', () => {
    deletions.delete([1]);
    const next = new RecordedList();
    lists.set(next as unknown as ImageList);

    expect([...next.hidden]).to.deep.equal([1]);
  });

  it('sends nothing if the page is left before', async () => {
    deletions.delete([1]);
    deletions.delete([2]);
    deletions.undoAll();
    await settled();

    expect(timers.running()).to.equal(0);
    expect([...list.hidden]).to.deep.equal([]);
  });
});

class ManualTimers {
  readonly #ends: Array<(() => void) | undefined> = [];

  readonly start = (_ms: number, onEnd: () => void): (() => void) => {
    const index = this.#ends.push(onEnd) - 1;
    return () => {
      this.#ends[index] = undefined;
    };
  };

  end(index: number): void {
    const onEnd = this.#ends[index];
    this.#ends[index] = undefined;
    onEnd?.();
  }

  running(): number {
    return this.#ends.filter((end) => end !== undefined).length;
  }
}

class RecordedNotices {
  readonly #shown = new Map<number, { readonly text: string } & NoticeOptions>();
  #last = 0;

  show(text: string, options: NoticeOptions = {}): () => void {
    this.#last += 1;
    const id = this.#last;
    this.#shown.set(id, { text, ...options });
    return () => void this.#shown.delete(id);
  }

  texts(): readonly string[] {
    return [...this.#shown.values()].map(({ text }) => text);
  }

  act(text: string): void {
    const notice = [...this.#shown.values()].find((shown) => shown.text === text);
    notice?.action?.run();
  }
}

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
