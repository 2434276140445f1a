import type { KeyObject } from 'node:crypto';
import type { Context, Middleware } from 'koa';
import koaJwt from 'koa-jwt';
import * as z from 'zod';
import type { Clock } from '../../../domain/ports/process/clock.ts';
import type { Tracer } from '../../../domain/ports/process/tracer.ts';
import { AccessRefused } from './access-refused.ts';
import { bearerToken, decodeToken, isSignedBy } from './bearer-token.ts';
import type { Claims } from './claims.ts';
import { FETCH_SPACING_MS } from './fetch-rate-limiter.ts';
import type { SigningKeys } from './signing-keys.ts';
import { TokenCache } from './token-cache.ts';

interface AuthenticateOptions {
  readonly issuer: string;
  readonly audience: string;
  readonly signingKeys: SigningKeys;
  readonly clock: Clock;
  readonly tracer?: Tracer | undefined;
  /** Whether `ctx.state.actor` is set; by default it is. */
  readonly recordActor?: boolean;
}

/**
 * Only `GET /` and `HEAD /` need no token; unknown paths do. The middleware throws {RequestError}.
 *
 * @throws {TypeError} if the issuer or the audience is empty: koa-jwt would not check the claim
 */
export function authenticate(options: AuthenticateOptions): Middleware {
  const { issuer, audience, signingKeys, clock, tracer, recordActor = true } = options;
  if (!issuer || !audience) throw new TypeError('issuer and audience must not be empty');
  const verify = verifier(options);
  const tokens = new TokenCache(clock);
  return async (ctx, next) => {
    // koa-unless is not used: it skips authentication if any one criterion matches, so every GET would be open.
    if (ctx.path === '/' && (ctx.method === 'GET' || ctx.method === 'HEAD')) return next();
    const header = ctx.get('Authorization');
    const { generation, isFresh } = signingKeys;
    // Verifying asks for the keys. If a refresh is due, every request does so, and a withdrawn key is noticed in time.
    let claims = isFresh ? tokens.find(header, generation) : undefined;
    if (claims === undefined) {
      claims = await (tracer === undefined ? verify(ctx) : tracer.span('authenticate', () => verify(ctx)));
      tokens.add(header, claims, generation);
    }
    ctx.state.auth = claims;
    ctx.request.auth = claims;
    if (recordActor) ctx.state.actor = actorOf(claims);
    return next();
  };
}

/** The caller that limits and idempotency keys belong to: the subject or, without one, the client. */
export function subjectOf({ state: { auth } }: Context): string {
  const { sub, client_id, azp } = (auth ?? {}) as Partial<Claims>;
  return JSON.stringify(sub === undefined ? ['client', client_id ?? azp] : ['sub', sub]);
}

/** Who the feed of changes names: the subject or, without one, the client. */
function actorOf({ sub, client_id, azp }: Claims): string | undefined {
  const actor = sub ?? client_id ?? azp;
  if (typeof actor !== 'string') return undefined;
  // OpenID Connect Core 1.0, section 2, allows 255 characters. No database stores all that JSON can hold.
  return Buffer.from(actor.slice(0, 255)).toString().replaceAll('\0', '\uFFFD');
}

/** koa-jwt checks the signature, `nbf`, `exp`, `aud` and `iss`, in this order. */
function verifier({ issuer, audience, clock, signingKeys }: AuthenticateOptions) {
  const middleware = koaJwt({
    key: 'auth',
    algorithms: ['RS256'],
    issuer,
    audience,
    getToken: tokenOf,
    // Read for each token. By default, jsonwebtoken rounds the time down to seconds.
    get clockTimestamp(): number {
      return clock.now().getTime() / 1_000;
    },
  } as unknown as koaJwt.Options);
  return async (ctx: Context): Promise<Claims> => {
    // An option `secret` would get the header decoded as Latin-1.
    ctx.state.secret = await keyFor(tokenOf(ctx), signingKeys);
    await middleware(ctx, async () => {}).catch(refuse);
    return ctx.state.auth as Claims;
  };
}

function tokenOf(ctx: Context): string {
  const token = bearerToken(ctx.get('Authorization'));
  if (token !== undefined) return token;
  const headers = { 'WWW-Authenticate': 'Bearer' };
  throw new AccessRefused('missing', 'credentials_required', 'No authorization token was found', headers);
}

const HEADER = z.object({ alg: z.literal('RS256'), kid: z.string().min(1).max(256).nullish() });

/** A `KeyObject`: jsonwebtoken would parse any other key for each token. */
async function keyFor(token: string, signingKeys: SigningKeys): Promise<KeyObject> {
  const decoded = decodeToken(token);
  if (decoded === undefined) throw AccessRefused.forToken('malformed', 'jwt malformed');
  const { success, data } = HEADER.safeParse(decoded.header);
  const key = success
    ? await signingKeys.get(data.kid ?? undefined, (candidate) => isSignedBy(token, candidate))
    : undefined;
  if (key !== undefined) return key;
  if (!success || signingKeys.hasKeys) throw AccessRefused.forToken('signature', 'invalid signature');
  // Without any key a valid token is refused as well.
  const headers = { 'Retry-After': String(FETCH_SPACING_MS / 1_000) };
  throw AccessRefused.forToken('no_keys', 'invalid signature', headers);
}

/** Names the class of the error, because jsonwebtoken is not a dependency of this service. */
function refuse(thrown: Error & { readonly originalError?: Error }): never {
  const { originalError: error = thrown } = thrown;
  const [, claim] = /^jwt (not active|expired|audience|issuer)/.exec(error.message) ?? [];
  if (claim !== undefined) throw AccessRefused.forToken(claim.replace(' ', '_'), error.message);
  if (error.name === 'JsonWebTokenError') throw AccessRefused.forToken('signature', 'invalid signature');
  throw error;
}
