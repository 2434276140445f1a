import type { Context } from 'koa';
import type { NameCondition } from '../../../domain/name/name.ts';
import { hasJsonTag, matchesJson } from '../request/validators.ts';
import { nameEtag } from './name-view.ts';

/** `If-Match` and `If-None-Match`, for a name that is to change. */
export function nameCondition(ctx: Context): NameCondition {
  const [ifMatch, ifNoneMatch] = [ctx.get('If-Match'), ctx.get('If-None-Match')];
  return (version) => {
    if (version === undefined) return ifMatch === '';
    const etag = nameEtag({ version });
    return matchesJson(ifMatch, etag) && (ifNoneMatch === '' || !hasJsonTag(ifNoneMatch, etag));
  };
}
