import { verify } from 'node:crypto';
import { IncomingMessage, ServerResponse } from 'node:http';
import { Socket } from 'node:net';
import Koa, { type Context, type Middleware } from 'koa';
import { authenticate } from '../../src/adapters/http/auth/authenticate.ts';
import { SigningKeys } from '../../src/adapters/http/auth/signing-keys.ts';
import { SystemClock } from '../../src/adapters/system/system-clock.ts';
import { jwk, rsaKey } from '../../test/support/fixtures/tokens.ts';
import { publish, SigningKeyServer } from '../../test/support/servers/signing-key-server.ts';
import { AUDIENCE, loadToken } from '../support/load-token.ts';
import type { Outcome, Scenario } from '../support/scenario.ts';
import { spreadOf } from '../support/statistics.ts';
import type { Workbench } from '../support/workbench.ts';

const TOKENS = 500;

/** Runs the authentication middleware alone, in this process: time for a new token and for a repeated one. */
export const verification: Scenario = { name: 'verification', run };

async function run(bench: Workbench): Promise<Outcome> {
  const key = rsaKey('bench-in-process');
  const provider = await SigningKeyServer.start(publish([jwk(key)]));
  const middleware = await warm(provider);
  const firsts: number[] = [];
  const repeats: number[] = [];
  const bare: number[] = [];
  for (let round = 0; round <= bench.options.rounds; round += 1) {
    const tokens = Array.from({ length: TOKENS }, (_, index) =>
      loadToken(`${round}-${index}`, provider.domain, key),
    );
    const first = await medianMicroseconds(middleware, tokens);
    const repeat = await medianMicroseconds(middleware, tokens);
    if (round === 0) continue; // A warm-up.
    firsts.push(first);
    repeats.push(repeat);
    bare.push(
      bareMicroseconds(tokens, (input, signature) => verify('sha256', input, key.publicKey, signature)),
    );
  }
  await provider.stop();
  return {
    checks: [
      check('verification of a repeated token', repeats, 20),
      check('verification of a new token', firsts, 150),
    ],
    notes: [{ what: 'crypto.verify of the signature alone', measured: spreadOf(bare).median, unit: 'µs' }],
  };
}

function check(
  what: string,
  values: readonly number[],
  target: number,
): NonNullable<Outcome['checks']>[number] {
  return { what, measured: spreadOf(values).median, bound: 'at most', target, unit: 'µs' };
}

async function warm(provider: SigningKeyServer): Promise<Middleware> {
  const clock = new SystemClock();
  const log = { warn: console.warn, error: console.error };
  const signingKeys = new SigningKeys({ jwksUri: provider.jwksUri, clock, log });
  await signingKeys.warmUp();
  return authenticate({ issuer: provider.domain, audience: AUDIENCE, signingKeys, clock });
}

const app = new Koa();

/** A Koa context of a GET, without a network. */
function contextWith(token: string): Context {
  const request = new IncomingMessage(new Socket());
  request.url = '/api/image/1';
  request.method = 'GET';
  request.headers = { authorization: `Bearer ${token}` };
  return app.createContext(request, new ServerResponse(request));
}

async function medianMicroseconds(middleware: Middleware, tokens: readonly string[]): Promise<number> {
  const times: number[] = [];
  for (const token of tokens) {
    const context = contextWith(token);
    const begun = performance.now();
    await middleware(context, async () => undefined);
    times.push((performance.now() - begun) * 1000);
    if (context.state['auth'] === undefined) throw new Error('The token is not accepted');
  }
  return spreadOf(times).median;
}

function bareMicroseconds(
  tokens: readonly string[],
  verify: (input: Buffer, signature: Buffer) => boolean,
): number {
  const times = tokens.map((token) => {
    const end = token.lastIndexOf('.');
    const input = Buffer.from(token.slice(0, end));
    const signature = Buffer.from(token.slice(end + 1), 'base64url');
    const begun = performance.now();
    if (!verify(input, signature)) throw new Error('The signature does not verify');
    return (performance.now() - begun) * 1000;
  });
  return spreadOf(times).median;
}
