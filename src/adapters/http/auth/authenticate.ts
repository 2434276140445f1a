import type { KeyObject } from 'node:crypto';
import type { Context, Middleware } from 'koa';
import koaJwt from 'koa-jwt';
import type { Clock } from '../../../domain/ports/clock.ts';
import { RequestError } from '../request-error.ts';
import { bearerToken } from './bearer-token.ts';
import type { Claims } from './claims.ts';
import { invalidToken } from './invalid-token.ts';
import type { SigningKeys } from './signing-keys.ts';
import { TokenCache } from './token-cache.ts';

export interface AuthenticateOptions {
  /** What `iss` must be; not empty. */
  readonly issuer: string;
  /** What `aud` must be or contain; not empty. */
  readonly audience: string;
  readonly signingKeys: SigningKeys;
  /** The time that `nbf` and `exp` are compared with. */
  readonly clock: Clock;
}

const MAX_KID_LENGTH = 256;

/**
 * Lets a request pass with a valid RS256 access token, and keeps the token's claims as `ctx.state.auth` and
 * `ctx.request.auth`. `GET /` and `HEAD /` pass without one; everything else, unknown paths included, does not.
 *
 * @throws {TypeError} on an empty issuer or audience: jsonwebtoken would leave that check out
 * The middleware throws {RequestError} `credentials_required` or `invalid_token`.
 */
export function authenticate(options: AuthenticateOptions): Middleware {
  if (!options.issuer || !options.audience) throw new TypeError('issuer and audience must not be empty');
  const { signingKeys, clock } = options;
  const verify = verifier(options);
  const verified = new TokenCache({ clock });
  return async (ctx, next) => {
    if (isOpen(ctx)) return next();
    const header = ctx.get('Authorization');
    const { generation, isFresh } = signingKeys;
    // Keys that are due for a refresh are asked for by every request, so that those withdrawn are found out in time.
    const remembered = isFresh ? verified.find(header, generation) : undefined;
    const claims = remembered ?? (await verify(ctx));
    if (remembered === undefined) verified.add(header, claims, generation);
    ctx.state.auth = claims;
    ctx.request.auth = claims;
    return next();
  };
}

/** Not with koa-unless: it opens whatever meets one of its criteria, all methods of a path or all paths of a method. */
function isOpen(ctx: Context): boolean {
  return ctx.path === '/' && (ctx.method === 'GET' || ctx.method === 'HEAD');
}

function verifier(options: AuthenticateOptions): (ctx: Context) => Promise<Claims> {
  const middleware = koaJwt(koaJwtOptions(options));
  return async (ctx) => {
    delete ctx.state.secret; // koa-jwt would take it for the key.
    try {
      await middleware(ctx, async () => {});
    } catch (error) {
      throw translate(error, options);
    }
    return ctx.state.auth as Claims;
  };
}

function koaJwtOptions({ issuer, audience, signingKeys, clock }: AuthenticateOptions): koaJwt.Options {
  const options = {
    key: 'auth',
    algorithms: ['RS256'],
    issuer,
    audience,
    getToken: (ctx: Context): string => bearerToken(ctx.get('Authorization')),
    // Its types know no KeyObject; jsonwebtoken, which gets it, does, and parses anything else on every request.
    secret: ((header: unknown) => signingKey(header, signingKeys)) as unknown as koaJwt.SecretLoader,
    /** jsonwebtoken reads it once per token: the time in seconds, not rounded down as it would do itself. */
    get clockTimestamp(): number {
      return clock.now().getTime() / 1_000;
    },
  };
  return options;
}

/** @param header of a token that is well formed, and proven in nothing */
async function signingKey(header: unknown, signingKeys: SigningKeys): Promise<KeyObject> {
  const { alg, kid } = header as { alg?: unknown; kid?: unknown };
  if (alg !== 'RS256' || !isKid(kid)) throw invalidToken('invalid signature');
  const key = await signingKeys.get(typeof kid === 'string' ? asSent(kid) : undefined);
  if (key !== undefined) return key;
  throw invalidToken('invalid signature', retryAfter(signingKeys));
}

/** `null` is taken for no `kid`. */
function isKid(kid: unknown): kid is string | null | undefined {
  return (
    kid === undefined ||
    kid === null ||
    (typeof kid === 'string' && kid !== '' && kid.length <= MAX_KID_LENGTH)
  );
}

/** jws 3 reads the header as Latin-1; bytes that are UTF-8 were meant as UTF-8 (RFC 7515, section 4). */
function asSent(kid: string): string {
  const bytes = Buffer.from(kid, 'latin1');
  const text = bytes.toString('utf8');
  return bytes.toString('latin1') === kid && !text.includes('\uFFFD') ? text : kid;
}

/** Without any key a token may well be good: it is worth another try. */
function retryAfter(signingKeys: SigningKeys): Record<string, string> {
  return signingKeys.hasKeys ? {} : { 'Retry-After': String(signingKeys.retryAfterSeconds) };
}

/** What to throw for an error of koa-jwt: the refusal it means, or what is behind it where that is a bug of ours. */
function translate(error: unknown, expected: AuthenticateOptions): unknown {
  const cause = error instanceof Error && 'originalError' in error ? error.originalError : error;
  if (cause instanceof RequestError) return cause;
  const message = cause instanceof Error ? refusal(cause, expected) : undefined;
  return message === undefined ? cause : invalidToken(message, {}, { cause });
}

/** In the words of the contract; by the names of jsonwebtoken's errors, as it is not a dependency of this service. */
function refusal({ name, message }: Error, { audience, issuer }: AuthenticateOptions): string | undefined {
  if (name === 'TokenExpiredError') return 'jwt expired';
  if (name === 'NotBeforeError') return 'jwt not active';
  if (name !== 'JsonWebTokenError') return undefined;
  if (message.startsWith('jwt audience invalid')) return `jwt audience invalid. expected: ${audience}`;
  if (message.startsWith('jwt issuer invalid')) return `jwt issuer invalid. expected: ${issuer}`;
  return 'invalid signature';
}
