import { expect } from 'chai';
import * as fc from 'fast-check';
import { FetchRateLimiter } from '../../src/adapters/http/auth/fetch-rate-limiter.ts';
import { ManualClock } from '../support/time/manual-clock.ts';

const SECOND = 1_000;
const SEED = 20_261_122;

/** Times of the attempts in seconds, and of those that may start if each fetch ends at once. */
const TABLE: readonly (readonly [title: string, attempts: readonly number[], starts: readonly number[]])[] = [
  ['allows 3 in any 20 s', [0, 0, 0, 0, 19.999, 20], [0, 0, 0, 20]],
  ['allows 4 in any 40 s', [0, 0, 0, 20, 20, 39.999, 40], [0, 0, 0, 20, 40]],
  ['allows 5 in any 60 s', [0, 0, 0, 20, 40, 40, 59.999, 60], [0, 0, 0, 20, 40, 60]],
  [
    'allows another fetch 20 s after three in two seconds and one more attempt',
    [0, 1, 2, 2, 22],
    [0, 1, 2, 22],
  ],
  ['allows another fetch 20 s after four in 20 s', [0, 1, 2, 20, 40], [0, 1, 2, 20, 40]],
  ['allows 3 again after a minute without fetches', [0, 0, 0, 60, 60, 60, 60], [0, 0, 0, 60, 60, 60]],
];

/** One attempt of a sequence. */
interface Attempt {
  /** Milliseconds since the previous attempt. */
  readonly pause: number;
  /** Milliseconds that the fetch takes. */
  readonly duration: number;
  /** When the provider receives the fetch, as a fraction of its duration. */
  readonly seen: number;
}

/** Pauses of every size, including those of the limits, plus and minus one millisecond. */
const pause = fc.oneof(
  fc.constant(0),
  fc.integer({ min: 0, max: 2 * SECOND }),
  fc.integer({ min: 0, max: 70 * SECOND }),
  fc.constantFrom(19_999, 20_000, 20_001, 39_999, 40_000, 59_999, 60_000),
);

const attempts: fc.Arbitrary<Attempt[]> = fc.array(
  fc.record({
    pause,
    duration: fc.integer({ min: 0, max: 3 * SECOND }),
    seen: fc.double({ min: 0, max: 1, noNaN: true }),
  }),
  { minLength: 1, maxLength: 40 },
);

/** A limiter with its own clock, and the times at which the provider receives the fetches. */
class Simulation {
  readonly clock = new ManualClock(new Date(0));
  readonly limiter = new FetchRateLimiter(this.clock);
  readonly seen: number[] = [];

  get now(): number {
    return this.clock.now().getTime();
  }

  /** @param beforeEnd runs before the fetch ends */
  attempt({ duration = 0, seen = 0 }: Partial<Attempt> = {}, beforeEnd: () => void = () => {}): boolean {
    if (!this.limiter.begin()) return false;
    this.seen.push(this.now + duration * seen);
    beforeEnd();
    this.clock.advance(duration);
    this.limiter.end();
    return true;
  }

  run(sequence: readonly Attempt[]): void {
    for (const attempt of sequence) {
      this.clock.advance(attempt.pause);
      this.attempt(attempt);
    }
  }

  /** The largest number of fetches that the provider receives in any window of this length. */
  mostSeenWithin(windowMs: number): number {
    return Math.max(
      0,
      ...this.seen.map((from) => this.seen.filter((time) => time >= from && time < from + windowMs).length),
    );
  }

  /** Milliseconds from `since` until a fetch starts, attempted every second and at 20 s. */
  delayFrom(since: number): number {
    while (!this.attempt() && this.now - since <= 20 * SECOND) {
      this.clock.advance(Math.min(SECOND, Math.max(since + 20 * SECOND - this.now, 1)));
    }
    return this.now - since;
  }
}

describe('FetchRateLimiter', () => {
  for (const [title, attempted, expected] of TABLE) {
    it(title, () => {
      const simulation = new Simulation();
      const starts = attempted.filter((second) => {
        simulation.clock.advance(second * SECOND - simulation.now);
        return simulation.attempt();
      });
      expect(starts).to.deep.equal(expected);
    });
  }

  it('counts a fetch until the window has passed since its end', () => {
    const simulation = new Simulation();
    for (let count = 0; count < 3; count += 1) simulation.attempt({ duration: 3 * SECOND });
    simulation.clock.advance(14 * SECOND - 1);
    expect(simulation.attempt()).to.equal(false);
    simulation.clock.advance(1);
    expect(simulation.attempt()).to.equal(true);
  });

  it('allows a fetch within 20 s after the clock is set back by a day', () => {
    const simulation = new Simulation();
    simulation.run([0, 0, 0, 20, 20].map((seconds) => ({ pause: seconds * SECOND, duration: 0, seen: 0 })));
    simulation.clock.advance(-24 * 60 * 60 * SECOND);
    expect(simulation.delayFrom(simulation.now)).to.equal(20 * SECOND);
  });

  describe('in 10,000 random sequences', () => {
    it('sends the provider at most 3 fetches in any 20 s, 4 in any 40 s and 5 in any 60 s', () => {
      const property = fc.property(attempts, (sequence) => {
        const simulation = new Simulation();
        simulation.run(sequence);
        const most = [20, 40, 60].map((seconds) => simulation.mostSeenWithin(seconds * SECOND));
        expect(most[0]).to.be.at.most(3);
        expect(most[1]).to.be.at.most(4);
        expect(most[2]).to.be.at.most(5);
      });
      fc.assert(property, { numRuns: 10_000, seed: SEED });
    });

    it('allows a fetch within 20 s of any moment, also during an earlier fetch', () => {
      const property = fc.property(attempts, fc.boolean(), (sequence, midFetch) => {
        const simulation = new Simulation();
        simulation.run(sequence);
        let since = simulation.now;
        if (midFetch) simulation.attempt({ duration: 3 * SECOND }, () => (since = simulation.now));
        expect(simulation.delayFrom(since)).to.be.at.most(20 * SECOND);
      });
      fc.assert(property, { numRuns: 10_000, seed: SEED });
    });
  });
});
