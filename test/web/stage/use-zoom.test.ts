import { expect } from 'chai';
import { FITTED } from '../../../web/src/stage/geometry.ts';
import { useZoom, type Zoom } from '../../../web/src/stage/use-zoom.ts';
import { mount, unmountAfterwards } from '../doubles/mounted-hook.ts';

const STAGE = { width: 1000, height: 500 };
const LANDSCAPE = { id: 1, width: 4000, height: 2000 };
const PORTRAIT = { id: 2, width: 2000, height: 4000 };

describe('the zoom of the viewer', () => {
  unmountAfterwards();

  const open = async (picture: typeof LANDSCAPE = LANDSCAPE, stage = STAGE) => {
    const shown = { picture, stage };
    return { shown, hook: await mount<Zoom>(() => useZoom(shown.picture, shown.stage)) };
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
