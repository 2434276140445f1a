import { COMMON_SPACE, parseSpace, type Space } from '../../../domain/space/space.ts';
import { AccessRefused } from './access-refused.ts';
import type { Claims } from './claims.ts';

/** The space of a token, by its claims. */
export type SpaceOf = (claims: Claims | undefined) => Space;

/** `undefined` if the claim names none. */
export function spaceIn(claims: Claims, claim: string): Space | undefined {
  // Not `constructor` and the like, which every object inherits.
  return Object.hasOwn(claims, claim) ? parseSpace(claims[claim]) : undefined;
}

/**
 * @param claim its name, literally; without it all tokens use the common space
 * @returns a function that throws {AccessRefused} if the claim names no space
 */
export function spaceOf(claim: string | undefined): SpaceOf {
  if (claim === undefined) return () => COMMON_SPACE;
  return (claims) => {
    // What objects inherit, such as `constructor`, is no text.
    const space = parseSpace(claims?.[claim]);
    if (space === undefined) throw AccessRefused.withoutSpace();
    return space;
  };
}
