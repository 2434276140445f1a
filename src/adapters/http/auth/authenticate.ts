import { hash, type KeyObject } from 'node:crypto';
import type { Context, Middleware } from 'koa';
import koaJwt from 'koa-jwt';
import { LRUCache } from 'lru-cache';
import type { Clock } from '../../../domain/ports/process/clock.ts';
import type { Tracer } from '../../../domain/ports/process/tracer.ts';
import { AccessRefused } from './access-refused.ts';
import { bearerToken, isWellFormed } from './bearer-token.ts';
import { type Claims, claimFaults, type ExpectedClaims } from './claims.ts';
import type { SigningKeys } from './signing-keys.ts';

interface AuthenticateOptions extends ExpectedClaims {
  readonly signingKeys: SigningKeys;
  readonly clock: Clock;
  readonly tracer?: Tracer | undefined;
  /** Whether `ctx.state.actor` is set; by default it is. */
  readonly recordActor?: boolean;
}

const MAX_KID_LENGTH = 256;

/**
 * Only `GET /` and `HEAD /` need no token; unknown paths do.
 *
 * @throws {TypeError} if the issuer or the audience is empty: an empty claim would match it
 * The middleware throws {RequestError}.
 */
export function authenticate(options: AuthenticateOptions): Middleware {
  if (!options.issuer || !options.audience) throw new TypeError('issuer and audience must not be empty');
  const { signingKeys, clock, tracer, recordActor = true } = options;
  const verifyNow = verifier(options);
  const verify: typeof verifyNow =
    tracer === undefined ? verifyNow : (ctx) => tracer.span('authenticate', () => verifyNow(ctx));
  const tokens = new TokenCache(clock);
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
    const claims = ctx.state.auth as Claims;
    const [fault] = claimFaults(claims, options, options.clock.now().getTime());
    if (fault !== undefined) throw AccessRefused.forToken(fault, options);
    return claims;
  };
}

/** koa-jwt checks the signature, and `claimFaults` the claims. */
function koaJwtOptions(options: AuthenticateOptions): koaJwt.Options {
  const koaJwtOptions = {
    key: 'auth',
    algorithms: ['RS256'],
    ignoreExpiration: true,
    ignoreNotBefore: true,
    getToken: (ctx: Context): string => tokenOf(ctx, options),
    // koa-jwt's types lack KeyObject; jsonwebtoken supports it, and parses any other key on every request.
    secret: ((header: unknown) => signingKey(header, options)) as unknown as koaJwt.SecretLoader,
  };
  return koaJwtOptions;
}

function tokenOf(ctx: Context, expected: ExpectedClaims): string {
  const token = bearerToken(ctx.get('Authorization'));
  if (token === undefined) throw AccessRefused.withoutToken();
  if (!isWellFormed(token)) throw AccessRefused.forToken('malformed', expected);
  return token;
}

async function signingKey(header: unknown, options: AuthenticateOptions): Promise<KeyObject> {
  const { signingKeys } = options;
  const { alg, kid } = header as { alg?: unknown; kid?: unknown };
  if (alg !== 'RS256' || !isKid(kid)) throw AccessRefused.forToken('signature', options);
  const key = await signingKeys.get(typeof kid === 'string' ? asSent(kid) : undefined);
  if (key !== undefined) return key;
  if (signingKeys.hasKeys) throw AccessRefused.forToken('signature', options);
  // Without any key a valid token is refused as well.
  const headers = { 'Retry-After': String(signingKeys.retryAfterSeconds) };
  throw AccessRefused.forToken('no_keys', options, headers);
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

/** Compares the name of the class, because jsonwebtoken is not a dependency of this service. */
function translate(error: unknown, expected: ExpectedClaims): unknown {
  const cause = error instanceof Error && 'originalError' in error ? error.originalError : error;
  if (!(cause instanceof Error) || cause.name !== 'JsonWebTokenError') return cause;
  return AccessRefused.forToken('signature', expected, {}, { cause });
}

const MAX_TOKENS = 1_000;
const MAX_AGE_MS = 60_000;

interface Entry {
  readonly claims: Claims;
  readonly verifiedAt: number;
  readonly generation: number;
}

/** The key is the hash of the whole header: with a key from a part, an altered token would be accepted. */
export class TokenCache {
  private readonly entries = new LRUCache<string, Entry>({ max: MAX_TOKENS });

  constructor(private readonly clock: Clock) {}

  /** @param generation tokens that were verified with keys of another generation are removed */
  find(header: string, generation: number): Claims | undefined {
    const id = hashOf(header);
    const entry = this.entries.get(id);
    if (entry === undefined) return undefined;
    if (this.isGood(entry, generation)) return entry.claims;
    this.entries.delete(id);
    return undefined;
  }

  /**
   * Freezes the claims.
   *
   * @param generation of the signing keys before the verification began
   */
  add(header: string, claims: Claims, generation: number): void {
    const entry = { claims: frozen(claims), verifiedAt: this.now(), generation };
    this.entries.set(hashOf(header), entry);
  }

  /** A negative age means that the clock was set back, so the real age is unknown. */
  private isGood({ claims, verifiedAt, generation }: Entry, current: number): boolean {
    const now = this.now();
    const age = now - verifiedAt;
    return generation === current && claims.exp * 1_000 > now && age >= 0 && age <= MAX_AGE_MS;
  }

  private now(): number {
    return this.clock.now().getTime();
  }
}

function hashOf(header: string): string {
  return hash('sha256', header, 'base64');
}

/** A loop instead of recursion, because claims may be nested deeply. */
function frozen(claims: Claims): Claims {
  const pending: object[] = [claims];
  for (const object of pending) {
    Object.freeze(object);
    for (const value of Object.values(object)) {
      if (typeof value === 'object' && value !== null) pending.push(value);
    }
  }
  return claims;
}
