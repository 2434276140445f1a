import * as z from 'zod';
import { MAX_DISTANCE, type SimilarImage } from '../../../application/find/find-similar.ts';
import { imageRecord, imageView, type ViewSettings } from '../record/image-view.ts';
import type { Immutable } from '../route/operation.ts';

export const similarImages = z
  .array(
    z
      .object({
        image: imageRecord,
        distance: z
          .int()
          .min(0)
          .max(MAX_DISTANCE)
          .describe('The bits in which the perceptual hashes differ; 0 for equal bytes.'),
        kind: z
          .enum(['burst', 'copy', 'similar'])
          .describe(
            '`burst`: the same camera, 1 ms to 3 s apart. `copy`: the same bytes, or the same image in another size, format or quality. Else `similar`.',
          ),
      })
      .meta({ id: 'SimilarImage' }),
  )
  .describe('Nearest first, then by `id`, without the image itself.');

export type SimilarImagesView = Immutable<z.output<typeof similarImages>>;

export function similarView(found: readonly SimilarImage[], settings: ViewSettings): SimilarImagesView {
  return found.map(({ image, distance, kind }) => ({ image: imageView(image, settings), distance, kind }));
}
