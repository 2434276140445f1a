import * as z from 'zod';
import { authorOf, callerOf } from '../auth/caller-of.ts';
import { isGranted } from '../auth/claims.ts';
import { matchesJson } from '../request/validators.ts';
import { ifMatchOfJson } from '../route/headers.ts';
import { route } from '../route/route.ts';
import { metadataPatch } from './metadata-body.ts';
import { metadataResponse, metadataValidators } from './metadata-response.ts';
import { metadataEtag, metadataView } from './metadata-view.ts';

const MAX_PATCH_BYTES = 64 * 1024;

/** A caller without the scope for reading learns nothing of the metadata but their new version. */
export const patchMetadata = route(
  {
    method: 'patch',
    path: '/api/image/:id/metadata',
    access: 'write',
    changesCatalog: true,
    tag: 'Metadata',
    summary: 'Change the metadata of an image',
    description:
      'A merge patch (RFC 7396): what is missing stays, and null clears. The change survives a power cut before the response is sent. With `If-Match` it applies to that version alone. A patch that changes nothing keeps the version. Without the scope for reading the response is 204 with the `ETag` alone.',
    requestHeaders: z.object({ 'If-Match': ifMatchOfJson }),
    json: {
      mediaType: 'application/merge-patch+json',
      schema: metadataPatch,
      maxBytes: MAX_PATCH_BYTES,
      example: { title: 'Chelsea', tags: ['tabby', 'sofa'], description: null, focus: { x: 0.5, y: 0.25 } },
    },
    responses: {
      200: metadataResponse,
      204: {
        description: 'The metadata are changed, and the token lacks the scope for reading them.',
        headers: metadataValidators,
      },
    },
    errors: ['precondition_failed', 'too_many_changes', 'overloaded'],
  },
  async ({ ctx, space, id, body }, { editMetadata, settings }) => {
    const ifMatch = ctx.get('If-Match');
    const isExpected = (version: number): boolean => matchesJson(ifMatch, metadataEtag({ version }));
    const metadata = await editMetadata.execute(space, id, body, callerOf(ctx), isExpected, authorOf(ctx));
    const ETag = metadataEtag(metadata);
    const { read } = settings.scopes;
    const isHidden = read !== undefined && !isGranted(read, ctx.state.auth);
    if (isHidden) return { status: 204, headers: { ETag } };
    return {
      status: 200,
      headers: { ETag },
      body: metadataView(metadata),
    };
  },
);
