import type { EraseImage } from '../../../application/trash/erase-image.ts';
import type { ListTrash } from '../../../application/trash/list-trash.ts';
import type { RestoreImage } from '../../../application/trash/restore-image.ts';
import type { ViewImage } from '../image/image-view.ts';
import { jsonStream } from '../listing/json-stream.ts';
import { nextLink } from '../listing/next-link.ts';
import { partsOf, writePage } from '../listing/write-page.ts';
import type { Handler } from '../openapi/operation.ts';
import { callerOf } from '../request/caller-of.ts';
import { trashCursor, trashPositionIn } from './trash-cursor.ts';
import type { eraseImageOperation, listTrashOperation, restoreImageOperation } from './trash-operations.ts';
import { trashedView } from './trash-view.ts';

/** Of one statement: 16 of the longest records, with their descriptions, take 1 MiB. */
const RECORDS = 16;

const headers = { 'Cache-Control': 'no-store' } as const;

/** @param days that images stay in the trash */
export function listTrashHandler(
  listTrash: ListTrash,
  view: ViewImage,
  days: number,
): Handler<ReturnType<typeof listTrashOperation>> {
  const viewTrashed = trashedView(view, days);
  return async ({ ctx, space, query: { limit, after: cursor } }) => {
    const after = cursor === undefined ? undefined : trashPositionIn(cursor, space);
    if (limit === undefined) {
      const body = await jsonStream(ctx, listTrash.batches(space, after, callerOf(ctx)), viewTrashed);
      return { status: 200, headers, body };
    }
    const read = (from: typeof after, most: number) => listTrash.page(space, { after: from, limit: most });
    const parts = partsOf(read, { after, limit, size: RECORDS });
    const { body, next } = await writePage(ctx, parts, { view: viewTrashed });
    const Link = next === undefined ? undefined : nextLink(ctx, trashCursor(next, space));
    return { status: 200, headers: { ...headers, Link }, body };
  };
}

export function restoreHandler(
  restoreImage: RestoreImage,
  view: ViewImage,
): Handler<ReturnType<typeof restoreImageOperation>> {
  return async ({ ctx, space, id }) => {
    const image = await restoreImage.execute(space, id, ctx.state.actor);
    return { status: 200, headers, body: view(image) };
  };
}

export function eraseHandler(eraseImage: EraseImage): Handler<typeof eraseImageOperation> {
  return async ({ ctx, space, id }) => {
    await eraseImage.execute(space, id, { log: ctx.state.log, by: ctx.state.actor });
    return { status: 204 };
  };
}
