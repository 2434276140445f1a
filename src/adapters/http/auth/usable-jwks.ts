import type { JwkSet } from './fetch-jwks.ts';

const MAX_KEYS = 50;

/** Keys that may verify RS256, as jwks-rsa takes them: its parser fails on entries that are no objects. */
export function usableJwks(set: JwkSet): object[] {
  return set.keys.filter(mayVerifyRs256).slice(0, MAX_KEYS);
}

/** `use` and `alg` are optional (RFC 7517, section 4). A stated algorithm binds (RFC 8725, section 3.1). */
export function mayVerifyRs256(jwk: unknown): jwk is object {
  if (typeof jwk !== 'object' || jwk === null) return false;
  const { kty, use, alg } = jwk as Record<string, unknown>;
  return kty === 'RSA' && (use === undefined || use === 'sig') && (alg === undefined || alg === 'RS256');
}
