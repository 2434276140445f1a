import type { Claims } from './claims.ts';

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
