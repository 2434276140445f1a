import { expect } from 'chai';
import type { DecoderPool, ImageJob } from '../../src/adapters/decoder/decoder-pool.ts';
import { Overloaded } from '../../src/domain/errors.ts';
import { decoderPool, jobOf } from '../support/doubles/decoders.ts';
import { FakeDecoders } from '../support/doubles/fake-decoders.ts';
import { rejection } from '../support/fixtures/rejection.ts';
import { Gate, settled } from '../support/time/gate.ts';
import { ManualTime } from '../support/time/manual-time.ts';

const BOUNDS = { cpuSeconds: 1, memoryBytes: 1, replyBytes: 1 };
const QUESTION = { request: { kind: 'inspect' }, bounds: BOUNDS } as const;

let decoders: FakeDecoders;
let time: ManualTime;
let pool: DecoderPool;
/** One for each job. */
let outcomes: string[];
/** The subjects of jobs that have got a decoder. */
let order: string[];

function prepare(): void {
  decoders = new FakeDecoders();
  time = new ManualTime();
  [outcomes, order] = [[], []];
}

async function start(slots: number, kept = slots): Promise<void> {
  pool = decoderPool({ slots, kept, renditions: slots, startDecoder: decoders.start, timer: time.after });
  await pool.start();
  await settled();
}

/** Begins a job, and notes its outcome. */
async function upload(job: Partial<ImageJob> = {}): Promise<void> {
  void pool
    .run(jobOf({ kind: 'inspection', signal: new AbortController().signal, ...job }), async ({ ask }) => {
      order.push(job.subject ?? '');
      return await ask({ ...QUESTION, parse: () => 'decoded' });
    })
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
  beforeEach(prepare);

  afterEach(async () => await pool.stop());

  describe('one of which does not start,', () => {
    it('refuse no job: the others decode them all, one after another', async () => {
      await start(2);
      await endOne(1);
      for (let job = 0; job < 24; job += 1) await upload();

      expect([outcomes, decoders.busy.length, pool.admission.waiting('inspection')]).to.deep.equal([
        [],
        1,
        23,
      ]);
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
      expect(await rejection(pool.run(jobOf(), () => expect.fail('there is no decoder')))).to.be.instanceOf(
        Overloaded,
      );
      expect(pool.ended('not_started')).to.equal(4);
      await time.settle(1000);
      await upload();
      await replyAll();

      expect(outcomes.at(-1)).to.equal('decoded');
    });
  });
});

describe('Decoders, one of which ends during a job,', () => {
  beforeEach(prepare);

  afterEach(async () => await pool.stop());

  it('take a job over whose decoder has ended, before all that wait for a turn', async () => {
    await start(2);
    for (let job = 0; job < 4; job += 1) await upload({ subject: String(job) });
    decoders.failing = 1;
    decoders.busy[0]?.end();
    await settled();
    expect(decoders.busy).to.have.length(1);
    await replyAll();

    expect([outcomes, decoders.busy.length, pool.admission.waiting('inspection')]).to.deep.equal([
      ['decoded'],
      1,
      2,
    ]);
  });

  it('repeat a job in a fresh decoder, because what ended the first may have happened to the others', async () => {
    await start(2);
    await upload();
    const [idle] = decoders.running.filter((decoder) => !decoder.isBusy);
    decoders.busy[0]?.end();
    await settled();

    expect([decoders.attempts, idle?.isBusy, decoders.running.at(-1)?.isBusy]).to.deep.equal([
      3,
      false,
      true,
    ]);
  });

  it('repeat a job in a decoder that was not there yet when the first ended', async () => {
    await start(3, 1);
    await upload();
    await upload();
    const [first, second] = decoders.running;
    second?.reply();
    await settled();
    first?.end();
    await settled();

    expect([decoders.attempts, second?.isBusy, decoders.running.at(-1)?.isBusy]).to.deep.equal([
      3,
      false,
      true,
    ]);
  });

  it('repeat a job in any decoder if no fresh one starts', async () => {
    await start(2);
    await upload();
    decoders.failing = 1;
    decoders.busy[0]?.end();
    await settled();
    await replyAll();

    expect([outcomes, decoders.attempts]).to.deep.equal([['decoded'], 3]);
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

describe('The first decoder', () => {
  beforeEach(prepare);

  afterEach(async () => await pool.stop());

  it('is started once more if its start fails', async () => {
    decoders.failing = 1;
    await start(1);

    expect([decoders.attempts, decoders.running.length]).to.deep.equal([2, 1]);
  });

  it('fails the start of the pool if its start fails twice', async () => {
    decoders.failing = 2;

    expect((await rejection(start(1))).message).to.equal('no library');
    expect(decoders.attempts).to.equal(2);
  });

  it('does not hold up the end of the pool if its start hangs', async () => {
    decoders.startable = new Gate().opened;
    const starting = rejection(start(1));
    await settled();
    await pool.stop();

    expect((await starting).name).to.equal('AbortError');
    expect(decoders.attempts).to.equal(1);
  });
});

describe('Decoders none of which can be started', () => {
  beforeEach(prepare);

  afterEach(async () => {
    await pool.stop();
    await settled();
  });

  async function endAll(failing: number): Promise<void> {
    decoders.failing = failing;
    for (const decoder of decoders.running) decoder.end();
    await settled();
  }

  /** Whether the service takes requests. */
  async function isReady(): Promise<boolean> {
    return await pool.ping().then(
      () => true,
      () => false,
    );
  }

  it('take the service out of rotation after 30 s, and back when one has started', async () => {
    await start(2);
    await endAll(Number.POSITIVE_INFINITY);
    await seconds(29);
    expect(await isReady()).to.equal(true);
    await seconds(1);
    expect(await isReady()).to.equal(false);
    decoders.failing = 0;
    await seconds(1);

    expect(await isReady()).to.equal(true);
  });

  it('do the same if their starts hang', async () => {
    await start(2);
    const gate = new Gate();
    decoders.startable = gate.opened;
    await endAll(0);
    await seconds(30);
    const ready = await isReady();
    gate.open();

    expect(ready).to.equal(false);
  });

  it('do the same if they start on demand, and try again without a job', async () => {
    await start(2, 0);
    await seconds(1);
    const gate = new Gate();
    decoders.startable = gate.opened;
    decoders.failing = 1;
    await upload();
    await seconds(30);
    expect(await isReady()).to.equal(false);
    gate.open();
    await settled();
    expect(await isReady()).to.equal(false);
    await seconds(1);

    expect([await isReady(), decoders.running.length]).to.deep.equal([true, 1]);
  });

  it('leave the service in rotation if nobody wants one', async () => {
    await start(2, 0);
    await seconds(120);

    expect([await isReady(), decoders.running.length]).to.deep.equal([true, 0]);
  });

  it('leave the service in rotation while one works', async () => {
    await start(2);
    await upload();
    await endOne(Number.POSITIVE_INFINITY);
    await seconds(120);

    expect([await isReady(), decoders.running.length]).to.deep.equal([true, 1]);
  });

  it('leave the service in rotation while pictures end each decoder that starts', async () => {
    await start(1);
    for (let second = 0; second < 60; second += 1) {
      await upload();
      // The job is repeated once.
      for (const _ of [1, 2]) {
        decoders.busy[0]?.end();
        await settled();
      }
      await seconds(1);
    }

    expect([await isReady(), outcomes.length]).to.deep.equal([true, 60]);
  });
});

describe('Decoders that start on demand', () => {
  beforeEach(prepare);

  afterEach(async () => {
    await pool.stop();
  });

  it('are as many as there are jobs, and no more than there are slots', async () => {
    await start(3, 1);
    const started: number[] = [decoders.running.length];
    for (const _ of [1, 2, 3, 4]) {
      await upload();
      started.push(decoders.running.length);
    }

    expect(started).to.deep.equal([1, 1, 2, 3, 3]);
    expect(decoders.busy).to.have.length(3);
  });

  it('are not started for a job that finds one without work', async () => {
    await start(3, 1);
    for (const _ of [1, 2, 3]) {
      await upload();
      await replyAll();
    }

    expect([outcomes.length, decoders.attempts]).to.deep.equal([3, 1]);
  });

  it('are started for an inspection beside renditions that hold the others', async () => {
    await start(3, 1);
    for (const _ of [1, 2, 3]) await upload({ kind: 'rendition' });
    expect(decoders.running).to.have.length(2);
    await upload();

    expect(decoders.busy).to.have.length(3);
  });

  it('are not started for renditions ahead of requests', async () => {
    await start(2, 0);
    await seconds(1);
    await upload({ kind: 'ahead' });
    expect(decoders.attempts).to.equal(1);
    await seconds(1);

    expect([outcomes, decoders.attempts]).to.deep.equal([['Overloaded'], 1]);
  });

  it('that fail to start let the jobs of the others go on', async () => {
    await start(2, 1);
    decoders.failing = 100;
    await upload();
    await upload();
    expect([outcomes, decoders.busy.length]).to.deep.equal([[], 1]);
    await replyAll();
    await replyAll();

    expect(outcomes).to.deep.equal(['decoded', 'decoded']);
  });

  it('count the time of a start against no subject', async () => {
    let ms = 0;
    const restore = replaceNow(() => ms);
    try {
      await start(1, 0);
      await seconds(1);
      const gate = new Gate();
      decoders.startable = gate.opened;
      await upload({ subject: 'first' });
      await upload({ subject: 'first' });
      await upload({ subject: 'second' });
      ms += 5_000;
      gate.open();
      await settled();
      await replyAll();

      // If the start had counted, the second subject would be next.
      expect(pool.admission.waiting('inspection')).to.equal(1);
      expect(order).to.deep.equal(['first', 'first']);
    } finally {
      restore();
    }
  });
});

describe('Decoders without work', () => {
  beforeEach(prepare);

  afterEach(async () => {
    await pool.stop();
  });

  it('end after a minute without work, but for those that stay', async () => {
    await start(3, 1);
    for (const _ of [1, 2, 3]) await upload();
    await replyAll();
    await seconds(59);
    expect(decoders.running).to.have.length(3);
    await seconds(2);

    expect(decoders.running).to.have.length(1);
    await seconds(120);
    expect([decoders.running.length, decoders.attempts]).to.deep.equal([1, 3]);
  });

  it('end as soon beside one that gets a job every second', async () => {
    await start(3, 1);
    for (const _ of [1, 2, 3]) await upload();
    await replyAll();
    for (let second = 0; second < 61; second += 1) {
      await upload();
      await time.settle(10);
      await replyAll();
      await time.settle(990);
    }

    expect(decoders.running).to.have.length(1);
  });

  it('stay while they have work', async () => {
    await start(2, 0);
    await upload();
    await seconds(120);
    await replyAll();
    await seconds(59);
    expect(decoders.running).to.have.length(1);
    await seconds(2);

    expect(decoders.running).to.deep.equal([]);
  });

  it('all end if none is to stay, and the next job starts one', async () => {
    await start(2, 0);
    expect(decoders.running).to.have.length(1);
    await seconds(1);
    expect(decoders.running).to.deep.equal([]);
    await upload();
    await replyAll();

    expect([outcomes, decoders.attempts]).to.deep.equal([['decoded'], 2]);
  });

  it('use the first one for a job that comes at once, although none is to stay', async () => {
    await start(2, 0);
    await upload();
    await replyAll();
    await seconds(1);

    expect([outcomes, decoders.running.length, decoders.attempts]).to.deep.equal([['decoded'], 1, 1]);
  });
});

/** Returns what undoes it. */
function replaceNow(now: () => number): () => void {
  const own = performance.now.bind(performance);
  performance.now = now;
  return () => {
    performance.now = own;
  };
}

/** Passes as many looks of the watch. */
async function seconds(count: number): Promise<void> {
  for (let second = 0; second < count; second += 1) await time.settle(1_000);
}

describe('The watch over decoders', () => {
  beforeEach(prepare);

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
    const [idle, busy] = decoders.running;
    expect(idle?.looks).to.deep.equal([true, true]);
    // A decoder that has a job by now may not have begun it.
    expect(busy?.looks).to.deep.equal(Array(100).fill(false));
    await replyAll();
    await time.settle(3000);

    expect([idle, busy].map((decoder) => decoder?.looks.filter(Boolean).length)).to.deep.equal([5, 3]);
  });

  it('ends with the pool', async () => {
    await start(1);
    const [decoder] = decoders.running;
    await pool.stop();
    await time.settle(5000);

    expect(decoder?.looks).to.deep.equal([]);
  });
});
