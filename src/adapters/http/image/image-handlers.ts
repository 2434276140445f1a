import type { DeleteImage } from '../../../application/delete-image.ts';
import type { GetImage } from '../../../application/files/open-image-file.ts';
import { etagOf, matches } from '../bytes/conditions.ts';
import { mediaTypesOf } from '../bytes/rendition-query.ts';
import type { ServeFile } from '../bytes/serve-image-file.ts';
import type { Handler } from '../openapi/operation.ts';
import { boundedAccept } from '../request/bounded-accept.ts';
import { RequestError } from '../request-error.ts';
import type { deleteImageOperation, getImageOperation } from './image-operations.ts';
import type { ViewImage } from './image-view.ts';

export function imageHandler(
  getImage: GetImage,
  serveFile: ServeFile,
  view: ViewImage,
): Handler<ReturnType<typeof getImageOperation>> {
  return async ({ ctx, space, id, query }) => {
    ctx.vary('Accept');
    const image = await getImage.execute(space, id);
    const types = ['application/json', ...mediaTypesOf(image, query)];
    const type = boundedAccept(ctx)(...types);
    if (type === false) throw new RequestError('not_acceptable', `Only ${types.join(', ')} can be served`);
    if (type !== 'application/json') return await serveFile(ctx, image, query);
    // The ETag is that of the bytes, which this URL serves as well; clients send it in If-Match. A cache must not store the
    // record with it: Chromium revalidates across Vary by ETag alone and would show the bytes for the record.
    return {
      status: 200,
      headers: { ETag: etagOf(image), 'Cache-Control': 'no-store' },
      body: view(image),
    };
  };
}

export function deleteHandler(deleteImage: DeleteImage): Handler<typeof deleteImageOperation> {
  return async ({ ctx, space, id }) => {
    await deleteImage.execute(space, id, {
      log: ctx.state.log,
      matches: (image) => matches(ctx.get('If-Match'), etagOf(image)),
      by: ctx.state.actor,
    });
    return { status: 204 };
  };
}
