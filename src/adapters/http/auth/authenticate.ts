import type { KeyObject } from 'node:crypto';
import type { Context, Middleware } from 'koa';
import koaJwt from 'koa-jwt';
import { z } from 'zod';
import type { Clock } from '../../../domain/ports/process/clock.ts';
import type { Tracer } from '../../../domain/ports/process/tracer.ts';
import { AccessRefused, type TokenFault } from './access-refused.ts';
import { bearerToken, decodeToken } from './bearer-token.ts';
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
 * Only `GET /` and `HEAD /` need no token; unknown paths do.
 *
 * @throws {TypeError} if the issuer or the audience is empty: koa-jwt would not check the claim
 * The middleware throws {RequestError}.
 */
export function authenticate(options: AuthenticateOptions): Middleware {
  if (!options.issuer || !options.audience) throw new TypeError('issuer and audience must not be empty');
  const { signingKeys, clock, tracer, recordActor = true } = options;
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
  return JSON.stringify(
    auth?.sub === undefined ? ['client', auth?.client_id ?? auth?.azp] : ['sub', auth.sub],
  );
}

/** OpenID Connect Core 1.0, section 2, allows a `sub` no more. */
const MAX_ACTOR_LENGTH = 255;

/** Who the feed of changes names: the subject or, without one, the client. A verified token may have claims of any type. */
function actorOf({ sub, client_id, azp }: Claims): string | undefined {
  const actor: unknown = sub ?? client_id ?? azp;
  if (typeof actor !== 'string') return undefined;
  // No database stores all that JSON can hold.
  return Buffer.from(actor.slice(0, MAX_ACTOR_LENGTH)).toString().replaceAll('\0', '\uFFFD');
}

/** The form, the algorithm and the key are checked here; then koa-jwt checks signature, nbf, exp, aud and iss. */
function verifier(options: AuthenticateOptions): (ctx: Context) => Promise<Claims> {
  const { issuer, audience, clock, signingKeys } = options;
  const koaJwtOptions = {
    key: 'auth',
    algorithms: ['RS256'],
    issuer,
    audience,
    getToken: (ctx: Context) => bearerToken(ctx.get('Authorization')),
    /** jsonwebtoken reads it for each token. Without it, it rounds the time. */
    get clockTimestamp(): number {
      return clock.now().getTime() / 1_000;
    },
  };
  const middleware = koaJwt(koaJwtOptions as unknown as koaJwt.Options);
  const claimFaults = new Map<string, TokenFault>([
    ['jwt not active', 'not_active'],
    ['jwt expired', 'expired'],
    [`jwt audience invalid. expected: ${audience}`, 'audience'],
    [`jwt issuer invalid. expected: ${issuer}`, 'issuer'],
  ]);
  return async (ctx) => {
    // Not as an option: koa-jwt would decode the header as Latin-1. A KeyObject is not parsed again for each token.
    ctx.state.secret = await keyFor(bearerToken(ctx.get('Authorization')), signingKeys);
    try {
      await middleware(ctx, async () => {});
    } catch (error) {
      throw refusal(error, claimFaults);
    }
    return ctx.state.auth as Claims;
  };
}

const HEADER = z.object({ alg: z.literal('RS256'), kid: z.string().min(1).max(256).nullish() });

async function keyFor(token: string | undefined, signingKeys: SigningKeys): Promise<KeyObject> {
  if (token === undefined) throw AccessRefused.withoutToken();
  const decoded = decodeToken(token);
  if (decoded === undefined) throw AccessRefused.forToken('malformed', 'jwt malformed');
  const { success, data } = HEADER.safeParse(decoded.header);
  if (!success) throw AccessRefused.forToken('signature', 'invalid signature');
  const key = await signingKeys.get(data.kid ?? undefined);
  if (key !== undefined) return key;
  if (signingKeys.hasKeys) throw AccessRefused.forToken('signature', 'invalid signature');
  // Without any key a valid token is refused as well.
  const headers = { 'Retry-After': String(FETCH_SPACING_MS / 1_000) };
  throw AccessRefused.forToken('no_keys', 'invalid signature', headers);
}

/** Compares the name of the class, because jsonwebtoken is not a dependency of this service. */
function refusal(error: unknown, claimFaults: ReadonlyMap<string, TokenFault>): unknown {
  const cause = error instanceof Error && 'originalError' in error ? error.originalError : error;
  if (!(cause instanceof Error)) return cause;
  const fault = claimFaults.get(cause.message);
  if (fault !== undefined) return AccessRefused.forToken(fault, cause.message);
  return cause.name === 'JsonWebTokenError'
    ? AccessRefused.forToken('signature', 'invalid signature')
    : cause;
}
