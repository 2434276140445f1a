import * as z from 'zod';
import { hasSpaceHeader } from '../request/space-header.ts';
import { identityBytes, negotiateVariant } from '../response/web-file.ts';
import { etag, ifNoneMatch } from '../route/headers.ts';
import { route } from '../route/route.ts';

export const describeApi = route(
  {
    method: 'get',
    path: '/api/openapi.json',
    access: 'read',
    needsNoSpace: true,
    tag: 'Service',
    summary: 'This document',
    description:
      'The OpenAPI document of this very process, with its configured sizes and limits. The management listener has it at `/openapi.json`, without a token.',
    requestHeaders: z.object({ 'If-None-Match': ifNoneMatch }),
    responses: {
      200: {
        description: 'The document.',
        cache: 'private, no-cache',
        headers: z.object({ ETag: etag.optional() }),
        json: z.looseObject({ openapi: z.string() }),
        isEncoded: true,
      },
      304: {
        description: 'The client has this document already.',
        cache: 'private, no-cache',
        headers: z.object({ ETag: etag }),
      },
    },
  },
  async ({ ctx }, { description }) => {
    const file = await description();
    // The tag is for caches alone, and with the header nothing may be stored.
    if (hasSpaceHeader(ctx)) return { status: 200, headers: {}, body: identityBytes(file) };
    const { etag: ETag, bytes } = negotiateVariant(ctx, file);
    const headers = { ETag };
    return bytes === undefined ? { status: 304, headers } : { status: 200, headers, body: bytes };
  },
);
