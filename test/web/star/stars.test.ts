import { CatalogError, type ImageRecord } from '@image-catalog/client';
import { expect } from 'chai';
import { Store } from '../../../web/src/base/store.ts';
import { Edits, type EditsParts } from '../../../web/src/edits/edits.ts';
import { withStar } from '../../../web/src/star/star-tag.ts';
import { Stars, type StarsParts } from '../../../web/src/star/stars.ts';
import type { UndoStep } from '../../../web/src/undo/undo-steps.ts';
import { parseViewState } from '../../../web/src/view-state/view-state.ts';
import { Gate, settled } from '../../support/time/gate.ts';

const READ_ONLY = new CatalogError('no', { code: 'read_only', status: 503 });

describe('stars', () => {
  let records: Map<number, ImageRecord>;
  let view: StarsParts['view'];
  let requests: unknown[];
  let respond: (ids: readonly number[]) => Promise<void>;
  let notices: string[];
  let undoable: string[];
  let reported: unknown[];
  let refreshes: number;
  let stars: Stars;

  beforeEach(() => {
    records = new Map([record(1), record(2), record(3, 'Star')].map((one) => [one.id, one]));
    view = new Store(parseViewState(''));
    requests = [];
    respond = async () => {};
    notices = [];
    undoable = [];
    reported = [];
    refreshes = 0;
    const list = {
      find: (id: number) => records.get(id),
      replace: (changed: ImageRecord) => void records.set(changed.id, changed),
      refresh: async () => {
        refreshes += 1;
        for (const one of records.values()) records.set(one.id, withStar(one, stars.has(one)));
      },
    };
    const catalog = {
      editMany: async (ids: readonly number[], change: object) => {
        requests.push([ids, change]);
        await respond(ids);
        return { updated: ids, missing: [] };
      },
    };
    const parts = {
      catalog,
      view,
      images: { list: new Store(list) },
      notices: { show: (text: string) => notices.push(text) },
      trouble: { report: (error: unknown) => reported.push(error) },
      undo: { add: ({ text }: UndoStep) => undoable.push(text) },
    } as unknown as EditsParts & StarsParts;
    stars = new Stars({ ...parts, edits: new Edits(parts) });
  });

  it('are shown before the service has responded, and kept by the record', async () => {
    const gate = new Gate();
    respond = () => gate.opened;
    stars.set([1], true);
    expect(isStarred(1)).to.equal(true);

    gate.open();
    await settled();
    expect(requests).to.deep.equal([[[1], { addTags: ['star'] }]]);
    expect(records.get(1)?.tags).to.deep.equal(['star']);
    expect([isStarred(1), stars.pending.get().size, refreshes]).to.deep.equal([true, 0, 0]);
  });

  it('are taken back if the service refuses them', async () => {
    respond = () => Promise.reject(READ_ONLY);
    stars.set([1], true);
    await settled();

    expect([isStarred(1), reported]).to.deep.equal([false, [READ_ONLY]]);
  });

  it('say that a picture has too many tags', async () => {
    const message = 'Field "addTags" leads to more than 100 tags';
    respond = () => Promise.reject(new CatalogError(message, { code: 'invalid_request', status: 400 }));
    stars.set([1], true);
    await settled();

    expect(isStarred(1)).to.equal(false);
    expect(notices).to.deep.equal(['1 picture has 100 tags already, and no room for a star.']);
  });

  it('are sent one after the other: the last one wins', async () => {
    const gate = new Gate();
    respond = () => gate.opened;
    stars.set([1], true);
    stars.set([1], false);
    await settled();
    expect([requests.length, isStarred(1)]).to.deep.equal([1, false]);

    gate.open();
    await settled();
    await settled();
    expect([requests.length, isStarred(1), records.get(1)?.tags]).to.deep.equal([2, false, []]);
  });

  it('of several pictures are set, unless all of them have one', async () => {
    stars.toggle([1, 3]);
    await settled();
    expect([isStarred(1), isStarred(3), refreshes]).to.deep.equal([true, true, 1]);

    stars.toggle([3]);
    await settled();
    expect(isStarred(3)).to.equal(false);
    expect([notices, undoable]).to.deep.equal([[], ['2 pictures starred', 'Star removed']]);
  });

  it('that are a filter of the view refresh it, as soon as no picture is open', async () => {
    view.set(parseViewState('?tags=Star&image=3'));
    stars.set([3], false);
    await settled();
    expect(refreshes).to.equal(0);

    view.set(parseViewState('?tags=Star'));
    expect(refreshes).to.equal(1);
  });

  function isStarred(id: number): boolean {
    return stars.has(records.get(id) ?? record(id));
  }
});

describe('the tag of a star', () => {
  it('is one spelling, in its place', () => {
    const { tags } = withStar({ ...record(1), tags: ['Star', 'cat', 'tree'] }, true);
    expect(tags).to.deep.equal(['cat', 'star', 'tree']);
  });
});

function record(id: number, ...tags: readonly string[]): ImageRecord {
  return { id, tags } as unknown as ImageRecord;
}
