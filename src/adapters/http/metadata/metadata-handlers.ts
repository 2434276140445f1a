import type { ListTags } from '../../../application/find/list-tags.ts';
import type { EditImages } from '../../../application/metadata/edit-images.ts';
import type { EditMetadata } from '../../../application/metadata/edit-metadata.ts';
import type { GetMetadata } from '../../../application/metadata/get-metadata.ts';
import { isGranted } from '../auth/claims.ts';
import { hasTag, matches } from '../bytes/conditions.ts';
import type { Handler } from '../openapi/operation.ts';
import { callerOf } from '../request/caller-of.ts';
import type {
  editImagesOperation,
  getMetadataOperation,
  listTagsOperation,
  patchMetadataOperation,
} from './metadata-operations.ts';
import { metadataEtag, metadataView } from './metadata-view.ts';

const CACHE_CONTROL = 'private, no-cache';

export function getMetadataHandler(getMetadata: GetMetadata): Handler<typeof getMetadataOperation> {
  return async ({ ctx, space, id }) => {
    const metadata = await getMetadata.execute(space, id);
    const headers = { ETag: metadataEtag(metadata), 'Cache-Control': CACHE_CONTROL } as const;
    if (hasTag(ctx.get('If-None-Match'), headers.ETag)) return { status: 304, headers };
    return { status: 200, headers, body: metadataView(metadata) };
  };
}

/** @param readScope without it, a caller learns nothing of the metadata but their new version */
export function patchMetadataHandler(
  editMetadata: EditMetadata,
  readScope: string | undefined,
): Handler<typeof patchMetadataOperation> {
  return async ({ ctx, space, id, body }) => {
    const ifMatch = ctx.get('If-Match');
    const isExpected = (version: number): boolean => matches(ifMatch, metadataEtag({ version }));
    const metadata = await editMetadata.execute(space, id, body, isExpected, ctx.state.actor);
    const ETag = metadataEtag(metadata);
    const isHidden = readScope !== undefined && !isGranted(readScope, ctx.state.auth);
    if (isHidden) return { status: 204, headers: { ETag } };
    return {
      status: 200,
      headers: { ETag, 'Cache-Control': CACHE_CONTROL },
      body: metadataView(metadata),
    };
  };
}

export function editImagesHandler(editImages: EditImages): Handler<typeof editImagesOperation> {
  return async ({ ctx, space, body }) => {
    const { ids, ...request } = body();
    const { actor } = ctx.state;
    return {
      status: 200,
      headers: { 'Cache-Control': 'no-store' },
      body: await editImages.execute(space, ids, request, callerOf(ctx), actor),
    };
  };
}

export function listTagsHandler(listTags: ListTags): Handler<typeof listTagsOperation> {
  return async ({ ctx, space, query: { prefix = '', limit = 100, order = 'name' } }) => ({
    status: 200,
    headers: { 'Cache-Control': 'no-store' },
    body: await listTags.execute(space, { prefix, limit, order }, callerOf(ctx)),
  });
}
