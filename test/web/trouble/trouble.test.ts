import { CatalogError } from '@image-catalog/client';
import { expect } from 'chai';
import { type Refusal, Trouble } from '../../../web/src/trouble/trouble.ts';
import { settled } from '../../support/time/gate.ts';
import { ManualTime } from '../../support/time/manual-time.ts';

const UNREACHABLE = new CatalogError('The service cannot be reached', { code: 'network_error', status: 0 });

let time: ManualTime;
let online: boolean;
let probes: number;
let probeError: Error | undefined;
let refusals: Refusal[];
let retries: number;
let trouble: Trouble;

const retry = (): void => {
  retries += 1;
};

function useTrouble(): void {
  beforeEach(() => {
    time = new ManualTime();
    online = true;
    probes = 0;
    probeError = undefined;
    refusals = [];
    retries = 0;
    trouble = new Trouble({
      clock: time,
      isOnline: () => online,
      probe: async () => {
        probes += 1;
        if (probeError !== undefined) throw probeError;
      },
      onRefusal: (refusal) => refusals.push(refusal),
    });
  });
}

/** Until the next attempt. */
function delay(): number {
  return (trouble.outage.get()?.retryAt ?? Number.NaN) - time.now();
}

describe('trouble with the service that passes', () => {
  useTrouble();

  it('is shown until the next request succeeds, which repeats what has failed', () => {
    trouble.report(UNREACHABLE, { retry });
    expect(trouble.outage.get()).to.have.property('kind', 'unreachable');
    expect(delay()).to.be.within(1000, 2000);
    trouble.succeeded();

    expect(trouble.outage.get()).to.equal(undefined);
    expect(retries).to.equal(1);
  });

  it('is tried again by itself, less and less often', async () => {
    const failing = (): void => {
      retries += 1;
      trouble.report(UNREACHABLE, { retry: failing });
    };
    trouble.report(UNREACHABLE, { retry: failing });
    for (const longest of [2000, 4000, 8000, 16_000, 30_000, 30_000]) {
      const before = retries;
      expect(delay()).to.be.within(longest / 2, longest);
      await time.settle(delay());
      expect(retries).to.equal(before + 1);
    }
  });

  it('waits as long as the service says', async () => {
    trouble.report(refusal('overloaded', 503, { retryAfterMs: 7000 }), { retry });
    expect(trouble.outage.get()).to.deep.equal({ kind: 'busy', retryAt: 7000 });
    await time.settle(7000);

    expect(retries).to.equal(1);
  });

  it('repeats each request once, however many have failed', async () => {
    const other = (): void => {
      retries += 10;
    };
    trouble.report(UNREACHABLE, { retry });
    trouble.report(UNREACHABLE, { retry: other });
    trouble.report(UNREACHABLE, { retry });
    trouble.succeeded();
    trouble.succeeded();

    expect(retries).to.equal(11);
  });

  it('asks the service if there is no request to repeat', async () => {
    trouble.report(UNREACHABLE);
    probeError = UNREACHABLE;
    await time.settle(delay());
    expect(probes).to.equal(1);
    expect(delay()).to.be.within(2000, 4000);
    probeError = undefined;
    await time.settle(delay());

    expect(probes).to.equal(2);
    expect(trouble.outage.get()).to.equal(undefined);
  });

  it('is tried at once when the person asks for it', () => {
    trouble.report(UNREACHABLE, { retry });
    trouble.retryNow();

    expect(retries).to.equal(1);
    expect(trouble.outage.get()).to.deep.equal({ kind: 'unreachable', retryAt: undefined });
  });

  for (const [kind, error] of [
    ['busy', refusal('invalid_token', 401, { retryAfterMs: 1000 })],
    ['storage', refusal('storage_unavailable', 503, { requestId: 'r1' })],
    ['unreachable', refusal('unexpected_response', 502)],
  ] as const) {
    it(`is of a service that is ${kind} after ${error.status} ${error.code}`, () => {
      trouble.report(error);

      expect(trouble.outage.get()).to.have.property('kind', kind);
    });
  }
});

describe('what has failed', () => {
  useTrouble();
  let again: number;

  beforeEach(() => {
    again = 0;
    trouble.again.subscribe(() => (again += 1));
  });

  it('is told once that the service can be reached again', () => {
    trouble.report(UNREACHABLE);
    trouble.succeeded();
    trouble.succeeded();

    expect(again).to.equal(1);
  });

  it('is not told of each request of a service that was never away', () => {
    trouble.retrying(UNREACHABLE, 500);
    trouble.succeeded();

    expect(again).to.equal(0);
  });

  it('is told as soon as the device is online again and the service responds', async () => {
    trouble.wentOffline();
    trouble.retryNow();
    await settled();

    expect([again, probes]).to.deep.equal([1, 1]);
  });
});

describe('trouble with the service', () => {
  useTrouble();

  describe('of a request that the client repeats', () => {
    it('is not shown if it is short', async () => {
      trouble.retrying(UNREACHABLE, 500);
      await time.settle(999);
      trouble.succeeded();
      await time.settle(10_000);

      expect(trouble.outage.get()).to.equal(undefined);
      expect(probes).to.equal(0);
    });

    it('is shown after a second, with the time of the next attempt', async () => {
      trouble.retrying(refusal('overloaded', 503), 5000);
      await time.settle(1000);

      expect(trouble.outage.get()).to.deep.equal({ kind: 'busy', retryAt: 5000 });
    });

    it('is shown after a second also if the client has tried again meanwhile', async () => {
      trouble.retrying(UNREACHABLE, 500);
      await time.settle(500);
      trouble.retrying(UNREACHABLE, 800);
      await time.settle(500);

      expect(trouble.outage.get()).to.deep.equal({ kind: 'unreachable', retryAt: 1300 });
    });

    it('does not outlive the request: the service is asked', async () => {
      trouble.retrying(UNREACHABLE, 1500);
      await time.settle(1000);
      await time.settle(60_000);

      expect(probes).to.equal(1);
      expect(trouble.outage.get()).to.equal(undefined);
    });
  });

  describe('offline', () => {
    it('waits for the connection', async () => {
      online = false;
      trouble.report(UNREACHABLE, { retry });
      await time.settle(60_000);
      expect(trouble.outage.get()).to.deep.equal({ kind: 'offline', retryAt: undefined });
      expect(retries).to.equal(0);
      online = true;
      trouble.retryNow();

      expect(retries).to.equal(1);
    });

    it('tries nothing more when the device loses the connection', async () => {
      trouble.report(UNREACHABLE, { retry });
      trouble.wentOffline();
      await time.settle(60_000);

      expect(retries).to.equal(0);
    });

    it('is shown at once when the device loses the connection, until the service responds', async () => {
      trouble.wentOffline();
      expect(trouble.outage.get()).to.deep.equal({ kind: 'offline', retryAt: undefined });
      trouble.retryNow();
      await settled();

      expect(trouble.outage.get()).to.equal(undefined);
    });
  });

  describe('that does not pass', () => {
    const cases: readonly (readonly [CatalogError, Refusal])[] = [
      [refusal('read_only', 503, { retryAfterMs: 1000 }), { kind: 'read_only' }],
      [refusal('too_many_changes', 429), { kind: 'too_many_changes', retryAfterMs: undefined }],
      [
        refusal('insufficient_scope', 403, { scope: 'images:write' }),
        { kind: 'forbidden', scope: 'images:write' },
      ],
      [
        refusal('insufficient_scope', 403, {}, 'The scope x is required'),
        { kind: 'forbidden', scope: undefined },
      ],
      [
        refusal('invalid_token', 401, {}, 'jwt audience invalid'),
        { kind: 'unauthorized', message: 'jwt audience invalid' },
      ],
      [
        refusal('internal_error', 500, { requestId: 'r1' }, 'It failed'),
        { kind: 'failed', code: 'internal_error', message: 'It failed', requestId: 'r1' },
      ],
    ];
    for (const [error, expected] of cases) {
      it(`is told once: ${error.code}, ${error.message}`, () => {
        trouble.report(error, { retry });

        expect(refusals).to.deep.equal([expected]);
        expect(trouble.outage.get()).to.equal(undefined);
      });
    }

    it('is told for what is no error of the service as well', () => {
      trouble.report(new TypeError('x is undefined'));

      expect(refusals).to.deep.equal([
        { kind: 'failed', code: undefined, message: 'TypeError: x is undefined', requestId: undefined },
      ]);
    });
  });

  it('is none if the request was cancelled, or if there is no session', () => {
    trouble.report(new DOMException('Aborted', 'AbortError'));
    trouble.report(Object.assign(new Error('no session'), { name: 'SignedOut' }));

    expect(refusals).to.deep.equal([]);
    expect(trouble.outage.get()).to.equal(undefined);
  });
});

describe('trouble with a token that names no space', () => {
  useTrouble();

  it('is no sentence but a page if the token names no space', () => {
    trouble.report(refusal('space_missing', 403, {}, 'The token names no space'), { retry });

    expect(trouble.spaceMissing.get()).to.equal(true);
    expect(refusals).to.deep.equal([]);
    expect(retries).to.equal(0);
  });
});

function refusal(
  code: string,
  status: number,
  facts: { readonly retryAfterMs?: number; readonly requestId?: string; readonly scope?: string } = {},
  message = 'No',
): CatalogError {
  return new CatalogError(message, { code, status, ...facts });
}
