import { expect } from 'chai';
import { useViewerKeys } from '../../../web/src/viewer/use-viewer-keys.ts';
import { GalleryParts } from '../doubles/gallery-parts.ts';
import { mount, unmountAfterwards } from '../doubles/mounted-hook.ts';

describe('the keys of the viewer', () => {
  unmountAfterwards();

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
    parts = new GalleryParts();
    parts.undo.add({ text: 'Picture deleted', undo: note('undo') });
    const options = { dialog, zoom, walk, actions, onPanel: note('panel'), onTags: note('tags') };
    await mount(() => useViewerKeys(options as never), parts);
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
