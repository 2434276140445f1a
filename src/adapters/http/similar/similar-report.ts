import type { Context } from 'koa';
import type { FindSimilar } from '../../../application/find/find-similar.ts';
import type { Space } from '../../../domain/space/space.ts';
import { checkScope } from '../auth/access-refused.ts';
import type { ViewImage } from '../image/image-view.ts';
import { type SimilarImagesView, similarView } from './similar-view.ts';

/** The similar images of an upload. */
export class SimilarReport {
  constructor(
    private readonly findSimilar: FindSimilar,
    private readonly view: ViewImage,
    private readonly readScope: string | undefined,
  ) {}

  /** @throws {RequestError} */
  authorize(ctx: Context): void {
    checkScope(this.readScope, ctx.state.auth);
  }

  /** `undefined` if the search fails: the image is stored already. */
  async of(ctx: Context, space: Space, id: number): Promise<SimilarImagesView | undefined> {
    try {
      return similarView(await this.findSimilar.report(space, id), this.view);
    } catch (error) {
      ctx.state.log.warn({ err: error, imageId: id }, 'similar images of the upload not found');
      return undefined;
    }
  }
}
