import type { KeyObject } from 'node:crypto';
import type { Context, Middleware } from 'koa';
import koaJwt from 'koa-jwt';
import type { Clock } from '../../../domain/ports/process/clock.ts';
import type { Tracer } from '../../../domain/ports/process/tracer.ts';
import { AccessRefused } from './access-refused.ts';
import { bearerToken, decodeToken, isSignedBy, signerIn } from './bearer-token.ts';
import type { Claims } from './claims.ts';
import { FETCH_SPACING_MS } from './fetch-rate-limiter.ts';
import type { SigningKeys } from './signing-keys.ts';
import { TokenCache } from './token-cache.ts';
import { claimFailures, type ExpectedClaims, failureOfError, refuseToken } from './token-failures.ts';

interface AuthenticateOptions extends ExpectedClaims {
  readonly signingKeys: SigningKeys;
  readonly clock: Clock;
  readonly tracer?: Tracer | undefined;
  /** Whether `ctx.state.actor` is set; by default it is. */
  readonly recordActor?: boolean;
}

/**
 * Only `GET /` and `HEAD /` need no token; unknown paths do. The middleware throws {RequestError}.
 *
 * @throws {TypeError} if the issuer or the audience is empty: a token with an empty claim would be accepted
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

declare module 'koa' {
  interface DefaultState {
    /** For koa-jwt: the token, and the key that must have signed it. */
    bearerToken?: string;
    secret?: unknown;
    /** From koa-jwt. Their audience and issuer may be any. */
    signedClaims?: Claims;
  }
}

/**
 * koa-jwt checks the algorithm, the signature, `nbf` and `exp`, in this order. It reports a wrong audience or issuer by the same class of
 * error as a wrong signature; so these claims are compared here, after it.
 */
function verifier(options: AuthenticateOptions) {
  const { clock, signingKeys } = options;
  const checkSignatureAndTimes = koaJwt({
    key: 'signedClaims',
    algorithms: ['RS256'],
    getToken: ({ state }: Context) => state.bearerToken,
    // Read for each token. By default, jsonwebtoken rounds the time down to seconds.
    get clockTimestamp(): number {
      return clock.now().getTime() / 1_000;
    },
  } as unknown as koaJwt.Options);
  return async (ctx: Context): Promise<Claims> => {
    const token = tokenOf(ctx);
    ctx.state.bearerToken = token;
    // An option `secret` would get the header decoded as Latin-1.
    ctx.state.secret = await keyFor(token, signingKeys, options);
    await checkSignatureAndTimes(ctx, async () => {}).catch((error: unknown) => refuse(error, options));
    const claims = ctx.state.signedClaims as Claims;
    const [failure] = claimFailures(claims, options, clock.now().getTime());
    if (failure !== undefined) throw refuseToken(failure, options);
    return claims;
  };
}

/** @throws {AccessRefused} */
function tokenOf(ctx: Context): string {
  const token = bearerToken(ctx.get('Authorization'));
  if (token !== undefined) return token;
  const headers = { 'WWW-Authenticate': 'Bearer' };
  throw new AccessRefused('missing', 'credentials_required', 'No authorization token was found', headers);
}

/**
 * A `KeyObject`: jsonwebtoken would parse any other key for each token.
 *
 * @throws {AccessRefused}
 */
async function keyFor(token: string, signingKeys: SigningKeys, expected: ExpectedClaims): Promise<KeyObject> {
  const decoded = decodeToken(token);
  if (decoded === undefined) throw refuseToken('malformed', expected);
  const signer = signerIn(decoded.header);
  if (signer === undefined) throw refuseToken('signature', expected);
  const key = await signingKeys.get(signer.kid, (candidate) => isSignedBy(token, candidate));
  if (key !== undefined) return key;
  if (signingKeys.hasKeys) throw refuseToken('signature', expected);
  throw refuseToken('no_keys', expected, { 'Retry-After': String(FETCH_SPACING_MS / 1_000) });
}

/** koa-jwt wraps the error of jsonwebtoken. */
function refuse(thrown: unknown, expected: ExpectedClaims): never {
  const { originalError: error = thrown } = thrown as { readonly originalError?: unknown };
  const failure = error instanceof Error ? failureOfError(error) : undefined;
  throw failure === undefined ? error : refuseToken(failure, expected);
}
