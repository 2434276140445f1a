import type { KeyObject } from 'node:crypto';
import { pipeline } from 'node:stream';
import { createGzip } from 'node:zlib';
import { expect } from 'chai';
import * as fc from 'fast-check';
import { SigningKeys, type SigningKeysTiming } from '../../src/adapters/http/auth/signing-keys.ts';
import { jwk, rsaKey } from '../support/fixtures/tokens.ts';
import { type Answer, publish, respond, SigningKeyServer } from '../support/servers/signing-key-server.ts';
import { eventually } from '../support/time/eventually.ts';
import { settled } from '../support/time/gate.ts';
import { ManualClock } from '../support/time/manual-clock.ts';
import { repeat } from '../support/time/repeat.ts';
import { VirtualTimers } from '../support/time/virtual-timers.ts';

const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
const SEED = 20_261_122;

/** One event for a process and its provider, in random sequences. */
type Step =
  | { readonly kind: 'pause'; readonly ms: number }
  /** Tokens with unknown kids arrive. */
  | { readonly kind: 'flood'; readonly tokens: number }
  /** A token arrives before its key is published. */
  | { readonly kind: 'early' }
  /** A key is published, and a token signed with it arrives. */
  | { readonly kind: 'rotate' }
  /** The provider begins to fail, or works again. */
  | { readonly kind: 'provider'; readonly works: boolean }
  /** Sets the duration of the responses of the provider. */
  | { readonly kind: 'latency'; readonly ms: number };

const steps: fc.Arbitrary<Step[]> = fc.array(
  fc.oneof(
    fc.record({ kind: fc.constant('pause'), ms: fc.oneof(fc.nat(3 * SECOND), fc.nat(40 * SECOND)) }),
    fc.record({ kind: fc.constant('flood'), tokens: fc.integer({ min: 1, max: 3 }) }),
    fc.record({ kind: fc.constant('early') }),
    fc.record({ kind: fc.constant('rotate') }),
    fc.record({ kind: fc.constant('provider'), works: fc.boolean() }),
    fc.record({ kind: fc.constant('latency'), ms: fc.nat(2_900) }),
  ),
  { minLength: 1, maxLength: 12 },
);

const A = rsaKey('a');
const B = rsaKey('b');
const C = rsaKey('c');

interface LogLine {
  readonly level: 'warn' | 'error';
  readonly facts: object;
}

/** Shorter than the time that a request waits. */
const DEADLINE_MS = 300;
const SHORT_DEADLINE = { fetchDeadlineMs: DEADLINE_MS };

/** Responses that are not a key set; each must settle as a failure. */
const BROKEN: readonly (readonly [string, Answer, Partial<SigningKeysTiming>?])[] = [
  ['status 500', respond(500, '{"keys":[]}')],
  ['status 206 with good keys', respond(206, JSON.stringify({ keys: [jwk(A)] }))],
  ['a redirect', respond(302, '', { location: 'http://127.0.0.1:1/' })],
  ['HTML', respond(200, '<html>login</html>', { 'content-type': 'text/html' })],
  ['null', respond(200, 'null')],
  ['an empty key set', publish([])],
  ['a key set of null', publish([null])],
  ['keys as a string', publish('abc')],
  ['unusable keys', publish([jwk(A, { use: 'enc' }), jwk(rsaKey('weak', 1024))])],
  [
    'invalid UTF-8',
    (response) => response.end(Buffer.from(`{"keys":[${JSON.stringify(jwk(A))}],"x":"\xff"}`, 'latin1')),
  ],
  ['no response', silent, SHORT_DEADLINE],
  ['a reset connection', (response) => response.socket?.resetAndDestroy()],
  ['no HTTP', (response) => response.socket?.end('SSH-2.0-OpenSSH_9.6\r\n\r\n')],
  ['headers, then silence', stopAfterHeaders, SHORT_DEADLINE],
  ['a body cut in the middle', cutInTheMiddle],
  ['a body that stops in the middle', stopInTheMiddle, SHORT_DEADLINE],
  ['a body that drips', drip, SHORT_DEADLINE],
  ['a body of more than 256 KB', publish([jwk(A, { padding: 'x'.repeat(256 * 1024) })])],
  ['a body without end', flood],
  ['a compressed body without end', floodCompressed],
];

function cutInTheMiddle(response: Parameters<Answer>[0]): void {
  response.writeHead(200, { 'content-length': '1000' });
  response.write('{"keys":[', () => response.destroy());
}

/** The time of the fetch passes. */
function silent(): void {
  void settled().then(() => time.pass(DEADLINE_MS));
}

function stopAfterHeaders(response: Parameters<Answer>[0]): void {
  response.writeHead(200).flushHeaders();
  silent();
}

function stopInTheMiddle(response: Parameters<Answer>[0]): void {
  response.writeHead(200, { 'content-length': '1000' }).write('{"keys":[', silent);
}

function drip(response: Parameters<Answer>[0]): void {
  const stop = repeat(10, () => {
    response.write(' ');
    time.pass(DEADLINE_MS / 5);
  });
  response.on('close', stop);
}

function flood(response: Parameters<Answer>[0]): void {
  const chunk = Buffer.alloc(64 * 1024, ' ');
  const pour = (): void => {
    while (!response.destroyed && response.write(chunk));
  };
  response.on('drain', pour);
  pour();
}

function floodCompressed(response: Parameters<Answer>[0]): void {
  response.setHeader('content-encoding', 'gzip');
  const gzip = createGzip();
  pipeline(gzip, response, () => {});
  const chunk = Buffer.alloc(64 * 1024, ' ');
  const pour = (): void => {
    while (!gzip.destroyed && gzip.write(chunk));
  };
  gzip.on('drain', pour);
  pour();
}

let server: SigningKeyServer;
let clock: ManualClock;
/** Of requests and fetches. */
let time: VirtualTimers;
let log: LogLine[];
/** Simulated times of the requests to the provider. */
let hitTimes: number[];

/** Number of unknown kids so far. Any client can send them. */
let invented = 0;

async function floodWith(keys: SigningKeys, count: number): Promise<void> {
  for (let i = 0; i < count; i += 1) {
    invented += 1;
    expect(await keys.get(`invented-${invented}`)).to.equal(undefined);
  }
}

function useProvider(): void {
  beforeEach(async () => {
    clock = new ManualClock();
    time = new VirtualTimers();
    log = [];
    hitTimes = [];
    server = await SigningKeyServer.start(publish([jwk(A), jwk(B)]));
    server.onHit = () => hitTimes.push(clock.now().getTime());
  });

  afterEach(() => server.stop());
}

function signingKeys(timing: Partial<SigningKeysTiming> = {}): SigningKeys {
  const keep = (level: LogLine['level']) => (facts: object) => void log.push({ level, facts });
  const keys = new SigningKeys({
    jwksUri: server.jwksUri,
    clock,
    log: { warn: keep('warn'), error: keep('error') },
    timing,
  });
  const get = keys.get.bind(keys);
  keys.get = (kid) => time.use(() => get(kid));
  return keys;
}

function isKey(key: KeyObject | undefined, expected: { publicKey: KeyObject }): boolean {
  return key?.equals(expected.publicKey) ?? false;
}

function mostHitsPerMinute(): number {
  return Math.max(...hitTimes.map((from) => hitTimes.filter((t) => t >= from && t < from + MINUTE).length));
}

/** Calls once per step of simulated time; times are in milliseconds. */
async function simulate(
  duration: number,
  step: number,
  call: (elapsed: number) => Promise<void>,
): Promise<void> {
  for (let elapsed = 0; elapsed < duration; elapsed += step) {
    await call(elapsed);
    clock.advance(step);
  }
}

/** Seconds until a key works, tried every second; at most a minute. */
async function secondsUntilFound(keys: SigningKeys, kid: string): Promise<number> {
  for (let seconds = 0; seconds <= 60; seconds += 1) {
    if ((await keys.get(kid)) !== undefined) return seconds;
    clock.advance(SECOND);
  }
  return Number.POSITIVE_INFINITY;
}

describe('SigningKeys', () => {
  useProvider();

  describe('a working provider', () => {
    it('gets no request before the first token', () => {
      const keys = signingKeys();
      expect([keys.hasKeys, keys.isFresh, server.hits]).to.deep.equal([false, false, 0]);
    });

    it('gets one request for all of its keys', async () => {
      const keys = signingKeys();
      expect(isKey(await keys.get('a'), A)).to.equal(true);
      expect(isKey(await keys.get('b'), B)).to.equal(true);
      expect([keys.hasKeys, keys.isFresh, server.hits]).to.deep.equal([true, true, 1]);
    });

    it('gets one request for 200 concurrent tokens', async () => {
      const keys = signingKeys();
      const found = await Promise.all(
        Array.from({ length: 200 }, (_, i) => keys.get(i % 2 === 0 ? 'a' : 'b')),
      );
      expect(found.every((key) => key !== undefined)).to.equal(true);
      expect(server.hits).to.equal(1);
    });

    it('has the same key object after a refresh', async () => {
      const keys = signingKeys();
      const key = await keys.get('a');
      clock.advance(10 * MINUTE);
      expect(await keys.get('a')).to.equal(key);
      expect([server.hits, keys.generation]).to.deep.equal([2, 1]);
    });

    it('gets a request for an unknown kid, but not for the same one within 20 s', async () => {
      const keys = signingKeys();
      await keys.get('a');
      for (let i = 0; i < 3; i += 1) await keys.get('unknown');
      expect(server.hits).to.equal(2);
      clock.advance(20 * SECOND);
      await keys.get('unknown');
      expect(server.hits).to.equal(3);
    });

    it('has a newly published key accepted at its first use', async () => {
      const keys = signingKeys();
      await keys.get('a');
      server.answer = publish([jwk(A), jwk(C)]);
      expect(isKey(await keys.get('c'), C)).to.equal(true);
      expect(keys.generation).to.equal(2);
    });

    it('has a newly published key accepted at once after a failed fetch for it', async () => {
      const keys = signingKeys();
      await keys.get('a');
      server.answer = respond(503, '');
      expect(await keys.get('c')).to.equal(undefined);
      server.answer = publish([jwk(C)]);
      expect(isKey(await keys.get('c'), C)).to.equal(true);
    });

    it('has a key accepted that is published during an older fetch', async () => {
      const keys = signingKeys();
      server.answer = (response) => {
        publish([jwk(A)])(response);
        server.answer = publish([jwk(A), jwk(C)]);
      };
      const [, late] = await Promise.all([keys.get('a'), keys.get('c')]);
      expect(isKey(late, C)).to.equal(true);
    });
  });
});

describe('SigningKeys', () => {
  useProvider();

  describe('a provider with changing keys', () => {
    it('gets another request for an unknown kid after it has published other keys', async () => {
      const keys = signingKeys();
      server.answer = publish([jwk(A)]);
      expect(await keys.get('c')).to.equal(undefined);
      server.answer = publish([jwk(A), jwk(B)]);
      await keys.get('b');
      server.answer = publish([jwk(A), jwk(C)]);
      expect(isKey(await keys.get('c'), C)).to.equal(true);
    });

    it('may replace the key under a kid', async () => {
      const keys = signingKeys();
      await keys.get('a');
      server.answer = publish([jwk(C, { kid: 'a' }), jwk(B)]);
      clock.advance(10 * MINUTE);
      expect(isKey(await keys.get('a'), C)).to.equal(true);
      expect(keys.generation).to.equal(2);
    });

    it('may leave the kid out of a token while it publishes one key', async () => {
      server.answer = publish([jwk(A), jwk(B, { alg: 'RS384' })]);
      expect(isKey(await signingKeys().get(undefined), A)).to.equal(true);
    });

    it('may leave the kid out of the first token after ten idle minutes', async () => {
      server.answer = publish([jwk(A)]);
      const keys = signingKeys();
      await keys.get(undefined);
      server.answer = publish([jwk(B)]);
      clock.advance(10 * MINUTE);
      expect(isKey(await keys.get(undefined), B)).to.equal(true);
    });

    it('may not leave the kid out while it publishes several keys, and gets no request for that', async () => {
      const keys = signingKeys();
      await keys.get('a');
      expect(await keys.get(undefined)).to.equal(undefined);
      expect(server.hits).to.equal(1);
    });

    it('may publish keys without a kid', async () => {
      server.answer = publish([jwk(A, { kid: undefined })]);
      const keys = signingKeys();
      expect(isKey(await keys.get(undefined), A)).to.equal(true);
      expect(await keys.get('a')).to.equal(undefined);
    });

    it('may publish fifty keys, and further ones are ignored', async () => {
      server.answer = publish(Array.from({ length: 60 }, (_, i) => jwk(A, { kid: `${i}` })));
      const keys = signingKeys();
      expect(isKey(await keys.get('49'), A)).to.equal(true);
      expect(await keys.get('50')).to.equal(undefined);
    });
  });
});

describe('SigningKeys', () => {
  useProvider();

  describe('warmUp', () => {
    it('fetches the keys once', async () => {
      const keys = signingKeys();
      await Promise.all([keys.warmUp(), keys.warmUp()]);
      await keys.warmUp();
      expect([keys.hasKeys, server.hits]).to.deep.equal([true, 1]);
    });

    it('does not reject while the provider is down, and stays within the rate limit', async () => {
      await server.stop();
      const keys = signingKeys();
      for (let i = 0; i < 10; i += 1) await keys.warmUp();
      expect([keys.hasKeys, log.length]).to.deep.equal([false, 3]);
      expect(log.every(({ level }) => level === 'error')).to.equal(true);
      await server.resume();
    });
  });

  describe('a failing provider', () => {
    for (const [title, response, timing] of BROKEN) {
      it(`yields no key with ${title}`, async () => {
        server.answer = response;
        const keys = signingKeys(timing);
        expect(await keys.get('a')).to.equal(undefined);
        expect([keys.hasKeys, log.map(({ level }) => level)]).to.deep.equal([false, ['error']]);
      });

      it(`does not remove known keys with ${title}`, async () => {
        const keys = signingKeys(timing);
        await keys.get('a');
        server.answer = response;
        clock.advance(HOUR);
        expect(isKey(await keys.get('a'), A)).to.equal(true);
        expect(log.map(({ level }) => level)).to.deep.equal(['warn']);
      });
    }

    it('is named in the log, with its status', async () => {
      server.answer = respond(403, '');
      await signingKeys().get('a');
      const { err, jwksUri } = (log[0]?.facts ?? {}) as { readonly err?: Error; readonly jwksUri?: string };
      expect([err?.message, jwksUri]).to.deep.equal([
        `The JWKS endpoint ${server.jwksUri} responded with 403`,
        server.jwksUri,
      ]);
    });

    it('yields no key if no server listens', async () => {
      await server.stop();
      expect(await signingKeys().get('a')).to.equal(undefined);
      await server.resume();
    });

    it('delays no request longer than the limit, however many fetches it waits for', async () => {
      const keys = signingKeys({ fetchDeadlineMs: 2_000, waitMs: 2_900 });
      server.answer = () => void settled().then(() => time.pass(server.hits === 1 ? 2_000 : 900));
      expect(await Promise.all([keys.get('a'), keys.get('b')])).to.deep.equal([undefined, undefined]);
      expect([server.hits, time.elapsed]).to.deep.equal([2, 2_900]);
    });
  });
});

describe('SigningKeys', () => {
  useProvider();

  describe('a flood of unknown kids', () => {
    it('causes at most 5 fetches a minute and never blocks a known key', async () => {
      const keys = signingKeys();
      await keys.get('a');
      await simulate(30 * MINUTE, SECOND, async () => {
        await floodWith(keys, 5);
        expect(isKey(await keys.get('a'), A)).to.equal(true);
      });
      expect(mostHitsPerMinute()).to.be.within(3, 5);
    });

    it('has 500 kids of a burst remembered, and a further one may cause a fetch', async () => {
      const keys = signingKeys();
      await keys.get('a');
      clock.advance(10 * SECOND);
      // The first causes a fetch, and all others the next.
      await Promise.all(Array.from({ length: 502 }, (_, i) => keys.get(`burst-${i}`)));
      clock.advance(10 * SECOND);
      await keys.get('burst-500');
      expect(server.hits).to.equal(3);
      await keys.get('burst-501');
      expect(server.hits).to.equal(4);
    });
  });

  describe('an outage', () => {
    it('keeps known keys valid for 58 minutes', async () => {
      const keys = signingKeys();
      await keys.get('a');
      server.answer = respond(503, '');
      await simulate(58 * MINUTE, SECOND, async () => {
        expect(isKey(await keys.get('a'), A)).to.equal(true);
        await floodWith(keys, 1);
      });
      expect(mostHitsPerMinute()).to.be.at.most(5);
    });

    it('delays no request again within a minute of a failure', async () => {
      const keys = signingKeys(SHORT_DEADLINE);
      await keys.get('a');
      server.answer = silent;
      clock.advance(HOUR);
      await keys.get('a');
      clock.advance(59 * SECOND);
      // No time passes: a request that waited would never end.
      server.answer = () => {};
      expect(isKey(await keys.get('a'), A)).to.equal(true);
    });

    it('of 24 hours makes the keys unusable', async () => {
      const keys = signingKeys();
      await keys.get('a');
      server.answer = respond(503, '');
      clock.advance(24 * HOUR - 1);
      expect(isKey(await keys.get('a'), A)).to.equal(true);
      clock.advance(1);
      expect([await keys.get('a'), keys.hasKeys]).to.deep.equal([undefined, false]);
    });
  });
});

describe('SigningKeys', () => {
  useProvider();

  describe('in 300 random sequences of floods, rotations, pauses, outages and slow responses', () => {
    /** Carries out the steps; then makes the provider work without delay. */
    async function carryOut(keys: SigningKeys, sequence: readonly Step[]): Promise<void> {
      let works = true;
      let latency = 0;
      let published = publish([jwk(A)]);
      server.answer = (response) => {
        clock.advance(latency);
        (works ? published : respond(503, ''))(response);
      };
      for (const [index, step] of sequence.entries()) {
        if (step.kind === 'pause') clock.advance(step.ms);
        if (step.kind === 'provider') works = step.works;
        if (step.kind === 'latency') latency = step.ms;
        if (step.kind === 'early') await keys.get('last');
        if (step.kind === 'flood') await floodWith(keys, step.tokens);
        if (step.kind === 'rotate') {
          published = publish([jwk(A), jwk(C, { kid: `c${index}` })]);
          await keys.get(`c${index}`);
        }
      }
    }

    it('the provider gets at most 5 fetches in any 60 s, and a new key works within 20 s', async () => {
      const property = fc.asyncProperty(steps, async (sequence) => {
        hitTimes = [];
        const keys = signingKeys();
        await carryOut(keys, sequence);
        server.answer = publish([jwk(A), jwk(C, { kid: 'last' })]);
        expect(await secondsUntilFound(keys, 'last')).to.be.at.most(20);
        expect(mostHitsPerMinute()).to.be.at.most(5);
      });
      await fc.assert(property, { numRuns: 300, seed: SEED });
    });
  });
});

describe('SigningKeys', () => {
  useProvider();

  describe('a withdrawn key', () => {
    it('stops working within 10 minutes under steady traffic, without delaying a request', async () => {
      const keys = signingKeys();
      await keys.get('a');
      server.answer = publish([jwk(B)]);
      let lastUse = 0;
      await simulate(11 * MINUTE, SECOND, async (elapsed) => {
        if ((await keys.get('a')) !== undefined) lastUse = elapsed;
      });
      expect(lastUse).to.be.within(5 * MINUTE, 10 * MINUTE);
    });

    it('does not work for any of many requests after an idle hour, which share one fetch', async () => {
      const keys = signingKeys();
      await keys.get('a');
      clock.advance(50 * MINUTE);
      server.answer = publish([jwk(B)]);
      clock.advance(10 * MINUTE);
      const found = await Promise.all(Array.from({ length: 50 }, () => keys.get('a')));
      expect(new Set(found)).to.deep.equal(new Set([undefined]));
      expect(server.hits).to.equal(2);
    });

    it('does not work after an idle hour that began with an outage', async () => {
      const keys = signingKeys();
      await keys.get('a');
      server.answer = respond(503, '');
      clock.advance(10 * MINUTE);
      await keys.get('a');
      server.answer = publish([jwk(B)]);
      clock.advance(50 * MINUTE);
      expect(await keys.get('a')).to.equal(undefined);
    });
  });

  describe('a set that is due for a refresh', () => {
    it('is used without waiting from 5 to 10 minutes of age', async () => {
      const keys = signingKeys(SHORT_DEADLINE);
      await keys.get('a');
      // No time passes: a request that waited would never end.
      server.answer = () => {};
      clock.advance(5 * MINUTE);
      expect(isKey(await keys.get('a'), A)).to.equal(true);
      expect(keys.isFresh).to.equal(false);
      await eventually(
        () => server.hits,
        (hits) => hits === 2,
      );
      // Waits for the background fetch, then makes its own.
      server.answer = silent;
      const unknown = keys.get('c');
      time.pass(DEADLINE_MS);
      await unknown;
      expect(server.hits).to.equal(3);
    });
  });

  describe('a clock that is set back by a day', () => {
    it('delays a newly published key by 20 s at most', async () => {
      const keys = signingKeys();
      await keys.get('a');
      await floodWith(keys, 2);
      clock.advance(-24 * HOUR);
      server.answer = publish([jwk(C)]);
      expect(await secondsUntilFound(keys, 'c')).to.be.at.most(20);
    });

    for (const failed of [false, true]) {
      it(`does not extend the 10 minutes of a withdrawn key${failed ? ', even after a failed fetch' : ''}`, async () => {
        const keys = signingKeys();
        await keys.get('a');
        if (failed) server.answer = respond(503, '');
        if (failed) await keys.get('unknown');
        clock.advance(-24 * HOUR);
        await keys.get('a');
        server.answer = publish([jwk(B)]);
        clock.advance(10 * MINUTE);
        expect(await keys.get('a')).to.equal(undefined);
      });
    }
  });
});
