import { authorOf, callerOf } from '../auth/caller-of.ts';
import { exampleRecord } from '../record/example-image.ts';
import { imageRecord, imageView } from '../record/image-view.ts';
import { route } from '../route/route.ts';

export const restoreImage = route(
  ({ renditions: { sizes } }) => ({
    method: 'post',
    path: '/api/trash/:id/restore',
    access: 'delete',
    changesCatalog: true,
    tag: 'Trash',
    summary: 'Restore an image from the trash',
    description:
      'The image has its id, file name, metadata and place in all orders again, and links to it work again as long as they have not expired. Names do not come back. Tags get the spelling that is now in use; if that changes them, the version of the metadata rises. No quota refuses it.',
    responses: {
      200: {
        description: 'The record.',
        json: imageRecord,
        example: exampleRecord(sizes),
      },
    },
    errors: ['too_many_changes', 'overloaded'],
  }),
  async ({ ctx, space, id }, { restoreImage, settings }) => {
    const image = await restoreImage.execute(space, id, callerOf(ctx), authorOf(ctx));
    return { status: 200, body: imageView(image, settings) };
  },
);
