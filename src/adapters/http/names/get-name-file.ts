import * as z from 'zod';
import { fileQuery } from '../bytes/file-query.ts';
import { FILE_ERRORS, fileConditions, fileResponses, redirect } from '../bytes/file-responses.ts';
import { serveCurrentImage } from '../bytes/serve-current-image.ts';
import { serveFile } from '../bytes/serve-file.ts';
import { cacheControl } from '../route/headers.ts';
import { route } from '../route/route.ts';
import { findName } from './find-name.ts';

const contentLocation = z.string().meta({
  description: 'The address of these bytes by the id of the image, where they never change.',
  pattern: '^/api/image/[1-9]\\d*/file',
  examples: ['/api/image/1/file'],
});

const ofName = {
  'Cache-Control': cacheControl('private, no-cache'),
  'Content-Location': contentLocation,
};

const moving = {
  200: {
    ...fileResponses[200],
    headers: fileResponses[200].headers.omit({ 'Last-Modified': true }).extend(ofName),
  },
  206: {
    ...fileResponses[206],
    headers: fileResponses[206].headers.omit({ 'Last-Modified': true }).extend(ofName),
  },
  304: {
    ...fileResponses[304],
    headers: fileResponses[304].headers.omit({ 'Last-Modified': true }).extend(ofName),
  },
} as const;

export const getNameFile = route(
  ({ renditions: { sizes }, redirects }) => ({
    method: 'get',
    path: '/api/names/:name/file',
    access: 'read',
    tag: 'Names',
    summary: 'The bytes of the image that a name points to',
    description:
      'As `GET /api/image/{id}/file` of that image. The name is read at every request, and again just before the headers are sent. There is no `Last-Modified`: a name may move to an older image.',
    query: fileQuery(sizes),
    requestHeaders: fileConditions.omit({ 'If-Modified-Since': true, 'If-Unmodified-Since': true }),
    responses: { ...moving, ...(redirects ? redirect : {}) },
    errors: [...FILE_ERRORS.filter((code) => code !== 'image_not_found'), 'name_not_found'],
  }),
  async ({ ctx, space, name, query }, parts) => {
    await serveCurrentImage(ctx, {
      find: () => findName(parts.names, space, name),
      serve: async ({ image }) => {
        ctx.set('Content-Location', `/api/image/${image.id}/file${ctx.search}`);
        await serveFile(ctx, parts, image, query, 'moving');
      },
    });
    return undefined;
  },
);
