import type { KeyObject } from 'node:crypto';
import type { Context, Middleware } from 'koa';
import koaJwt from 'koa-jwt';
import type { Clock } from '../../../domain/ports/clock.ts';
import type { Tracer } from '../../../domain/ports/tracer.ts';
import { RequestError } from '../request-error.ts';
import { bearerToken } from './bearer-token.ts';
import type { Claims } from './claims.ts';
import { invalidToken } from './invalid-token.ts';
import type { SigningKeys } from './signing-keys.ts';
import { TokenCache } from './token-cache.ts';

export interface AuthenticateOptions {
  /** Not empty. */
  readonly issuer: string;
  /** Not empty. */
  readonly audience: string;
  readonly signingKeys: SigningKeys;
  readonly clock: Clock;
  readonly tracer?: Tracer | undefined;
}

const MAX_KID_LENGTH = 256;

/**
 * Only `GET /` and `HEAD /` need no token; unknown paths do.
 *
 * @throws {TypeError} if the issuer or the audience is empty: jsonwebtoken would skip that check
 * The middleware throws {RequestError}.
 */
export function authenticate(options: AuthenticateOptions): Middleware {
  if (!options.issuer || !options.audience) throw new TypeError('issuer and audience must not be empty');
  const { signingKeys, clock, tracer } = options;
  const verifyNow = verifier(options);
  const verify: typeof verifyNow =
    tracer === undefined ? verifyNow : (ctx) => tracer.span('authenticate', () => verifyNow(ctx));
  const tokens = new TokenCache({ clock });
  return async (ctx, next) => {
    if (isOpen(ctx)) return next();
    const header = ctx.get('Authorization');
    const { generation, isFresh } = signingKeys;
    // Verifying asks for the keys. If a refresh is due, every request does so, and a withdrawn key is noticed in time.
    const cached = isFresh ? tokens.find(header, generation) : undefined;
    const claims = cached ?? (await verify(ctx));
    if (cached === undefined) tokens.add(header, claims, generation);
    ctx.state.auth = claims;
    ctx.request.auth = claims;
    return next();
  };
}

/** koa-unless is not used: it skips authentication if any one criterion matches, so every GET would be open. */
function isOpen(ctx: Context): boolean {
  return ctx.path === '/' && (ctx.method === 'GET' || ctx.method === 'HEAD');
}

function verifier(options: AuthenticateOptions): (ctx: Context) => Promise<Claims> {
  const middleware = koaJwt(koaJwtOptions(options));
  return async (ctx) => {
    delete ctx.state.secret; // koa-jwt would use it as the key.
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
    // koa-jwt's types lack KeyObject; jsonwebtoken supports it, and parses any other key on every request.
    secret: ((header: unknown) => signingKey(header, signingKeys)) as unknown as koaJwt.SecretLoader,
    /** In seconds with a fraction; jsonwebtoken's own clock would round down. */
    get clockTimestamp(): number {
      return clock.now().getTime() / 1_000;
    },
  };
  return options;
}

async function signingKey(header: unknown, signingKeys: SigningKeys): Promise<KeyObject> {
  const { alg, kid } = header as { alg?: unknown; kid?: unknown };
  if (alg !== 'RS256' || !isKid(kid)) throw invalidToken('invalid signature');
  const key = await signingKeys.get(typeof kid === 'string' ? asSent(kid) : undefined);
  if (key !== undefined) return key;
  throw invalidToken('invalid signature', retryAfter(signingKeys));
}

/** `null` means no `kid`. */
function isKid(kid: unknown): kid is string | null | undefined {
  return (
    kid === undefined ||
    kid === null ||
    (typeof kid === 'string' && kid !== '' && kid.length <= MAX_KID_LENGTH)
  );
}

/** jws 3 decodes the header as Latin-1; valid UTF-8 is restored (RFC 7515, section 4). */
function asSent(kid: string): string {
  const bytes = Buffer.from(kid, 'latin1');
  const text = bytes.toString('utf8');
  return bytes.toString('latin1') === kid && !text.includes('\uFFFD') ? text : kid;
}

/** Without any key a valid token is refused as well. */
function retryAfter(signingKeys: SigningKeys): Record<string, string> {
  return signingKeys.hasKeys ? {} : { 'Retry-After': String(signingKeys.retryAfterSeconds) };
}

function translate(error: unknown, expected: AuthenticateOptions): unknown {
  const cause = error instanceof Error && 'originalError' in error ? error.originalError : error;
  if (cause instanceof RequestError) return cause;
  const message = cause instanceof Error ? refusal(cause, expected) : undefined;
  return message === undefined ? cause : invalidToken(message, {}, { cause });
}

/** Compares names of error classes, because jsonwebtoken is not a dependency of this service. */
function refusal({ name, message }: Error, { audience, issuer }: AuthenticateOptions): string | undefined {
  if (name === 'TokenExpiredError') return 'jwt expired';
  if (name === 'NotBeforeError') return 'jwt not active';
  if (name !== 'JsonWebTokenError') return undefined;
  if (message.startsWith('jwt audience invalid')) return `jwt audience invalid. expected: ${audience}`;
  if (message.startsWith('jwt issuer invalid')) return `jwt issuer invalid. expected: ${issuer}`;
  return 'invalid signature';
}
