import { z } from 'zod';
import { cacheControl, etag, ifNoneMatch } from './headers.ts';
import type { Operation } from './operation.ts';

export const greet = {
  method: 'get',
  path: '/',
  access: 'public',
  tag: 'Service',
  summary: 'A greeting',
  description:
    'Shows that the service is reachable. Needs no token, and touches neither database nor provider.',
  responses: { 200: { description: 'The greeting.', text: true, example: 'Image Catalog Service\n' } },
  errors: [],
} as const satisfies Operation;

export const describeApi = {
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
