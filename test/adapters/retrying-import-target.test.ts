import { expect } from 'chai';
import { CatalogError } from '../../client/src/node.ts';
import { RetryingImportTarget } from '../../src/adapters/service-client/retrying-import-target.ts';
import type {
  ImportedImage,
  ImportTarget,
  ImportUpload,
} from '../../src/domain/ports/commands/import-target.ts';
import { rejection } from '../support/fixtures/rejection.ts';
import { ManualClock } from '../support/time/manual-clock.ts';

const MINUTE_MS = 60_000;
const UPLOAD = {} as ImportUpload;
const NEVER = new AbortController().signal;

const waits: number[] = [];
const told: number[] = [];
let clock: ManualClock;

function useClock(): void {
  beforeEach(() => {
    waits.length = 0;
    told.length = 0;
    clock = new ManualClock();
  });
}

function retrying(upload: () => Promise<ImportedImage>, jobs = 8): RetryingImportTarget {
  const target: ImportTarget = { upload, lookUp: async () => new Map() };
  return new RetryingImportTarget(target, clock, {
    jobs,
    maxWaitMs: 10 * MINUTE_MS,
    wait: async (ms) => {
      waits.push(ms);
      clock.advance(ms);
    },
    isFinal: ({ code }) => code === 'untrusted',
    onWaiting: (_error, minutes) => void told.push(minutes),
  });
}

/** Fails until a time has passed since its start. */
function unavailableFor(ms: number): () => Promise<ImportedImage> {
  const end = clock.now().getTime() + ms;
  return async () => {
    if (clock.now().getTime() < end) throw problem('unreachable');
    return { id: 7 };
  };
}

describe('RetryingImportTarget', () => {
  useClock();

  it('does not wait after an error that waiting does not change', async () => {
    const target = retrying(async () => {
      throw new CatalogError('untrusted', { code: 'untrusted', status: 502 });
    });

    expect(await rejection(target.upload(UPLOAD, NEVER))).to.have.property('code', 'untrusted');
    expect(waits).to.deep.equal([]);
    expect(target.verdict).to.have.property('code', 'untrusted');
  });

  it('survives a service that is away for a minute', async () => {
    const target = retrying(unavailableFor(MINUTE_MS));

    expect(await target.upload(UPLOAD, NEVER)).to.deep.equal({ id: 7 });
    expect(target.verdict).to.equal(undefined);
    expect(Math.max(...waits)).to.be.within(10_000, 30_000);
  });

  it('gives up after ten minutes without any success, and fails later calls at once', async () => {
    const target = retrying(unavailableFor(60 * MINUTE_MS));

    expect(await rejection(target.upload(UPLOAD, NEVER))).to.include({
      code: 'unreachable',
      isRefusal: false,
    });
    const { length } = waits;
    expect(await rejection(target.upload(UPLOAD, NEVER))).to.have.property('cause', target.verdict);
    expect(waits).to.have.lengthOf(length);
    expect(waits.reduce((sum, ms) => sum + ms)).to.be.within(10 * MINUTE_MS, 11 * MINUTE_MS);
  });

  it('tells each minute that it waits, anew after a success', async () => {
    await retrying(unavailableFor(MINUTE_MS / 2)).upload(UPLOAD, NEVER);
    expect(told).to.deep.equal([]);
    await retrying(unavailableFor(5 * MINUTE_MS)).upload(UPLOAD, NEVER);
    expect(told).to.deep.equal([1, 2, 3, 4]);

    const target = retrying(unavailableFor(3 * MINUTE_MS));
    const calls = Promise.all([target.upload(UPLOAD, NEVER), target.upload(UPLOAD, NEVER)]);
    await calls;
    // The third minute may have passed when one of them looks last.
    expect(told.slice(4)).to.satisfy((minutes: readonly number[]) =>
      minutes.every((minute, at) => minute === at + 1),
    );
    expect(told.length).to.be.within(6, 7);
  });

  it('waits for a service that fails after a long time without requests', async () => {
    let calls = 0;
    const target = retrying(async () => {
      calls += 1;
      if (calls === 2) throw problem('unreachable');
      return { id: 7 };
    });
    await target.upload(UPLOAD, NEVER);
    clock.advance(60 * MINUTE_MS);

    expect(await target.upload(UPLOAD, NEVER)).to.deep.equal({ id: 7 });
  });

  it('waits as long as the service says', async () => {
    let calls = 0;
    const target = retrying(async () => {
      calls += 1;
      if (calls === 1) throw problem('busy', 4000);
      return { id: 7 };
    });
    await target.upload(UPLOAD, NEVER);

    expect(waits).to.deep.equal([4000]);
  });

  it('sends half as much at a time to a busy service', async () => {
    let calls = 0;
    const target = retrying(async () => {
      calls += 1;
      if (calls === 1) throw problem('busy');
      return { id: 7 };
    });
    await target.upload(UPLOAD, NEVER);

    expect(target.concurrency).to.equal(4);
  });

  it('waits until a read-only state ends', async () => {
    let calls = 0;
    const target = retrying(async () => {
      calls += 1;
      if (calls < 3) throw problem('read_only', 1000);
      return { id: 7 };
    });

    expect(await target.upload(UPLOAD, NEVER)).to.deep.equal({ id: 7 });
    expect(waits).to.deep.equal([1000, 1000]);
  });

  it('ends with the reason of the signal', async () => {
    const abort = new AbortController();
    abort.abort(new RangeError('enough'));

    expect(await rejection(retrying(async () => ({ id: 7 })).upload(UPLOAD, abort.signal))).to.equal(
      abort.signal.reason,
    );
  });
});

describe('RetryingImportTarget at an error that does not pass', () => {
  useClock();

  for (const [kind, isRefusal] of [
    ['refused', true],
    ['failed', false],
  ] as const) {
    it(`does not repeat an upload that is ${kind}`, async () => {
      const target = retrying(async () => {
        throw problem(kind);
      });

      expect(await rejection(target.upload(UPLOAD, NEVER))).to.include({ code: kind, isRefusal });
      expect(waits).to.deep.equal([]);
      expect(target.verdict).to.equal(undefined);
    });
  }

  it('sends nothing more if the client is denied', async () => {
    let calls = 0;
    const target = retrying(async () => {
      calls += 1;
      throw problem('unauthorized');
    });

    await rejection(target.upload(UPLOAD, NEVER));
    await rejection(target.upload(UPLOAD, NEVER));

    expect(calls).to.equal(1);
    expect(target.verdict).to.include({ kind: 'unauthorized' });
  });
});

type Kind = 'unreachable' | 'busy' | 'key_in_use' | 'read_only' | 'unauthorized' | 'refused' | 'failed';

const STATUS: Readonly<Record<Kind, number>> = {
  unreachable: 502,
  busy: 503,
  key_in_use: 409,
  read_only: 503,
  unauthorized: 401,
  refused: 422,
  failed: 500,
};

function problem(kind: Kind, retryAfterMs?: number): CatalogError {
  const code = kind === 'key_in_use' ? 'idempotency_key_in_use' : kind;
  return new CatalogError('planted', { code, status: STATUS[kind], retryAfterMs });
}
