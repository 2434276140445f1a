import { parseSpace, type Space } from '../../../domain/space/space.ts';
import { AccessRefused } from './access-refused.ts';
import type { Claims } from './claims.ts';
import { findClaim } from './find-claim.ts';

/**
 * `undefined` if the claim names no space.
 *
 * @param claim a name or a JSON Pointer
 */
export function spaceIn(claims: Claims, claim: string): Space | undefined {
  const found = findClaim(claims, claim);
  return 'value' in found ? parseSpace(found.value) : undefined;
}

/** @throws {AccessRefused} if the claim names no space */
export function requireSpace(claims: Claims | undefined, claim: string): Space {
  const space = claims && spaceIn(claims, claim);
  if (space === undefined) throw new AccessRefused('space', 'space_missing', 'The token names no space');
  return space;
}
