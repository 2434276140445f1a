/** RFC 7519, section 4; RFC 9068. Frozen: requests with the same token share them. */
export interface Claims {
  /** Seconds since the epoch. */
  readonly exp: number;
  /** A verified token may have claims of any type. */
  readonly [claim: string]: unknown;
}

declare module 'koa' {
  interface DefaultState {
    auth?: Claims;
    actor?: string | undefined;
  }
  interface Request {
    auth?: Claims;
  }
}

/** Where a token can have a scope. */
export type ScopeClaim = 'scope' | 'scp' | 'permissions';

export function isGranted(scope: string, claims: Claims | undefined): boolean {
  return claims !== undefined && grantingClaim(scope, claims) !== undefined;
}

/**
 * The claim by which the token has the scope. `scope` is that of RFC 8693, section 4.2; Okta, Entra and Ory Hydra write `scp` instead,
 * which counts only in a token without `scope`. Both are a text or an array; Auth0 writes the array `permissions`.
 */
export function grantingClaim(scope: string, claims: Claims): ScopeClaim | undefined {
  const { permissions } = claims;
  const name = (claims['scope'] ?? null) === null ? 'scp' : 'scope';
  if (hasWord(claims[name], scope)) return name;
  return Array.isArray(permissions) && permissions.includes(scope) ? 'permissions' : undefined;
}

/** Whether the claim, an array or a text of words with spaces between them, has this word. */
export function hasWord(claim: unknown, word: string): boolean {
  return typeof claim === 'string'
    ? claim.split(' ').includes(word)
    : Array.isArray(claim) && claim.includes(word);
}
