import { expect } from 'chai';
import * as z from 'zod';
import type { Handler, Operation } from '../../src/adapters/http/route/operation.ts';
import { route } from '../../src/adapters/http/route/route.ts';
import { COMMON_SPACE } from '../../src/domain/space/space.ts';

/** Not compiled unless each marked line is an error: `npm run typecheck` is the test of these types. */
const rename = {
  method: 'post',
  path: '/api/image/:id/name',
  access: 'write',
  tag: 'Images',
  summary: '',
  description: '',
  query: z.strictObject({ dry: z.string().optional() }),
  json: {
    mediaType: 'application/json',
    schema: z.strictObject({ name: z.string() }),
    maxBytes: 1,
    example: {},
  },
  responses: {
    200: {
      description: '',
      headers: z.object({ ETag: z.string(), Link: z.string().optional() }),
      json: z.object({ id: z.int(), name: z.string() }),
    },
    204: { description: '' },
  },
  errors: [],
} as const satisfies Operation;

type Rename = Handler<typeof rename>;

const declared: Rename = async ({ id, query, body }) =>
  query.dry === undefined
    ? { status: 200, headers: { ETag: '"1"' }, body: { id, name: body().name } }
    : { status: 204 };

const undeclared: readonly Rename[] = [
  // @ts-expect-error a status
  async () => ({ status: 201 }),
  // @ts-expect-error a missing header
  async () => ({ status: 200, headers: {}, body: { id: 1, name: 'a' } }),
  // @ts-expect-error a field of another type
  async () => ({ status: 200, headers: { ETag: '"1"' }, body: { id: '1', name: 'a' } }),
  // @ts-expect-error a missing field
  async () => ({ status: 200, headers: { ETag: '"1"' }, body: { id: 1 } }),
  // @ts-expect-error a body
  async () => ({ status: 204, body: 'a' }),
  // @ts-expect-error no response
  async () => undefined,
  // @ts-expect-error a query parameter
  async ({ query }) => ({ status: 200, headers: { ETag: query.wet }, body: { id: 1, name: 'a' } }),
  // @ts-expect-error a field of the body
  async ({ body }) => ({ status: 200, headers: { ETag: body().size }, body: { id: 1, name: 'a' } }),
];

const routed = route(rename, async ({ id }, { spaces }) => {
  await spaces.find(COMMON_SPACE);
  return { status: 200, headers: { ETag: '"1"' }, body: { id, name: 'a' } };
});

const wrong = [
  // @ts-expect-error a status
  route(rename, async () => ({ status: 201 })),
  // @ts-expect-error a missing field
  route(rename, async () => ({ status: 200, headers: { ETag: '"1"' }, body: { id: 1 } })),
  // @ts-expect-error no response
  route(rename, async () => undefined),
  // @ts-expect-error a field that no operation has
  route({ ...rename, changesCatlog: true }, async () => ({ status: 204 })),
  // @ts-expect-error a part that does not exist
  route(rename, async (_, { catalog }) => ({ status: 204, by: catalog })),
];

// @ts-expect-error an error code
const unknownError: Operation = { ...rename, errors: ['teapot'] };

describe('The types of a handler', () => {
  it('come from the entry of its operation: npm run typecheck refuses what is not declared', () => {
    expect([typeof declared, undeclared.length, unknownError.path]).to.deep.equal([
      'function',
      8,
      rename.path,
    ]);
    expect([typeof routed.handler, wrong.length]).to.deep.equal(['function', 5]);
  });
});
