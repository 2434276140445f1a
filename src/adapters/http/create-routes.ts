import Router, { type RouterContext } from '@koa/router';
import type { Context } from 'koa';
import type { DeleteImage } from '../../application/delete-image.ts';
import type { GetImage } from '../../application/get-image.ts';
import { ImageNotFound } from '../../domain/errors.ts';
import { requireScope, type Scopes } from './auth/require-scope.ts';
import { etagOf, matches } from './bytes/conditions.ts';
import { type FileQuerySchema, fileQuery, mediaTypesOf } from './bytes/rendition-query.ts';
import type { ServeFile } from './bytes/serve-file.ts';
import type { ViewImage } from './image-view.ts';
import { requireWritable } from './middleware/require-writable.ts';
import { readNoQuery, readQuery } from './read-query.ts';
import { RequestError } from './request-error.ts';

export interface RoutesOptions {
  readonly upload: (ctx: Context) => Promise<void>;
  readonly getImage: GetImage;
  readonly deleteImage: DeleteImage;
  readonly listImages: (ctx: Context) => Promise<void>;
  readonly lookUpImages: (ctx: Context) => Promise<void>;
  readonly serveFile: ServeFile;
  readonly view: ViewImage;
  /** In pixels. */
  readonly renditionSizes: readonly number[];
  readonly scopes: Scopes;
  readonly readOnly: boolean;
}

const GREETING = 'Image Catalog Service\n';

/** Sections 4, 5 and 10 of the contract. */
export function createRoutes(options: RoutesOptions): Router {
  const { scopes } = options;
  const query = fileQuery(options.renditionSizes);
  const writable = requireWritable(options.readOnly);
  const router = new Router({ strict: true, sensitive: true });
  router.get('/', greet);
  router.post('/api/upload', requireScope(scopes.write), writable, options.upload);
  router.get('/api/images', requireScope(scopes.read), options.listImages);
  router.post('/api/images/lookup', requireScope(scopes.read), options.lookUpImages);
  router.get('/api/image/:id', requireScope(scopes.read), imageHandler(options, query));
  router.get('/api/image/:id/file', requireScope(scopes.read), fileHandler(options, query));
  router.delete('/api/image/:id', requireScope(scopes.delete), writable, deleteHandler(options));
  return router;
}

type Handler = (ctx: RouterContext) => Promise<void>;

function greet(ctx: Context): void {
  readNoQuery(ctx);
  ctx.type = 'text/plain; charset=utf-8';
  ctx.body = GREETING;
}

function imageHandler({ getImage, serveFile, view }: RoutesOptions, schema: FileQuerySchema): Handler {
  return async (ctx) => {
    const id = readId(ctx.params['id']);
    const query = readQuery(ctx, schema);
    ctx.vary('Accept');
    const image = await getImage.execute(id);
    const types = ['application/json', ...mediaTypesOf(image, query)];
    const type = ctx.accepts(...types);
    if (type === false) throw new RequestError('not_acceptable', `Only ${types.join(', ')} can be served`);
    if (type !== 'application/json') return await serveFile(ctx, image, query);
    // The ETag is that of the bytes, which this URL serves as well; clients send it in If-Match. A cache must not store the
    // record with it: Chromium revalidates across Vary by ETag alone and would show the bytes for the record.
    ctx.set({ ETag: etagOf(image), 'Cache-Control': 'no-store' });
    ctx.body = view(image);
  };
}

function fileHandler({ getImage, serveFile }: RoutesOptions, schema: FileQuerySchema): Handler {
  return async (ctx) => {
    const id = readId(ctx.params['id']);
    const query = readQuery(ctx, schema);
    await serveFile(ctx, await getImage.execute(id), query);
  };
}

function deleteHandler({ deleteImage }: RoutesOptions): Handler {
  return async (ctx) => {
    const id = readId(ctx.params['id']);
    readNoQuery(ctx);
    await deleteImage.execute(id, (image) => matches(ctx.get('If-Match'), etagOf(image)));
    ctx.status = 204;
  };
}

/** @throws {RequestError}; {ImageNotFound} if the id is too large for any database */
function readId(text: string | undefined): number {
  if (text === undefined || !/^[1-9]\d*$/.test(text)) {
    throw new RequestError('invalid_request', 'The image id must be a positive integer');
  }
  const id = Number(text);
  if (!Number.isSafeInteger(id)) throw new ImageNotFound();
  return id;
}
