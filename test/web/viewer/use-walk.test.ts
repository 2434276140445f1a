import type { ImageRecord } from '@image-catalog/client';
import { expect } from 'chai';
import { useWalk, type Walk } from '../../../web/src/viewer/use-walk.ts';
import { daysOf, FakeImagePages, loadedList } from '../doubles/fake-image-pages.ts';
import { GalleryParts } from '../doubles/gallery-parts.ts';
import { mount, unmountAfterwards } from '../doubles/mounted-hook.ts';
import type { RenderedHook } from '../doubles/rendered-hook.ts';

describe('a walk of the viewer', () => {
  unmountAfterwards();

  let pages: FakeImagePages;
  let shown: ImageRecord[];
  let parts: GalleryParts;
  let record: ImageRecord;

  async function walk(position: number, count = 600): Promise<RenderedHook<Walk>> {
    pages = new FakeImagePages(daysOf(1, () => count));
    shown = [];
    parts = new GalleryParts({ list: await loadedList(pages) });
    record = pages.recordAt(position);
    return await mount(() => useWalk(record, (next) => shown.push(next)), parts);
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
