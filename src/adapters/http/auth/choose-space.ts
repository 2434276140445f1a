import type { Context } from 'koa';
import { COMMON_SPACE, type Space } from '../../../domain/space/space.ts';
import { RequestError } from '../errors/request-error.ts';
import { hasSpaceHeader, spaceInHeader } from '../request/space-header.ts';
import type { HttpSettings } from '../route/http-settings.ts';
import type { Operation } from '../route/operation.ts';
import { checkScope, scopeMissing } from './access-refused.ts';
import { requireSpace } from './require-space.ts';

/** The scope that a challenge names if the service has none for all spaces. */
const DEFAULT_SCOPE_NAME = 'all-spaces';

/**
 * The space in which a request acts: the one in the header `Space`, else the one of the token. For operations without a space it is
 * the common one. The function throws {AccessRefused | RequestError}.
 */
export function spaceChooser(
  { access, needsNoSpace, spansSpaces }: Operation,
  { scopes: { allSpaces }, spaceClaim }: Pick<HttpSettings, 'scopes' | 'spaceClaim'>,
): (ctx: Context) => Space {
  if (access === 'public') return () => COMMON_SPACE;
  const claim = needsNoSpace === true ? undefined : spaceClaim;
  return (ctx) => {
    const isNamed = hasSpaceHeader(ctx);
    if (isNamed || spansSpaces === true) requireAllSpaces(ctx, allSpaces);
    if (spansSpaces === true) {
      if (isNamed) throw new RequestError('invalid_request', 'The operation takes no header Space');
      return COMMON_SPACE;
    }
    if (isNamed) return spaceInHeader(ctx);
    return claim === undefined ? COMMON_SPACE : requireSpace(ctx.state.auth, claim);
  };
}

/** @throws {AccessRefused} */
function requireAllSpaces(ctx: Context, scope: string | undefined): void {
  if (scope === undefined) {
    throw scopeMissing(DEFAULT_SCOPE_NAME, 'No token of this service may act in all spaces');
  }
  checkScope(scope, ctx.state.auth);
}
