import * as z from 'zod';
import { isJsonNotModified } from '../request/validators.ts';
import { ifNoneMatch } from '../route/headers.ts';
import { route } from '../route/route.ts';
import { findName } from './find-name.ts';
import { nameResponse, nameValidators, validatorsOf } from './name-response.ts';
import { nameView } from './name-view.ts';

export const getName = route(
  {
    method: 'get',
    path: '/api/names/:name',
    access: 'read',
    tag: 'Names',
    summary: 'Where a name points to',
    description: 'Read from the database at every request.',
    requestHeaders: z.object({ 'If-None-Match': ifNoneMatch }),
    responses: {
      200: nameResponse,
      304: {
        description: 'The client has this version already.',
        cache: 'private, no-cache, no-transform',
        headers: nameValidators,
      },
    },
    errors: ['name_not_found'],
  },
  async ({ ctx, space, name }, parts) => {
    const named = await findName(parts.names, space, name);
    const headers = validatorsOf(named);
    if (isJsonNotModified(ctx, headers.ETag)) return { status: 304, headers };
    return { status: 200, headers, body: nameView(named, parts) };
  },
);
