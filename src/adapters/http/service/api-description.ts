import { createHash } from 'node:crypto';
import type { Context } from 'koa';
import { z } from 'zod';
import { hasTag } from '../bytes/conditions.ts';
import { cacheControl, etag, ifNoneMatch } from '../openapi/headers.ts';
import type { Handler, Operation } from '../openapi/operation.ts';

/** The OpenAPI document as bytes, with its ETag. Built when it is first read, so that a start costs no more. */
export class ApiDescription {
  #built: { readonly bytes: Buffer; readonly etag: string } | undefined;

  /** @param build called once */
  constructor(private readonly build: () => object) {}

  get bytes(): Buffer {
    return this.#read().bytes;
  }

  get etag(): string {
    return this.#read().etag;
  }

  #read(): { readonly bytes: Buffer; readonly etag: string } {
    this.#built ??= encoded(this.build());
    return this.#built;
  }
}

function encoded(document: object): { readonly bytes: Buffer; readonly etag: string } {
  const bytes = Buffer.from(JSON.stringify(document));
  return { bytes, etag: `"${createHash('sha256').update(bytes).digest('hex')}"` };
}

export const describeApiOperation = {
  method: 'get',
  path: '/api/openapi.json',
  access: 'read',
  tag: 'Service',
  summary: 'This document',
  description:
    'The OpenAPI document of this very process, with its configured sizes and limits. The management listener has it at `/openapi.json`, without a token.',
  requestHeaders: z.object({ 'If-None-Match': ifNoneMatch }),
  responses: {
    200: {
      description: 'The document.',
      headers: z.object({ ETag: etag, 'Cache-Control': cacheControl('private, no-cache') }),
      json: z.looseObject({ openapi: z.string() }),
      isEncoded: true,
    },
    304: {
      description: 'The client has this document already.',
      headers: z.object({ ETag: etag, 'Cache-Control': cacheControl('private, no-cache') }),
    },
  },
  errors: [],
} as const satisfies Operation;

export function describeHandler(description: ApiDescription): Handler<typeof describeApiOperation> {
  return async ({ ctx }) => {
    const headers = { ETag: description.etag, 'Cache-Control': 'private, no-cache' } as const;
    if (hasTag(ctx.get('If-None-Match'), description.etag)) return { status: 304, headers };
    return { status: 200, headers, body: description.bytes };
  };
}

/** For listeners without tokens. */
export function serveDescription(ctx: Context, description: ApiDescription): void {
  ctx.set({ ETag: description.etag, 'Cache-Control': 'no-cache' });
  if (hasTag(ctx.get('If-None-Match'), description.etag)) {
    ctx.status = 304;
    return;
  }
  ctx.type = 'application/json; charset=utf-8';
  ctx.body = description.bytes;
}
