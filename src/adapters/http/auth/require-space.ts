import { parseSpace, type Space } from '../../../domain/space/space.ts';
import { AccessRefused } from './access-refused.ts';
import type { Claims } from './claims.ts';

/** `undefined` if the claim names none. What objects inherit, such as `constructor`, is no text. */
export function spaceIn(claims: Claims, claim: string): Space | undefined {
  return parseSpace(claims[claim]);
}

/** @throws {AccessRefused} if the claim names no space */
export function requireSpace(claims: Claims | undefined, claim: string): Space {
  const space = claims && spaceIn(claims, claim);
  if (space === undefined) throw new AccessRefused('space', 'space_missing', 'The token names no space');
  return space;
}
