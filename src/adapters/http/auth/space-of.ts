import { parseSpace, type Space } from '../../../domain/space/space.ts';
import { AccessRefused } from './access-refused.ts';
import type { Claims } from './claims.ts';

/**
 * The space of a token.
 *
 * @param claim its name, literally
 * @throws {AccessRefused} if the claim names no space
 */
export function spaceOf(claim: string, claims: Claims | undefined): Space {
  const space = spaceIn(claims, claim);
  if (space === undefined) throw AccessRefused.withoutSpace();
  return space;
}

/** `undefined` if the claim names no space. */
export function spaceIn(claims: Claims | undefined, claim: string): Space | undefined {
  // What objects inherit, such as `constructor`, is no text.
  return parseSpace(claims?.[claim]);
}
