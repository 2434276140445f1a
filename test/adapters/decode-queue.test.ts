import { expect } from 'chai';
import { WeightedSemaphore } from '../../src/adapters/sharp/weighted-semaphore.ts';
import { Overloaded } from '../../src/domain/errors.ts';
import { decodeQueue } from '../support/doubles/decode-queues.ts';
import { Gate, settled } from '../support/doubles/gate.ts';
import { STAYING } from '../support/doubles/staying.ts';
import { rejection } from '../support/fixtures/rejection.ts';

const OWNER = { signal: STAYING };

function ownerOf({ signal }: AbortController): { readonly signal: AbortSignal } {
  return { signal };
}

describe('DecodeQueue', () => {
  it('runs as many jobs at a time as configured', async () => {
    const queue = decodeQueue({ concurrency: 2, maxWaiting: 10 });
    const end = new Gate();
    let [running, most] = [0, 0];
    const work = async (): Promise<void> => {
      running += 1;
      most = Math.max(most, running);
      await end.opened;
      running -= 1;
    };
    const all = Promise.all(Array.from({ length: 8 }, () => queue.run(work, OWNER)));
    await settled();
    expect(running).to.equal(2);
    end.open();
    await all;

    expect(most).to.equal(2);
  });

  it('tells how many jobs run and wait', async () => {
    const queue = decodeQueue({ concurrency: 2, maxWaiting: 10 });
    const end = new Gate();
    const all = Promise.all([1, 2, 3].map(() => queue.run(() => end.opened, OWNER)));
    await settled();
    const during = [queue.running, queue.waiting];
    end.open();
    await all;

    expect(during).to.deep.equal([2, 1]);
    expect([queue.running, queue.waiting]).to.deep.equal([0, 0]);
  });

  it('runs jobs in the order of arrival', async () => {
    const queue = decodeQueue({ concurrency: 1, maxWaiting: 10 });
    const order: number[] = [];

    await Promise.all([1, 2, 3].map((number) => queue.run(async () => void order.push(number), OWNER)));

    expect(order).to.deep.equal([1, 2, 3]);
  });

  for (const [concurrency, waiting] of [
    [1, 0],
    [1, 3],
    [2, 2],
  ] as const) {
    it(`queues ${waiting} jobs behind ${concurrency} and rejects the next`, async () => {
      const queue = decodeQueue({ concurrency: concurrency, maxWaiting: waiting });
      const end = new Gate();
      const accepted = Array.from({ length: concurrency + waiting }, () =>
        queue.run(() => end.opened, OWNER),
      );

      expect(await rejection(queue.run(async () => {}, OWNER))).to.be.instanceOf(Overloaded);

      end.open();
      await Promise.all(accepted);
      expect(await queue.run(async () => 'free again', OWNER)).to.equal('free again');
    });
  }

  it('starts the next job after a failed one', async () => {
    const queue = decodeQueue({ concurrency: 1, maxWaiting: 1 });
    const failure = new Error('no paint left');
    const failing = queue.run(() => Promise.reject(failure), OWNER);
    const next = queue.run(async () => 'painted', OWNER);

    expect(await rejection(failing)).to.equal(failure);
    expect(await next).to.equal('painted');
  });

  describe('when the owner of a job disconnects', () => {
    it('cancels a waiting job and frees its place', async () => {
      const queue = decodeQueue({ concurrency: 1, maxWaiting: 1 });
      const end = new Gate();
      const running = queue.run(() => end.opened, OWNER);
      const leaver = new AbortController();
      let begun = false;
      const waiting = queue.run(async () => {
        begun = true;
      }, ownerOf(leaver));
      const reason = new Error('left');
      leaver.abort(reason);

      expect(await rejection(waiting)).to.equal(reason);
      const next = queue.run(async () => 'painted', OWNER);
      end.open();
      await running;
      expect([await next, begun]).to.deep.equal(['painted', false]);
    });

    it('runs a started job to completion and keeps its place until then', async () => {
      const queue = decodeQueue({ concurrency: 1, maxWaiting: 10 });
      const end = new Gate();
      const leaver = new AbortController();
      let others = 0;
      const running = queue.run(() => end.opened.then(() => 'painted'), ownerOf(leaver));
      await settled();
      leaver.abort();
      const next = queue.run(async () => {
        others += 1;
      }, OWNER);
      await settled();

      expect(others).to.equal(0);
      end.open();
      expect(await running).to.equal('painted');
      await next;
    });

    it('does not start a job of an owner that has already disconnected', async () => {
      let begun = false;
      const work = async (): Promise<void> => {
        begun = true;
      };

      await rejection(
        decodeQueue({ concurrency: 1, maxWaiting: 1 }).run(work, {
          signal: AbortSignal.abort(new Error('left')),
        }),
      );

      expect(begun).to.equal(false);
    });
  });
});

describe('DecodeQueue with limits', () => {
  describe('for jobs that reserve memory', () => {
    const MB = 1_000_000;

    it('runs as many as fit into the budget', async () => {
      const queue = decodeQueue({ concurrency: 10, memory: new WeightedSemaphore(100 * MB) });
      const end = new Gate();
      const decoding: number[] = [];
      const jobs = [60, 30, 20, 5].map((weight) =>
        queue.run(async (reserve) => {
          await reserve(weight * MB);
          decoding.push(weight);
          await end.opened;
        }, OWNER),
      );
      await settled();

      // The job of 5 would fit, but does not overtake that of 20.
      expect(decoding).to.deep.equal([60, 30]);
      end.open();
      await Promise.all(jobs);
      expect(decoding).to.deep.equal([60, 30, 20, 5]);
    });

    it('shares the budget with other queues', async () => {
      const memory = new WeightedSemaphore(100 * MB);
      const [one, other] = [decodeQueue({ memory }), decodeQueue({ memory })];
      const end = new Gate();
      const running = one.run(async (reserve) => {
        await reserve(80 * MB);
        await end.opened;
      }, OWNER);
      await settled();
      let begun = false;
      const waiting = other.run(async (reserve) => {
        await reserve(30 * MB);
        begun = true;
      }, OWNER);
      await settled();

      expect(begun).to.equal(false);
      end.open();
      await Promise.all([running, waiting]);
      expect(begun).to.equal(true);
    });

    it('rejects a job that can never fit', async () => {
      const queue = decodeQueue({ memory: new WeightedSemaphore(100 * MB) });

      expect(await rejection(queue.run((reserve) => reserve(101 * MB), OWNER))).to.be.instanceOf(Overloaded);
    });

    it('cancels a job that waits for memory if its owner disconnects, and starts the next ones', async () => {
      const queue = decodeQueue({ concurrency: 10, memory: new WeightedSemaphore(100 * MB) });
      const end = new Gate();
      const leaver = new AbortController();
      const reserving = (weight: number, signal: AbortSignal): Promise<void> =>
        queue.run(
          async (reserve) => {
            await reserve(weight * MB);
            await end.opened;
          },
          { signal },
        );
      const running = reserving(60, STAYING);
      const heavy = reserving(90, leaver.signal);
      let begun = false;
      const light = queue.run(async (reserve) => {
        await reserve(40 * MB);
        begun = true;
      }, OWNER);
      await settled();
      leaver.abort();

      expect((await rejection(heavy)).name).to.equal('AbortError');
      await light;
      expect(begun).to.equal(true);
      end.open();
      await running;
    });
  });

  it('rejects a job that has waited for too long', async () => {
    const queue = decodeQueue({ concurrency: 1, maxWaitMs: 1 });
    const end = new Gate();
    const running = queue.run(async (reserve) => {
      await reserve(1);
      await end.opened;
    }, OWNER);

    expect(await rejection(queue.run(async () => {}, OWNER))).to.be.instanceOf(Overloaded);
    end.open();
    await running;
  });

  it('limits the jobs of one subject to half of the waiting places', async () => {
    const queue = decodeQueue({ concurrency: 1, maxWaiting: 4 });
    const end = new Gate();
    const run = (subject: string): Promise<void> => queue.run(() => end.opened, { signal: STAYING, subject });
    const accepted = ['alice', 'alice', 'alice', 'bob'].map(run);

    expect(await rejection(run('alice'))).to.be.instanceOf(Overloaded);
    accepted.push(run('bob'));
    expect(await rejection(run('carol'))).to.be.instanceOf(Overloaded);
    end.open();
    await Promise.all(accepted);
    await run('alice');
  });
});

describe('DecodeQueue, ahead of requests,', () => {
  it('runs a job beside jobs that hold all places', async () => {
    const queue = decodeQueue({ concurrency: 1 });
    const end = new Gate();
    const running = queue.run(() => end.opened, OWNER);

    expect(await queue.runAhead(async () => 'made', STAYING)).to.equal('made');
    end.open();
    await running;
  });

  for (const [what, held, bytes] of [
    ['that is not free', 90, 20],
    ['of more than a quarter of all', 0, 26],
  ] as const) {
    it(`rejects a job with Overloaded if it needs memory ${what}`, async () => {
      const memory = new WeightedSemaphore(100);
      const release = await memory.acquire(held, STAYING);

      const made = decodeQueue({ memory }).runAhead((reserve) => reserve(bytes), STAYING);
      expect(await rejection(made)).to.be.instanceOf(Overloaded);
      release();
    });
  }

  it('releases the memory of a job at its end', async () => {
    const memory = new WeightedSemaphore(100);
    await decodeQueue({ memory }).runAhead((reserve) => reserve(25), STAYING);

    expect(memory.isFree(100)).to.equal(true);
  });
});
