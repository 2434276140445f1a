import { expect } from 'chai';
import { useWheel } from '../../../web/src/stage/use-wheel.ts';
import type { Zoom } from '../../../web/src/stage/use-zoom.ts';
import { type GestureTargets, useGestures } from '../../../web/src/viewer/use-gestures.ts';
import { RenderedHook } from '../doubles/rendered-hook.ts';

const globals = globalThis as { Element?: unknown };

/** The stage, whose middle is at (500, 300). */
class FakeStage extends EventTarget {
  readonly captured: number[] = [];
  isButton = false;
  setPointerCapture = (id: number): void => void this.captured.push(id);
  getBoundingClientRect = (): object => ({ left: 0, top: 0, width: 1000, height: 600 });
  closest = (): object | null => (this.isButton ? {} : null);
}

class FakeTrack {
  readonly clientHeight = 600;
  readonly style = { transform: '' };
  readonly dragged: string[] = [];
  readonly slides: unknown[] = [];
  closest = (): object => ({
    style: { setProperty: (_name: string, value: string) => this.dragged.push(value) },
  });
  animate = (frames: unknown): object => {
    this.slides.push(frames);
    return { finished: Promise.resolve() };
  };
}

let stage: FakeStage;
let track: FakeTrack;
let seen: string[];
let isZoomed: boolean;
let neighbours: { readonly previous: unknown; readonly next: unknown };
let hook: RenderedHook<void>;

function useStage(): void {
  before(() => {
    globals.Element = FakeStage;
  });

  after(() => {
    delete globals.Element;
  });

  beforeEach(async () => {
    [stage, track, seen, isZoomed] = [new FakeStage(), new FakeTrack(), [], false];
    neighbours = { previous: {}, next: {} };
    const zoom = {
      get isZoomed() {
        return isZoomed;
      },
      frame: { fitted: { width: 400, height: 200 } },
      placement: { zoom: 1, x: 0, y: 0 },
      pan: ({ x, y }: { readonly x: number; readonly y: number }) => seen.push(`pan ${x} ${y}`),
      toggle: () => seen.push('zoom'),
      by: (factor: number) => seen.push(factor > 1 ? 'larger' : 'smaller'),
    } as unknown as Zoom;
    const element = { current: stage as unknown as HTMLElement };
    hook = await RenderedHook.render(() => {
      const targets: GestureTargets = {
        ...neighbours,
        size: { width: 1000, height: 600 },
        zoom,
        onStep: (by) => void seen.push(`step ${by}`),
        onClose: () => void seen.push('close'),
        onTap: () => void seen.push('tap'),
      };
      useGestures(targets, element, { current: track as unknown as HTMLElement });
      useWheel(element, zoom);
    });
  });

  afterEach(() => hook.unmount());
}

function send(type: string, x: number, y: number, more: object = {}): void {
  const event = { pointerId: 1, pointerType: 'touch', button: 0, clientX: x, clientY: y, ...more };
  stage.dispatchEvent(Object.assign(new Event(type, { cancelable: true }), event));
}

async function drag(to: { readonly x: number; readonly y: number }): Promise<void> {
  await hook.do(() => {
    send('pointerdown', 500, 300);
    send('pointermove', to.x, to.y);
    send('pointerup', to.x, to.y);
  });
}

async function tap(pointerType: string, x = 500, y = 300): Promise<void> {
  await hook.do(() => {
    send('pointerdown', x, y, { pointerType });
    send('pointerup', x, y, { pointerType });
  });
}

describe('pointers on the stage', () => {
  useStage();

  it('swipe to the next picture, which slides into the middle', async () => {
    await drag({ x: 100, y: 300 });

    expect(seen).to.deep.equal(['step 1']);
    expect(track.slides).to.deep.equal([
      [{ transform: 'translate(-400px, 0px)' }, { transform: 'translate(-1024px, 0px)' }],
    ]);
    expect(track.style.transform).to.equal('');
  });

  it('ask for the picture after the last as well, which says that there is none', async () => {
    neighbours = { previous: {}, next: undefined };
    await hook.again();
    // A resisted swipe is a short way.
    await drag({ x: -900, y: 300 });

    expect(seen).to.deep.equal(['step 1']);
    expect(track.slides).to.have.length(1);
  });

  it('go back with a swipe that is too short', async () => {
    await drag({ x: 490, y: 300 });

    expect([seen, track.style.transform]).to.deep.equal([[], '']);
  });

  it('close the viewer with a swipe down, while it fades', async () => {
    await hook.do(() => {
      send('pointerdown', 500, 300);
      send('pointermove', 500, 450);
    });
    expect(track.dragged.at(-1)).to.equal('0.25');
    await hook.do(() => send('pointerup', 500, 600));

    expect(seen).to.deep.equal(['close']);
  });

  it('belong to a button in which they begin, and to no other mouse button', async () => {
    stage.isButton = true;
    await drag({ x: 100, y: 300 });
    stage.isButton = false;
    await hook.do(() => send('pointerdown', 500, 300, { button: 2 }));

    expect([seen, stage.captured]).to.deep.equal([[], []]);
  });

  it('do nothing any more when the viewer is closed', async () => {
    await tap('touch');
    await hook.unmount();
    send('pointerdown', 500, 300);

    expect([seen, stage.captured]).to.deep.equal([[], [1]]);
  });
});

describe('taps, clicks and the wheel on the stage', () => {
  useStage();

  it('move a picture that is zoomed', async () => {
    isZoomed = true;
    await drag({ x: 520, y: 340 });

    expect(seen).to.deep.equal(['pan 20 40']);
  });

  it('tap when it is clear that no second tap follows', async () => {
    await tap('touch');
    await hook.pass(200);
    expect(seen).to.deep.equal([]);
    await hook.pass(100);

    expect(seen).to.deep.equal(['tap']);
  });

  it('zoom with two taps, which are no single one', async () => {
    await tap('touch');
    await tap('touch');
    await hook.pass(1000);

    expect(seen).to.deep.equal(['zoom']);
  });

  it('close the viewer with a click beside the picture, not on it', async () => {
    await tap('mouse', 500, 300);
    await hook.pass(1000);
    expect(seen).to.deep.equal([]);
    await tap('mouse', 50, 50);

    expect(seen).to.deep.equal(['close']);
  });

  it('zoom with the wheel, and keep the page from scrolling', async () => {
    const wheel = { deltaY: -100, deltaMode: 0, ctrlKey: false, clientX: 500, clientY: 300 };
    const event = Object.assign(new Event('wheel', { cancelable: true }), wheel);
    await hook.do(() => stage.dispatchEvent(event));

    expect([seen, event.defaultPrevented]).to.deep.equal([['larger'], true]);
  });
});
