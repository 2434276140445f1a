import { route } from '../route/route.ts';

export const eraseImage = route(
  {
    method: 'delete',
    path: '/api/trash/:id',
    access: 'delete',
    changesCatalog: true,
    tag: 'Trash',
    summary: 'Erase an image of the trash',
    description: 'At once and for good: the bytes and the renditions follow. A second erasure is 404.',
    responses: { 204: { description: 'The image is erased.' } },
  },
  async ({ ctx, space, id }, { eraseImage }) => {
    await eraseImage.execute(space, id, { log: ctx.state.log, by: ctx.state.actor });
    return { status: 204 };
  },
);
