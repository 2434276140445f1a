import { expect } from 'chai';
import type { Point } from '../../../web/src/stage/geometry.ts';
import { type GestureHandler, Gestures, type PointerSample } from '../../../web/src/stage/gestures.ts';

describe('the gestures of the viewer', () => {
  let seen: unknown[];
  let isZoomed: boolean;
  let gestures: Gestures;

  beforeEach(() => {
    seen = [];
    isZoomed = false;
    gestures = new Gestures(recording);
  });

  it('make a tap of a short press', () => {
    press(1, [0, 0], [3, 3]);

    expect(seen).to.deep.equal(['tap']);
  });

  it('make a double tap of two taps at one place', () => {
    press(1, [0, 0], [0, 0], 100);
    press(2, [4, 4], [4, 4], 300);

    expect(seen).to.deep.equal(['tap', 'double tap']);
  });

  for (const [name, place, time] of [
    ['late', 0, 500],
    ['elsewhere', 200, 200],
  ] as const) {
    it(`make two taps if the second is ${name}`, () => {
      press(1, [0, 0], [0, 0], 100);
      press(2, [place, 0], [place, 0], time);

      expect(seen).to.deep.equal(['tap', 'tap']);
    });
  }

  it('make a third tap not a second double tap', () => {
    for (const id of [1, 2, 3]) press(id, [0, 0], [0, 0], id * 100);

    expect(seen).to.deep.equal(['tap', 'double tap', 'tap']);
  });

  it('keep a swipe on its first axis', () => {
    press(1, [0, 0], [20, 5], [60, 70]);

    expect(seen).to.deep.equal([
      ['swipe', 20, 0],
      ['swipe', 60, 0],
      ['end', 60, 0],
    ]);
  });

  it('pan a picture that is zoomed', () => {
    isZoomed = true;
    press(1, [0, 0], [20, 5], [25, 5]);

    expect(seen).to.deep.equal([
      ['pan', 20, 5],
      ['pan', 5, 0],
    ]);
  });

  it('turn a swipe into a pinch by a second finger, and make no tap of its end', () => {
    gestures.down(sample(1, 0, 0));
    gestures.move(sample(1, 20, 0));
    gestures.down(sample(2, 100, 0));
    gestures.move(sample(2, 120, 0));
    gestures.up(sample(2, 120, 0));
    gestures.move(sample(1, 30, 0));
    gestures.up(sample(1, 30, 0));

    expect(seen).to.deep.equal([['swipe', 20, 0], 'cancel', ['pinch', 80, 100], ['pan', 10, 0]]);
  });

  it('ignore a third finger', () => {
    for (const id of [1, 2, 3]) gestures.down(sample(id, id * 10, 0));
    gestures.move(sample(3, 90, 0));

    expect(seen).to.deep.equal([]);
  });

  it('cancel a swipe that the browser takes over', () => {
    gestures.down(sample(1, 0, 0));
    gestures.move(sample(1, 20, 0));
    gestures.cancel(1);
    gestures.up(sample(1, 20, 0));

    expect(seen).to.deep.equal([['swipe', 20, 0], 'cancel']);
  });

  type At = readonly [number, number];

  /** The last number is the time of the end. */
  function press(id: number, start: At, ...rest: ReadonlyArray<At | number>): void {
    const time = rest.find((value) => typeof value === 'number') ?? 100;
    const moves = rest.filter((value) => typeof value !== 'number');
    const [x, y] = moves.at(-1) ?? start;
    gestures.down(sample(id, ...start, time - 50));
    for (const move of moves) gestures.move(sample(id, ...move, time - 10));
    gestures.up(sample(id, x, y, time));
  }

  function recording(): GestureHandler {
    const record = (name: string) => (by: Point) => void seen.push([name, by.x, by.y]);
    return {
      isZoomed: () => isZoomed,
      pan: record('pan'),
      swipe: record('swipe'),
      endSwipe: record('end'),
      cancelSwipe: () => void seen.push('cancel'),
      pinch: (before, after) => void seen.push(['pinch', width(before), width(after)]),
      tap: () => void seen.push('tap'),
      doubleTap: () => void seen.push('double tap'),
    };
  }
});

function sample(id: number, x: number, y: number, time = 0): PointerSample {
  return { id, x, y, time, kind: 'touch' };
}

function width([a, b]: readonly [Point, Point]): number {
  return Math.abs(a.x - b.x);
}
