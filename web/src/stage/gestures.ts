import type { Point } from './geometry.ts';

export interface PointerSample extends Point {
  readonly id: number;
  readonly kind: 'mouse' | 'touch' | 'pen';
  /** Milliseconds. */
  readonly time: number;
}

export interface GestureHandler {
  /** One pointer moves a picture that is zoomed, or swipes one that is not. */
  isZoomed(): boolean;
  pan(by: Point): void;
  pinch(before: readonly [Point, Point], after: readonly [Point, Point]): void;
  /** Since the pointer was put down, along one axis. */
  swipe(by: Point): void;
  endSwipe(by: Point, ms: number): void;
  cancelSwipe(): void;
  /** The first of a double tap is a tap as well. */
  tap(point: PointerSample): void;
  doubleTap(point: PointerSample): void;
}

/** Pixels that a pointer may move in a tap. */
const SLOP = 8;

const TAP_MS = 500;
const DOUBLE_TAP_MS = 300;
const DOUBLE_TAP_DISTANCE = 32;

interface Press {
  readonly start: PointerSample;
  last: PointerSample;
  moved: 'not-yet' | 'x' | 'y' | 'pan';
}

/** Makes taps, swipes, pans and pinches of pointers. */
export class Gestures {
  readonly #handler: () => GestureHandler;
  readonly #presses = new Map<number, Press>();
  /** A pinch ends with a finger that is still down: it makes no tap and no swipe. */
  #hasPinched = false;
  #lastTap: PointerSample | undefined;

  /** @param handler called for each gesture: what it does may change with what is shown */
  constructor(handler: () => GestureHandler) {
    this.#handler = handler;
  }

  down(sample: PointerSample): void {
    if (this.#presses.size === 2) return;
    if (this.#presses.size === 1) {
      this.#hasPinched = true;
      this.#cancelSwipe();
    }
    this.#presses.set(sample.id, { start: sample, last: sample, moved: 'not-yet' });
  }

  move(sample: PointerSample): void {
    const press = this.#presses.get(sample.id);
    if (press === undefined) return;
    const before = press.last;
    press.last = sample;
    if (this.#presses.size === 2) this.#pinch(press, before);
    else if (this.#hasPinched) this.#handler().pan(difference(sample, before));
    else this.#drag(press, before);
  }

  up(sample: PointerSample): void {
    const press = this.#presses.get(sample.id);
    if (press === undefined) return;
    this.#presses.delete(sample.id);
    if (this.#hasPinched) {
      this.#hasPinched = this.#presses.size > 0;
      return;
    }
    const { start, moved } = press;
    const ms = sample.time - start.time;
    if (moved === 'x' || moved === 'y') this.#handler().endSwipe(along(moved, difference(sample, start)), ms);
    else if (moved === 'not-yet' && ms < TAP_MS) this.#tap(sample);
  }

  /** The browser has taken the pointer over. */
  cancel(id: number): void {
    this.#cancelSwipe();
    this.#presses.delete(id);
    if (this.#presses.size === 0) this.#hasPinched = false;
  }

  #pinch(press: Press, before: PointerSample): void {
    const other = [...this.#presses.values()].find((candidate) => candidate !== press);
    if (other !== undefined) this.#handler().pinch([before, other.last], [press.last, other.last]);
  }

  #drag(press: Press, before: PointerSample): void {
    const way = difference(press.last, press.start);
    if (press.moved === 'not-yet') {
      if (Math.hypot(way.x, way.y) < SLOP) return;
      press.moved = this.#handler().isZoomed() ? 'pan' : Math.abs(way.x) >= Math.abs(way.y) ? 'x' : 'y';
    }
    if (press.moved === 'pan') this.#handler().pan(difference(press.last, before));
    else this.#handler().swipe(along(press.moved, way));
  }

  #cancelSwipe(): void {
    for (const press of this.#presses.values()) {
      if (press.moved === 'x' || press.moved === 'y') this.#handler().cancelSwipe();
      press.moved = 'not-yet';
    }
  }

  #tap(sample: PointerSample): void {
    const last = this.#lastTap;
    const isSecond =
      last !== undefined &&
      sample.time - last.time < DOUBLE_TAP_MS &&
      Math.hypot(sample.x - last.x, sample.y - last.y) < DOUBLE_TAP_DISTANCE;
    this.#lastTap = isSecond ? undefined : sample;
    if (isSecond) this.#handler().doubleTap(sample);
    else this.#handler().tap(sample);
  }
}

function difference(a: Point, b: Point): Point {
  return { x: a.x - b.x, y: a.y - b.y };
}

function along(axis: 'x' | 'y', by: Point): Point {
  return axis === 'x' ? { x: by.x, y: 0 } : { x: 0, y: by.y };
}
