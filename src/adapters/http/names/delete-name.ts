import * as z from 'zod';
import { authorOf, callerOf } from '../auth/caller-of.ts';
import { ifMatchOfJson } from '../route/headers.ts';
import { route } from '../route/route.ts';
import { nameCondition } from './name-condition.ts';

/** The image stays. */
export const deleteName = route(
  {
    method: 'delete',
    path: '/api/names/:name',
    access: 'write',
    changesCatalog: true,
    tag: 'Names',
    summary: 'Remove a name',
    description:
      'The image stays. A name that is set again keeps its number, and its version continues to rise. A name that was removed longer ago than the feed of changes reaches back, and than 8 days, is forgotten: set again it is a new name with another number, and its versions begin above those that it had.',
    requestHeaders: z.object({ 'If-Match': ifMatchOfJson }),
    responses: { 204: { description: 'The name is gone.' } },
    errors: ['name_not_found', 'precondition_failed', 'overloaded'],
  },
  async ({ ctx, space, name }, { removeName }) => {
    const change = { matches: nameCondition(ctx), ...authorOf(ctx) };
    await removeName.execute(space, name, change, callerOf(ctx));
    return { status: 204 };
  },
);
