import type { Context } from 'koa';
import { z } from 'zod';
import { cacheControl, etag, ifNoneMatch } from '../openapi/headers.ts';
import type { Handler, Operation } from '../openapi/operation.ts';
import { compressedWebFile, negotiateVariant, serveWebFile, type WebFile } from '../web/web-file.ts';

const JSON_TYPE = 'application/json; charset=utf-8';

/** The OpenAPI document as bytes. Built when it is first read, so that a start costs no more. */
export class ApiDescription {
  private builtBytes: Buffer | undefined;
  private builtFile: Promise<WebFile> | undefined;

  /** @param build called once */
  constructor(private readonly build: () => object) {}

  get bytes(): Buffer {
    this.builtBytes ??= Buffer.from(JSON.stringify(this.build()));
    return this.builtBytes;
  }

  /** With its compressed variants. */
  async file(): Promise<WebFile> {
    this.builtFile ??= compressedWebFile(JSON_TYPE, this.bytes);
    return await this.builtFile;
  }
}

export const describeApiOperation = {
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
    const { etag: ETag, bytes } = negotiateVariant(ctx, await description.file());
    const headers = { ETag, 'Cache-Control': 'private, no-cache' } as const;
    return bytes === undefined ? { status: 304, headers } : { status: 200, headers, body: bytes };
  };
}

/** For listeners without tokens. */
export async function serveDescription(ctx: Context, description: ApiDescription): Promise<void> {
  serveWebFile(ctx, await description.file(), { cacheControl: 'no-cache' });
}
