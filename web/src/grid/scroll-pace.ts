/** Pixels per second. Nobody recognizes a picture that passes faster: it gets no address. */
const FAST = 2000;
/** Below it there is time for all pixels. */
const SLOW = 500;
/** Milliseconds over which the speed is measured. One step of a wheel is no fast movement. */
const MEASURED_MS = 100;
const LEAST_MS = 50;

interface Step {
  readonly at: number;
  readonly distance: number;
}

/**
 * What is requested of pictures in view while the page moves.
 * - `fast`: nothing;
 * - `slowing`, after `fast`: the renditions that the service has made already, of pictures that have been in view for a moment;
 * - `stopped`, after `slowing`: those that are sharp, of pictures in view: the next fling may follow;
 * - `moving`: the renditions that the service has made already;
 * - `resting`: those that are sharp.
 */
export type Pace = 'fast' | 'slowing' | 'stopped' | 'moving' | 'resting';

export class ScrollPace {
  #steps: readonly Step[] = [];
  #present: Pace = 'resting';

  get present(): Pace {
    return this.#present;
  }

  /** The content has moved by so many pixels. */
  moved(distance: number, now: number): void {
    const recent = this.#steps.filter(({ at }) => now - at < MEASURED_MS);
    const span = Math.max(LEAST_MS, now - (recent[0]?.at ?? now));
    this.#steps = [...recent, { at: now, distance: Math.abs(distance) }];
    const speed = (this.#steps.reduce((sum, step) => sum + step.distance, 0) / span) * 1000;
    // Once it was faster, the movement has to end first.
    if (speed > FAST) this.#present = 'fast';
    else if (this.#present === 'fast' || this.#present === 'stopped') this.#present = 'slowing';
    else if (speed > SLOW && this.#present === 'resting') this.#present = 'moving';
  }

  /** To another place, as with the scrubber. */
  jumped(): void {
    this.#present = 'fast';
  }

  /** There was no movement for a while. */
  slowed(): void {
    if (this.#present === 'fast') this.#present = 'slowing';
  }

  /** There was no movement for a longer while; after a fling it takes two of them. */
  rested(): void {
    this.#steps = [];
    this.#present = this.#present === 'fast' || this.#present === 'slowing' ? 'stopped' : 'resting';
  }
}
