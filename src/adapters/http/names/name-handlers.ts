import type { GetName } from '../../../application/names/get-name.ts';
import type { ListNames } from '../../../application/names/list-names.ts';
import type { RemoveName } from '../../../application/names/remove-name.ts';
import type { SetName } from '../../../application/names/set-name.ts';
import type { NamedImage } from '../../../domain/name/name.ts';
import { hasTag } from '../bytes/conditions.ts';
import { serveCurrentImage } from '../bytes/serve-current-image.ts';
import type { ServeFile } from '../bytes/serve-image-file.ts';
import { jsonStream } from '../listing/json-stream.ts';
import { nextLink } from '../listing/next-link.ts';
import type { Handler } from '../openapi/operation.ts';
import { callerOf } from '../request/caller-of.ts';
import { nameCondition } from './name-condition.ts';
import type {
  deleteNameOperation,
  getNameFileOperation,
  getNameOperation,
  listNamesOperation,
  setNameOperation,
} from './name-operations.ts';
import { nameEtag, nameView } from './name-view.ts';

function validatorsOf(named: NamedImage) {
  return { ETag: nameEtag(named), 'Cache-Control': 'private, no-cache' } as const;
}

export function getNameHandler(getName: GetName): Handler<typeof getNameOperation> {
  return async ({ ctx, space, name }) => {
    const named = await getName.execute(space, name);
    const headers = validatorsOf(named);
    if (hasTag(ctx.get('If-None-Match'), headers.ETag)) return { status: 304, headers };
    return { status: 200, headers, body: nameView(named) };
  };
}

export function setNameHandler(setName: SetName): Handler<typeof setNameOperation> {
  return async ({ ctx, space, name, body }) => {
    const { named, isNew } = await setName.execute(space, name, body().id, {
      matches: nameCondition(ctx),
      by: ctx.state.actor,
    });
    return { status: isNew ? 201 : 200, headers: validatorsOf(named), body: nameView(named) };
  };
}

export function deleteNameHandler(removeName: RemoveName): Handler<typeof deleteNameOperation> {
  return async ({ ctx, space, name }) => {
    await removeName.execute(space, name, { matches: nameCondition(ctx), by: ctx.state.actor });
    return { status: 204 };
  };
}

export function listNamesHandler(listNames: ListNames): Handler<typeof listNamesOperation> {
  return async ({ ctx, space, query: { prefix = '', after, limit } }) => {
    const headers = { 'Cache-Control': 'no-store' } as const;
    if (limit === undefined) {
      const body = await jsonStream(
        ctx,
        listNames.batches(space, { prefix, after }, callerOf(ctx)),
        nameView,
      );
      return { status: 200, headers, body };
    }
    const { items, next } = await listNames.page(space, { prefix, after, limit });
    const Link = next === undefined ? undefined : nextLink(ctx, next);
    return { status: 200, headers: { ...headers, Link }, body: items.map(({ item }) => nameView(item)) };
  };
}

export function nameFileHandler(
  getName: GetName,
  serveFile: ServeFile,
): Handler<ReturnType<typeof getNameFileOperation>> {
  return async ({ ctx, space, name, query }) => {
    await serveCurrentImage(ctx, {
      find: () => getName.execute(space, name),
      serve: async ({ image }) => {
        ctx.set('Content-Location', `/api/image/${image.id}/file${ctx.search}`);
        await serveFile(ctx, image, query, 'moving');
      },
    });
    return undefined;
  };
}
