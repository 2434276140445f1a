import type { Context } from 'koa';
import { PublishingRefused } from '../../../domain/errors.ts';
import type { NamePublishing } from '../../../domain/ports/records/names.ts';
import { checkScope, scopeMissing } from '../auth/access-refused.ts';
import { isGranted } from '../auth/claims.ts';
import type { HttpSettings } from '../route/http-settings.ts';

type Settings = Pick<HttpSettings, 'scopes' | 'publishNames'>;

/** The scope that a challenge names if the service has no scope for publishing. */
const DEFAULT_SCOPE_NAME = 'publish';

/**
 * What a request makes of its name.
 *
 * @param isPublic as the request says it
 * @throws {AccessRefused} if the request publishes the name, and may not
 */
export function publishingOf(
  ctx: Context,
  isPublic: boolean | undefined,
  { scopes: { publish }, publishNames }: Settings,
): NamePublishing {
  if (isPublic === true) {
    const challenged = publish ?? DEFAULT_SCOPE_NAME;
    if (!publishNames) throw scopeMissing(challenged, 'This service does not publish names');
    checkScope(publish, ctx.state.auth);
  }
  return { isPublic, mayPublish: publish === undefined || isGranted(publish, ctx.state.auth) };
}

/** Names the scope if the name turns out to be public already. */
export function explainPublishing({ scopes: { publish } }: Settings): (error: unknown) => never {
  return (error) => {
    if (!(error instanceof PublishingRefused) || publish === undefined) throw error;
    throw scopeMissing(publish, `The name is public: the scope ${publish} is required`);
  };
}
