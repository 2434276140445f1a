import { createHash, verify } from 'node:crypto';
import { IncomingMessage, ServerResponse } from 'node:http';
import { Socket } from 'node:net';
import Koa, { type Context, type Middleware } from 'koa';
import { authenticate } from '../../src/adapters/http/auth/authenticate.ts';
import { SigningKeys } from '../../src/adapters/http/auth/signing-keys.ts';
import { SystemClock } from '../../src/adapters/system/system-clock.ts';
import { publish, SigningKeyServer } from '../../test/support/signing-key-server.ts';
import { jwk, rsaKey, signToken } from '../../test/support/tokens.ts';
import type { Outcome, Scenario } from '../support/scenario.ts';
import { spreadOf } from '../support/statistics.ts';
import type { Workbench } from '../support/workbench.ts';

const TOKENS = 500;
const AUDIENCE = 'https://image-catalog.example/';

/** The middleware alone, in this process: what a token costs when it is first seen, and when it comes again. */
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
      tokenOf(`${round}-${index}`, provider.domain),
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
      check('verification of a token seen before', repeats, 20),
      check('verification at first sight', firsts, 150),
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

/** As large as a provider's: some 600 characters. */
function tokenOf(id: string, issuer: string): string {
  const claims = {
    iss: issuer,
    aud: AUDIENCE,
    sub: 'auth0|5f7c8ec7c33c6c004bbafe82',
    scope: 'openid profile email',
    exp: Math.floor(Date.now() / 1000) + 3600,
    jti: createHash('sha256').update(id).digest('hex'),
  };
  return signToken(claims, rsaKey('bench-in-process'));
}

const app = new Koa();

/** A request as Koa would make it, without a network. */
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
    if (context.state['auth'] === undefined) throw new Error('The token was not accepted');
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
