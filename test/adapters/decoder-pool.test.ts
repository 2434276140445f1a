import { expect } from 'chai';
import { DecodeMemory } from '../../src/adapters/decoder/decode-memory.ts';
import type { DecoderEnd } from '../../src/adapters/decoder/decoder-ended.ts';
import type { DecoderPool, ImageJob } from '../../src/adapters/decoder/decoder-pool.ts';
import { ImageBeyondLimits, Overloaded } from '../../src/domain/errors.ts';
import { decoderPool, jobOf } from '../support/doubles/decoders.ts';
import { FakeDecoders } from '../support/doubles/fake-decoders.ts';
import { STAYING } from '../support/doubles/staying.ts';
import { rejection } from '../support/fixtures/rejection.ts';
import { Gate, settled } from '../support/time/gate.ts';
import { VirtualTimers } from '../support/time/virtual-timers.ts';

const JOB = jobOf();
const MB = 1_000_000;
const QUESTION = {
  request: { kind: 'inspect' },
  bounds: { cpuSeconds: 1, memoryBytes: 1, replyBytes: 1 },
  parse: () => 'decoded',
} as const;

let pools: DecoderPool[] = [];

afterEach(async () => {
  await Promise.all(pools.map((pool) => pool.stop()));
  pools = [];
});

/** Without processes: no job here decodes. */
function poolOf(options: Parameters<typeof decoderPool>[0] = {}): DecoderPool {
  const pool = decoderPool({ startDecoder: new FakeDecoders().start, ...options });
  pools.push(pool);
  return pool;
}

describe('DecoderPool', () => {
  it('tells how many jobs run and wait', async () => {
    const pool = poolOf({ renditions: 2 });
    const end = new Gate();
    const all = Promise.all([1, 2, 3].map(() => pool.run(JOB, () => end.opened)));
    await settled();
    const during = [pool.admission.running('rendition'), pool.admission.waiting('rendition')];
    end.open();
    await all;

    expect(during).to.deep.equal([2, 1]);
    expect([pool.admission.running('rendition'), pool.admission.waiting('rendition')]).to.deep.equal([0, 0]);
  });

  for (const [renditions, waiting] of [
    [1, 0],
    [1, 3],
    [2, 2],
  ] as const) {
    it(`queues ${waiting} renditions behind ${renditions} and rejects the next`, async () => {
      const pool = poolOf({ renditions, maxWaiting: waiting });
      const end = new Gate();
      const accepted = Array.from({ length: renditions + waiting }, (_, index) =>
        pool.run(jobOf({ subject: String(index) }), () => end.opened),
      );

      expect(await rejection(pool.run(JOB, async () => {}))).to.be.instanceOf(Overloaded);

      end.open();
      await Promise.all(accepted);
      expect(await pool.run(JOB, async () => 'free again')).to.equal('free again');
    });
  }

  it('starts the next job after a failed one', async () => {
    const pool = poolOf({ renditions: 1 });
    const failure = new Error('no paint left');
    const failing = pool.run(JOB, () => Promise.reject(failure));
    const next = pool.run(JOB, async () => 'painted');

    expect(await rejection(failing)).to.equal(failure);
    expect(await next).to.equal('painted');
  });

  it('rejects a job that has waited for too long', async () => {
    const pool = poolOf({ renditions: 1, maxWaitMs: 30_000 });
    const end = new Gate();
    const running = pool.run(JOB, async (job) => {
      job.reserve(1);
      await end.opened;
    });

    const time = new VirtualTimers();
    const waiting = time.use(() => pool.run(JOB, async () => {}));
    time.pass(30_000);

    expect(await rejection(waiting)).to.be.instanceOf(Overloaded);
    end.open();
    await running;
  });

  it('limits the jobs of one subject to half of the waiting places', async () => {
    const pool = poolOf({ renditions: 1, maxWaiting: 4 });
    const end = new Gate();
    const run = (subject: string): Promise<void> => pool.run(jobOf({ subject }), () => end.opened);
    const accepted = ['alice', 'alice', 'alice', 'bob'].map(run);

    expect(await rejection(run('alice'))).to.be.instanceOf(Overloaded);
    accepted.push(run('bob'));
    expect(await rejection(run('carol'))).to.be.instanceOf(Overloaded);
    end.open();
    await Promise.all(accepted);
    await run('alice');
  });
});

describe('DecoderPool, after a picture has reached a bound,', () => {
  const THUMBNAIL = { derivative: '320xauto-inside-q75.webp' };
  const LARGE_AVIF = { derivative: '3840x2160-cover-q75.avif' };
  const UPLOAD = { kind: 'inspection' } as const;
  let decoders: FakeDecoders;

  beforeEach(() => {
    decoders = new FakeDecoders();
  });

  for (const end of ['cpu', 'memory'] as const) {
    it(`refuses that rendition alone if a rendition was ended for its ${end}`, async () => {
      const pool = poolOf({ startDecoder: decoders.start });
      await reachBound(pool, LARGE_AVIF, end);

      expect(await outcomeOf(pool, LARGE_AVIF)).to.equal('ImageBeyondLimits');
      expect(await outcomeOf(pool, { ...LARGE_AVIF, sha256: 'other' })).to.equal('made');
      expect(await outcomeOf(pool, THUMBNAIL)).to.equal('made');
      expect(await outcomeOf(pool, UPLOAD)).to.equal('made');
    });

    it(`refuses every job for these bytes if an inspection was ended for its ${end}`, async () => {
      const pool = poolOf({ startDecoder: decoders.start });
      await reachBound(pool, UPLOAD, end);

      for (const job of [UPLOAD, THUMBNAIL, LARGE_AVIF]) {
        expect(await outcomeOf(pool, job)).to.equal('ImageBeyondLimits');
      }
      expect(await outcomeOf(pool, { ...UPLOAD, sha256: 'other' })).to.equal('made');
    });
  }

  async function reachBound(pool: DecoderPool, job: Partial<ImageJob>, end: DecoderEnd): Promise<void> {
    const ended = rejection(pool.run(jobOf(job), ({ ask }) => ask(QUESTION)));
    await settled();
    decoders.busy[0]?.endFor(end);
    expect(await ended).to.be.instanceOf(ImageBeyondLimits);
  }

  async function outcomeOf(pool: DecoderPool, job: Partial<ImageJob>): Promise<string> {
    return await pool.run(jobOf(job), async () => 'made').catch((error: Error) => error.constructor.name);
  }
});

describe('DecoderPool, when the client leaves,', () => {
  it('cancels a waiting job and frees its place', async () => {
    const pool = poolOf({ renditions: 1, maxWaiting: 2 });
    const end = new Gate();
    const running = pool.run(JOB, () => end.opened);
    const leaver = new AbortController();
    let begun = false;
    const waiting = pool.run(jobOf({ signal: leaver.signal }), async () => {
      begun = true;
    });
    const reason = new Error('left');
    leaver.abort(reason);

    expect(await rejection(waiting)).to.equal(reason);
    const next = pool.run(JOB, async () => 'painted');
    end.open();
    await running;
    expect([await next, begun]).to.deep.equal(['painted', false]);
  });

  it('does not start a job if the client has left already', async () => {
    let begun = false;
    const work = async (): Promise<void> => {
      begun = true;
    };

    await rejection(poolOf().run(jobOf({ signal: AbortSignal.abort(new Error('left')) }), work));

    expect(begun).to.equal(false);
  });
});

describe('DecoderPool, for jobs that reserve memory,', () => {
  it('runs as many as fit into the budget', async () => {
    const pool = poolOf({ slots: 10, renditions: 9, memory: new DecodeMemory(100 * MB) });
    const end = new Gate();
    const decoding: number[] = [];
    const run = (weight: number): Promise<void> =>
      pool.run(JOB, async ({ reserve }) => {
        reserve(weight * MB);
        decoding.push(weight);
        await end.opened;
      });
    const jobs = [60, 30, 20].map(run);
    await settled();
    jobs.push(run(5));
    await settled();

    // The job of 5 would fit, but does not overtake that of 20.
    expect(decoding).to.deep.equal([60, 30]);
    end.open();
    await Promise.all(jobs);
    expect(decoding).to.deep.equal([60, 30, 20, 5]);
  });

  it('takes the decoder back from a job whose memory is not free, and gives it both at once later', async () => {
    const pool = poolOf({ slots: 3, renditions: 2, memory: new DecodeMemory(100 * MB) });
    const end = new Gate();
    const running = pool.run(JOB, async ({ reserve }) => {
      reserve(60 * MB);
      await end.opened;
    });
    let attempts = 0;
    const waiting = pool.run(JOB, async ({ reserve }) => {
      attempts += 1;
      reserve(50 * MB);
      return [pool.admission.running('rendition'), pool.memory.held];
    });
    await settled();
    const { admission } = pool;
    expect([admission.running('rendition'), admission.waiting('rendition')]).to.deep.equal([1, 1]);
    expect([admission.waitingForMemory, attempts]).to.deep.equal([1, 1]);
    end.open();
    await running;

    expect([await waiting, attempts]).to.deep.equal([[1, 50 * MB], 2]);
  });

  it('gives a job that reserves more than all memory the whole of it', async () => {
    const pool = poolOf({ memory: new DecodeMemory(100 * MB) });

    const held = await pool.run(JOB, async (job) => {
      job.reserve(101 * MB);
      return pool.memory.held;
    });
    expect(held).to.equal(100 * MB);
  });

  it('cancels a job that waits for memory if its client leaves, and starts the next ones', async () => {
    const pool = poolOf({ slots: 10, renditions: 9, memory: new DecodeMemory(100 * MB) });
    const end = new Gate();
    const leaver = new AbortController();
    const reserving = (weight: number, signal: AbortSignal): Promise<void> =>
      pool.run(jobOf({ signal }), async (job) => {
        job.reserve(weight * MB);
        await end.opened;
      });
    const running = reserving(60, STAYING);
    const heavy = reserving(90, leaver.signal);
    let begun = false;
    const light = pool.run(JOB, async (job) => {
      job.reserve(40 * MB);
      begun = true;
    });
    await settled();
    leaver.abort();

    expect((await rejection(heavy)).name).to.equal('AbortError');
    await light;
    expect(begun).to.equal(true);
    end.open();
    await running;
  });
});

describe('DecoderPool, whose decoder ends during a job,', () => {
  for (const [end, reason] of [
    ['no_memory', 'decode_memory'],
    ['cancelled', 'decoder_ended'],
  ] as const) {
    it(`rejects it with Overloaded for ${reason} if the reason was ${end}`, async () => {
      const decoders = new FakeDecoders();
      const ended = rejection(poolOf({ startDecoder: decoders.start }).run(JOB, ({ ask }) => ask(QUESTION)));
      await settled();
      decoders.busy[0]?.endFor(end);

      expect(await ended)
        .to.be.instanceOf(Overloaded)
        .with.property('reason', reason);
    });
  }
});

describe('DecoderPool, ahead of requests,', () => {
  const AHEAD = jobOf({ kind: 'ahead', subject: '' });

  for (const [what, held, bytes] of [
    ['that is not free', 90, 20],
    ['of more than a quarter of all', 0, 26],
  ] as const) {
    it(`rejects a job with Overloaded if it needs memory ${what}`, async () => {
      const memory = new DecodeMemory(100);
      const reservation = memory.reserve(held);
      const pool = poolOf({ memory });
      await pool.start();

      const made = pool.run(AHEAD, async ({ reserve }) => reserve(bytes));
      expect(await rejection(made)).to.include({ reason: 'decode_memory' });
      reservation?.release();
    });
  }

  it('rejects a job with Overloaded if another one waits for memory', async () => {
    const pool = poolOf({ slots: 4, renditions: 3, memory: new DecodeMemory(100) });
    await pool.start();
    const [reserving, end] = [new Gate(), new Gate()];
    const ahead = rejection(
      pool.run(AHEAD, async ({ reserve }) => {
        await reserving.opened;
        reserve(20);
      }),
    );
    const others = [60, 50].map((bytes) =>
      pool.run(JOB, async ({ reserve }) => {
        reserve(bytes);
        await end.opened;
      }),
    );
    await settled();
    expect(pool.admission.waitingForMemory).to.equal(1);
    reserving.open();

    expect(await ahead).to.include({ reason: 'decode_memory' });
    end.open();
    await Promise.all(others);
  });

  it('keeps the memory of a job that is repeated', async () => {
    const memory = new DecodeMemory(100);
    const pool = poolOf({ memory });
    await pool.start();
    const repeated = pool.run(AHEAD, async ({ reserve }) => {
      reserve(25);
      const reservation = memory.reserve(75);
      reserve(25);
      reservation?.release();
    });

    expect(await repeated).to.equal(undefined);
  });
});
