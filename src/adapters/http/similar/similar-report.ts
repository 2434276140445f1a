import type { Context } from 'koa';
import type { Space } from '../../../domain/space/space.ts';
import type { RouteParts } from '../route/route-parts.ts';
import { type SimilarImagesView, similarView } from './similar-view.ts';

/** The similar images of an upload. `undefined` if the search fails: the image is stored already. */
export async function similarReport(
  { findSimilar, settings }: RouteParts,
  ctx: Context,
  space: Space,
  id: number,
): Promise<SimilarImagesView | undefined> {
  try {
    return similarView(await findSimilar.report(space, id), settings);
  } catch (error) {
    ctx.state.log.warn({ err: error, imageId: id }, 'similar images of the upload not found');
    return undefined;
  }
}
