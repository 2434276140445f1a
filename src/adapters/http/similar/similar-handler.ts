import {
  DEFAULT_DISTANCE,
  DEFAULT_SIMILAR,
  type FindSimilar,
} from '../../../application/find/find-similar.ts';
import type { ViewImage } from '../image/image-view.ts';
import type { Handler } from '../openapi/operation.ts';
import { callerOf } from '../request/caller-of.ts';
import type { findSimilarOperation } from './similar-operations.ts';
import { similarView } from './similar-view.ts';

export function similarHandler(
  findSimilar: FindSimilar,
  view: ViewImage,
): Handler<ReturnType<typeof findSimilarOperation>> {
  return async ({ ctx, space, id, query: { distance = DEFAULT_DISTANCE, limit = DEFAULT_SIMILAR } }) => ({
    status: 200,
    headers: { 'Cache-Control': 'no-store' },
    body: similarView(await findSimilar.execute(space, id, { distance, limit }, callerOf(ctx)), view),
  });
}
