import { expect } from 'chai';
import type { Ask } from '../../src/adapters/decoder/decode-job.ts';
import type { DecoderPool, ImageJob } from '../../src/adapters/decoder/decoder-pool.ts';
import { Overloaded } from '../../src/domain/errors.ts';
import { decoderPool, jobOf } from '../support/doubles/decoders.ts';
import { FakeDecoders } from '../support/doubles/fake-decoders.ts';
import { rejection } from '../support/fixtures/rejection.ts';
import { settled } from '../support/time/gate.ts';
import { ManualTime } from '../support/time/manual-time.ts';

const BOUNDS = { cpuSeconds: 1, memoryBytes: 1, replyBytes: 1 };
const QUESTION = { request: { kind: 'inspect' }, bounds: BOUNDS } as const;

let decoders: FakeDecoders;
let time: ManualTime;
let pool: DecoderPool;
/** One for each job. */
let outcomes: string[];

async function start(slots: number): Promise<void> {
  pool = decoderPool({ slots, renditions: slots, startDecoder: decoders.start, timer: time.after });
  await pool.start();
  await settled();
}

/** Begins a job, and notes its outcome. */
async function upload(job: Partial<ImageJob> = {}): Promise<void> {
  void pool
    .run(jobOf({ kind: 'inspection', signal: new AbortController().signal, ...job }), (decoder) =>
      decoder.decode((ask) => ask({ ...QUESTION, parse: () => 'decoded' })),
    )
    .then(
      (outcome) => outcomes.push(outcome),
      (error: Error) => outcomes.push(error.name),
    );
  await settled();
}

async function replyAll(): Promise<void> {
  for (const decoder of decoders.busy) decoder.reply();
  // Those that wait get their turn.
  await settled();
  await settled();
}

/** Ends one of the decoders, and lets the next starts fail. */
async function endOne(failing: number): Promise<void> {
  decoders.failing = failing;
  decoders.running[0]?.end();
  await settled();
}

describe('Decoders', () => {
  beforeEach(() => {
    decoders = new FakeDecoders();
    time = new ManualTime();
    outcomes = [];
  });

  afterEach(async () => await pool.stop());

  describe('one of which does not start,', () => {
    it('refuse no job: the others decode them all, one after another', async () => {
      await start(2);
      await endOne(1);
      for (let job = 0; job < 24; job += 1) await upload();

      expect([outcomes, decoders.busy.length, pool.queue.waiting('inspection')]).to.deep.equal([[], 1, 22]);
      for (let job = 0; job < 24; job += 1) await replyAll();
      expect(outcomes).to.deep.equal(Array(24).fill('decoded'));
      expect(decoders.attempts).to.equal(3);
    });

    it('decode as many at a time as before when it has started, at an attempt each second', async () => {
      await start(2);
      await endOne(2);
      await upload();
      await upload();
      await time.settle(999);
      expect([decoders.attempts, decoders.busy.length]).to.deep.equal([3, 1]);
      await time.settle(1);
      expect([decoders.attempts, decoders.busy.length]).to.deep.equal([4, 1]);
      await time.settle(1000);

      expect([decoders.attempts, decoders.busy.length]).to.deep.equal([5, 2]);
    });
  });

  describe('none of which starts', () => {
    async function failAll(failing: number): Promise<void> {
      await start(2);
      decoders.failing = failing;
      for (const decoder of decoders.running) decoder.end();
      await settled();
    }

    it('let jobs wait for the next attempts', async () => {
      await failAll(4);
      await upload();
      await time.settle(1000);
      expect(outcomes).to.deep.equal([]);
      await time.settle(1000);
      await replyAll();

      expect(outcomes).to.deep.equal(['decoded']);
    });

    it('refuse jobs from the third attempt on, those that wait too, until one starts', async () => {
      await failAll(6);
      for (const _ of [1, 2, 3]) await upload();
      for (const _ of [1, 2]) await time.settle(1000);
      await settled();
      expect(outcomes).to.deep.equal(Array(3).fill('Overloaded'));
      expect(await rejection(pool.run(jobOf(), (decoding) => decoding.decode(never())))).to.be.instanceOf(
        Overloaded,
      );
      expect(pool.ended('not_started')).to.equal(4);
      await time.settle(1000);
      await upload();
      await replyAll();

      expect(outcomes.at(-1)).to.equal('decoded');
    });
  });

  it('take a job over whose decoder has ended, before all that wait for a turn', async () => {
    await start(2);
    for (let job = 0; job < 4; job += 1) await upload({ subject: String(job) });
    decoders.failing = 1;
    decoders.busy[0]?.end();
    await settled();
    expect(decoders.busy).to.have.length(1);
    await replyAll();

    expect([outcomes, decoders.busy.length, pool.queue.waiting('inspection')]).to.deep.equal([
      ['decoded'],
      1,
      1,
    ]);
  });

  it('refuse a job whose decoder ends twice by the signal of another process', async () => {
    await start(2);
    await upload();
    for (const _ of [1, 2]) {
      decoders.busy[0]?.end();
      await settled();
    }

    expect(outcomes).to.deep.equal(['Overloaded']);
  });
});

describe('The watch over decoders', () => {
  beforeEach(() => {
    decoders = new FakeDecoders();
    time = new ManualTime();
    outcomes = [];
  });

  afterEach(async () => await pool.stop());

  it('looks once a second at each while all are idle', async () => {
    await start(2);
    await time.settle(3000);

    expect(decoders.running.map(({ looks }) => looks)).to.deep.equal([
      [true, true, true],
      [true, true, true],
    ]);
  });

  it('looks every 20 ms while one has a job, and once a second at what idle ones may do', async () => {
    await start(2);
    await upload();
    await time.settle(2000);
    const [first, last] = decoders.running;
    expect([first?.looks.length, first?.looks.filter(Boolean).length]).to.deep.equal([100, 2]);
    // A decoder that has a job by now may not have begun it.
    expect(last?.looks).to.deep.equal(Array(100).fill(false));
    await replyAll();
    await time.settle(3000);

    expect(first?.looks.length).to.be.within(102, 103);
  });

  it('ends with the pool', async () => {
    await start(1);
    const [decoder] = decoders.running;
    await pool.stop();
    await time.settle(5000);

    expect(decoder?.looks).to.deep.equal([]);
  });
});

function never(): (ask: Ask) => Promise<never> {
  return () => expect.fail('there is no decoder');
}
