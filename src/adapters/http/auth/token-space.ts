import { parseSpace, type Space } from '../../../domain/space/space.ts';
import { AccessRefused } from './access-refused.ts';
import type { Claims } from './claims.ts';

/**
 * The space of a token; `undefined` if the claim names none.
 *
 * @param claim its name, literally
 */
export function spaceIn(claims: Claims, claim: string): Space | undefined {
  // What objects inherit, such as `constructor`, is no text.
  return parseSpace(claims[claim]);
}

/** @throws {AccessRefused} if the claim names no space */
export function requireSpace(claims: Claims | undefined, claim: string): Space {
  const space = claims && spaceIn(claims, claim);
  if (space === undefined) throw AccessRefused.withoutSpace();
  return space;
}
