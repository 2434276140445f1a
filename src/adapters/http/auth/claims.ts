/** RFC 7519, section 4; RFC 9068. Frozen: requests with the same token share them. */
export interface Claims {
  readonly sub?: string;
  /** RFC 8693, section 4.2. */
  readonly scope?: string;
  readonly permissions?: readonly string[];
  readonly client_id?: string;
  readonly azp?: string;
  /** Seconds since the epoch. */
  readonly exp: number;
  readonly [claim: string]: unknown;
}

declare module 'koa' {
  interface DefaultState {
    auth?: Claims;
    /** Who the feed of changes names for the request. */
    actor?: string | undefined;
  }
  interface Request {
    auth?: Claims;
  }
}

/** Not empty. */
export interface ExpectedClaims {
  readonly issuer: string;
  readonly audience: string;
}

export type ClaimFault = 'not_active' | 'expired' | 'audience' | 'issuer';

/**
 * What the service refuses of the claims of a signed token, in the order of the contract, section 3. There is no leeway.
 *
 * @param now ms since 1970
 */
export function claimFaults(
  { nbf, exp, aud, iss }: Claims,
  { audience, issuer }: ExpectedClaims,
  now: number,
): readonly ClaimFault[] {
  const audiences: readonly unknown[] = Array.isArray(aud) ? aud : [aud];
  const checks: ReadonlyArray<readonly [ClaimFault, boolean]> = [
    ['not_active', typeof nbf === 'number' && nbf * 1000 > now],
    ['expired', exp * 1000 <= now],
    ['audience', !audiences.includes(audience)],
    ['issuer', iss !== issuer],
  ];
  return checks.filter(([, isFault]) => isFault).map(([fault]) => fault);
}

/** A verified token may have claims of any type. */
export function isGranted(scope: string, claims: Claims | undefined): boolean {
  const { scope: scopes, permissions } = (claims ?? {}) as Record<string, unknown>;
  if (typeof scopes === 'string' && scopes.split(' ').includes(scope)) return true;
  return Array.isArray(permissions) && permissions.includes(scope);
}
