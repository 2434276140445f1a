import { AccessRefused } from './access-refused.ts';
import type { Claims } from './claims.ts';

/** What the service requires of the claims `aud` and `iss`. */
export interface ExpectedClaims {
  readonly audience: string;
  readonly issuer: string;
}

/**
 * Why a token is refused, in the order of the checks, and the message of the response. The names are the reasons in metrics. No message
 * repeats text of the token.
 */
const MESSAGES = {
  malformed: () => 'jwt malformed',
  signature: () => 'invalid signature',
  // Without any key, a token of a wrong provider looks the same as a valid one.
  no_keys: () => 'invalid signature',
  not_active: () => 'jwt not active',
  expired: () => 'jwt expired',
  audience: ({ audience }) => `jwt audience invalid. expected: ${audience}`,
  issuer: ({ issuer }) => `jwt issuer invalid. expected: ${issuer}`,
} as const satisfies Readonly<Record<string, (expected: ExpectedClaims) => string>>;

export type TokenFailure = keyof typeof MESSAGES;

/** By the class of the error that koa-jwt passes on from jsonwebtoken, which is not a dependency of this service. */
const FAILURE_OF_ERROR = new Map<string, TokenFailure>([
  ['JsonWebTokenError', 'signature'],
  ['NotBeforeError', 'not_active'],
  ['TokenExpiredError', 'expired'],
]);

export function messageOfFailure(failure: TokenFailure, expected: ExpectedClaims): string {
  return MESSAGES[failure](expected);
}

export function refuseToken(
  failure: TokenFailure,
  expected: ExpectedClaims,
  headers?: Readonly<Record<string, string>>,
): AccessRefused {
  return AccessRefused.forToken(failure, messageOfFailure(failure, expected), headers);
}

/** `undefined` if the error says nothing about the token. */
export function failureOfError({ name }: Error): TokenFailure | undefined {
  return FAILURE_OF_ERROR.get(name);
}

/**
 * What is wrong with the claims, in the order of the checks.
 *
 * @param now ms since 1970
 */
export function* claimFailures(
  { nbf = 0, exp, aud, iss }: Claims,
  { audience, issuer }: ExpectedClaims,
  now: number,
): Generator<TokenFailure, void, undefined> {
  if (Number(nbf) * 1000 > now) yield 'not_active';
  if (exp * 1000 <= now) yield 'expired';
  if (![aud].flat().includes(audience)) yield 'audience';
  if (iss !== issuer) yield 'issuer';
}
