import type { SpaceStatus } from '../../domain/ports/records/space-records.ts';
import { COMMON_SPACE, type Space } from '../../domain/space/space.ts';
import { countOf } from '../commands/command-line/output.ts';
import { type CheckResult, type Findings, ok, quote, warning } from './check-result.ts';

export interface SpaceSettings {
  /** `undefined`: all tokens have the common space. */
  readonly spaceClaim: string | undefined;
  /** `undefined` if there is no token, or no space in it. */
  readonly tokenSpace: Space | undefined;
}

/**
 * Finds images that no token reaches, or not this one: SPACE_CLAIM was set or removed, or the claim has another meaning now.
 *
 * @param all as `SpaceRecords.findAll` returns them
 */
export function* checkSpaces(
  all: readonly SpaceStatus[],
  { spaceClaim, tokenSpace }: SpaceSettings,
): Findings {
  const used = all.filter(({ images }) => images > 0);
  const named = used.filter(({ space }) => space !== COMMON_SPACE);
  if (spaceClaim === undefined) {
    if (named.length > 0) yield withoutClaim(named);
    return;
  }
  const common = used.find(({ space }) => space === COMMON_SPACE);
  const isEmpty = tokenSpace !== undefined && !used.some(({ space }) => space === tokenSpace);
  if (common !== undefined) yield withClaim(common.images, spaceClaim);
  if (isEmpty && named.length > 0) yield emptySpace(tokenSpace, named.length, spaceClaim);
  else if (common === undefined) {
    yield ok(`SPACE_CLAIM=${spaceClaim}: images of ${countOf(named.length, 'space')}`);
  }
}

function withoutClaim(named: readonly SpaceStatus[]): CheckResult {
  const images = named.reduce((sum, space) => sum + space.images, 0);
  return warning(
    `SPACE_CLAIM is not set, and no token reaches ${countOf(images, 'image')} of ${countOf(named.length, 'named space')}`,
    "SPACE_CLAIM=… with the claim that named them, or image-catalog spaces assign NAME ''",
  );
}

function withClaim(images: number, claim: string): CheckResult {
  return warning(
    `SPACE_CLAIM=${claim} is set, and no token reaches ${countOf(images, 'image')} of the space without a name`,
    "image-catalog spaces assign '' NAME",
  );
}

function emptySpace(space: Space, others: number, claim: string): CheckResult {
  return warning(
    `The space of the token, ${quote(space)}, has no images, unlike ${countOf(others, 'other space')}. That is right for a new owner; else the claim ${claim} names spaces otherwise than before`,
    'image-catalog spaces lists them, and image-catalog spaces assign FROM TO gives one another name',
  );
}
