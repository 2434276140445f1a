import { expect } from 'chai';
import type { Edit } from '../../../web/src/edits/edit.ts';
import type { EditOptions } from '../../../web/src/edits/edits.ts';
import { type TagChangeState, useTagChange } from '../../../web/src/selection-bar/use-tag-change.ts';
import { Gate } from '../../support/time/gate.ts';
import { GalleryParts } from '../doubles/gallery-parts.ts';
import { RenderedHook } from '../doubles/rendered-hook.ts';

describe('the tags of a selection', () => {
  let hook: RenderedHook<TagChangeState>;
  let gate: Gate;
  let changes: Edit[];
  let isDone: boolean;

  beforeEach(async () => {
    gate = new Gate();
    changes = [];
    isDone = false;
    const tag = async (change: Edit, { onProgress }: EditOptions = {}): Promise<void> => {
      changes.push(change);
      onProgress?.(500);
      await gate.opened;
    };
    hook = await RenderedHook.render(
      () => useTagChange({ tag }, () => void (isDone = true)),
      new GalleryParts().wrap,
    );
  });

  afterEach(() => hook.unmount());

  it('are added and removed together', async () => {
    await hook.do(({ add, remove }) => {
      add.onAdd(['sofa', 'cat']);
      remove.onAdd(['tabby']);
    });
    await hook.do(({ add }) => add.onRemove('cat'));
    await hook.do(({ apply }) => apply());

    expect(changes).to.deep.equal([{ addTags: ['sofa'], removeTags: ['tabby'] }]);
  });

  it('say how far they are, and that they are done', async () => {
    await hook.do(({ add }) => add.onAdd(['sofa']));
    await hook.do(({ apply }) => apply());
    expect([hook.value.isRunning, hook.value.done, isDone]).to.deep.equal([true, 500, false]);
    gate.open();
    await hook.pass(1);

    expect(isDone).to.equal(true);
  });

  it('need no request if nothing changes', async () => {
    await hook.do(({ apply }) => apply());

    expect([changes, isDone]).to.deep.equal([[], true]);
  });
});
