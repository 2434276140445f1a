import { expect } from 'chai';
import { AdaptiveLimit } from '../../src/application/maintenance/adaptive-limit.ts';
import { PatientTarget } from '../../src/application/maintenance/patient-target.ts';
import {
  ImportError,
  type ImportErrorReason,
  type ImportTarget,
  type ImportUpload,
} from '../../src/domain/ports/import-target.ts';
import { Gate, settled } from '../support/doubles/gate.ts';
import { ManualClock } from '../support/doubles/manual-clock.ts';
import { rejection } from '../support/fixtures/rejection.ts';

const MINUTE_MS = 60_000;
const UPLOAD = {} as ImportUpload;
const NEVER = new AbortController().signal;

describe('PatientTarget', () => {
  const waits: number[] = [];
  let clock: ManualClock;

  beforeEach(() => {
    waits.length = 0;
    clock = new ManualClock();
  });

  function patient(upload: () => Promise<number>, jobs = 8): PatientTarget {
    const target: ImportTarget = { upload, lookUp: async () => new Map() };
    return new PatientTarget(target, clock, {
      jobs,
      maxWaitMs: 10 * MINUTE_MS,
      wait: async (ms) => {
        waits.push(ms);
        clock.advance(ms);
      },
    });
  }

  /** Fails until a time has passed since its start. */
  function unavailableFor(ms: number): () => Promise<number> {
    const end = clock.now().getTime() + ms;
    return async () => {
      if (clock.now().getTime() < end) throw problem('unavailable');
      return 7;
    };
  }

  it('survives a service that is away for a minute', async () => {
    const target = patient(unavailableFor(MINUTE_MS));

    expect(await target.upload(UPLOAD, NEVER)).to.equal(7);
    expect(target.verdict).to.equal(undefined);
    expect(Math.max(...waits)).to.equal(15_000);
  });

  it('gives up after ten minutes without any success, and fails later calls at once', async () => {
    const target = patient(unavailableFor(60 * MINUTE_MS));

    expect(await rejection(target.upload(UPLOAD, NEVER))).to.include({ reason: 'unavailable' });
    const { length } = waits;
    expect(await rejection(target.upload(UPLOAD, NEVER))).to.equal(target.verdict);
    expect(waits).to.have.lengthOf(length);
    expect(waits.reduce((sum, ms) => sum + ms)).to.be.within(10 * MINUTE_MS, 11 * MINUTE_MS);
  });

  it('is patient with a service that fails after a long time without requests', async () => {
    let calls = 0;
    const target = patient(async () => {
      calls += 1;
      if (calls === 2) throw problem('unavailable');
      return 7;
    });
    await target.upload(UPLOAD, NEVER);
    clock.advance(60 * MINUTE_MS);

    expect(await target.upload(UPLOAD, NEVER)).to.equal(7);
  });

  it('waits as long as the service says', async () => {
    let calls = 0;
    const target = patient(async () => {
      calls += 1;
      if (calls === 1) throw problem('busy', 4000);
      return 7;
    });
    await target.upload(UPLOAD, NEVER);

    expect(waits).to.deep.equal([4000]);
  });

  it('sends half as much at a time to a busy service', async () => {
    let calls = 0;
    const target = patient(async () => {
      calls += 1;
      if (calls === 1) throw problem('busy');
      return 7;
    });
    await target.upload(UPLOAD, NEVER);

    expect(target.concurrency).to.equal(4);
  });

  for (const reason of ['refused', 'failed', 'key_spent'] as const) {
    it(`does not repeat an upload that is ${reason}`, async () => {
      const target = patient(async () => {
        throw problem(reason);
      });

      expect(await rejection(target.upload(UPLOAD, NEVER))).to.include({ reason });
      expect(waits).to.deep.equal([]);
      expect(target.verdict).to.equal(undefined);
    });
  }

  it('sends nothing more if the client is denied', async () => {
    let calls = 0;
    const target = patient(async () => {
      calls += 1;
      throw problem('denied');
    });

    await rejection(target.upload(UPLOAD, NEVER));
    await rejection(target.upload(UPLOAD, NEVER));

    expect(calls).to.equal(1);
    expect(target.verdict).to.include({ reason: 'denied' });
  });

  it('ends with the reason of the signal', async () => {
    const abort = new AbortController();
    abort.abort(new RangeError('enough'));

    expect(await rejection(patient(async () => 7).upload(UPLOAD, abort.signal))).to.equal(
      abort.signal.reason,
    );
  });
});

describe('AdaptiveLimit', () => {
  it('runs as much at a time as its maximum', async () => {
    const limit = new AdaptiveLimit(2);
    const gate = new Gate();
    let running = 0;
    const work = (): Promise<void> =>
      limit.run(async () => {
        running += 1;
        await gate.opened;
      });
    const all = Promise.all([work(), work(), work()]);
    await settled();

    expect(running).to.equal(2);
    gate.open();
    await all;
    expect(running).to.equal(3);
  });

  it('is halved once by the refusals of one round', () => {
    const limit = new AdaptiveLimit(8);
    const { round } = limit;
    for (let refusal = 0; refusal < 8; refusal += 1) limit.refused(round);

    expect(limit.current).to.equal(4);
  });

  it('stays at one', () => {
    const limit = new AdaptiveLimit(2);
    for (let refusal = 0; refusal < 8; refusal += 1) limit.refused(limit.round);

    expect(limit.current).to.equal(1);
  });

  it('rises by one after as many successes, up to its maximum', () => {
    const limit = new AdaptiveLimit(4);
    limit.refused(limit.round);
    limit.succeeded();
    limit.succeeded();
    expect(limit.current).to.equal(3);
    for (let success = 0; success < 100; success += 1) limit.succeeded();

    expect(limit.current).to.equal(4);
  });
});

function problem(reason: ImportErrorReason, retryAfterMs?: number): ImportError {
  return new ImportError('planted', { reason, code: reason, retryAfterMs });
}
