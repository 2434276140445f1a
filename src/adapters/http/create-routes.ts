import Router from '@koa/router';
import type { Context } from 'koa';
import type { DeleteImage } from '../../application/delete-image.ts';
import type { GetImage } from '../../application/get-image.ts';
import { ImageNotFound } from '../../domain/errors.ts';
import { requireScope, type Scopes } from './auth/require-scope.ts';
import { etagOf, matches } from './bytes/conditions.ts';
import { fileQuery, mediaTypesOf } from './bytes/rendition-query.ts';
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
  readonly serveFile: ServeFile;
  readonly view: ViewImage;
  /** Allowed sides of renditions in pixels. */
  readonly renditionSizes: readonly number[];
  readonly scopes: Scopes;
  /** Whether uploads and deletes are refused. */
  readonly readOnly: boolean;
}

const GREETING = 'Image Catalog Service\n';

/** Every route of the API: section 4 and 5 of the contract on one screen. */
export function createRoutes(options: RoutesOptions): Router {
  const { getImage, deleteImage, view, scopes } = options;
  const bytesQuery = fileQuery(options.renditionSizes);
  const writable = requireWritable(options.readOnly);
  const router = new Router({ strict: true, sensitive: true });

  router.get('/', (ctx) => {
    readNoQuery(ctx);
    ctx.type = 'text/plain; charset=utf-8';
    ctx.body = GREETING;
  });

  router.post('/api/upload', requireScope(scopes.write), writable, options.upload);

  router.get('/api/images', requireScope(scopes.read), options.listImages);

  router.get('/api/image/:id', requireScope(scopes.read), async (ctx) => {
    const id = readId(ctx.params.id);
    const query = readQuery(ctx, bytesQuery);
    ctx.vary('Accept');
    const image = await getImage.execute(id);
    const types = ['application/json', ...mediaTypesOf(image, query)];
    const type = ctx.accepts(...types);
    if (type === false) throw new RequestError('not_acceptable', `Only ${types.join(', ')} can be served`);
    if (type !== 'application/json') return await options.serveFile(ctx, image, query);
    ctx.set('ETag', etagOf(image));
    // The tag is that of the bytes (for If-Match), which this URL serves, too. A cache must neither keep the record
    // under it nor be told 304 here: Chromium revalidates across Vary by tag alone and would show one for the other.
    ctx.set('Cache-Control', 'no-store');
    ctx.body = view(image);
  });

  router.get('/api/image/:id/file', requireScope(scopes.read), async (ctx) => {
    const id = readId(ctx.params.id);
    const query = readQuery(ctx, bytesQuery);
    await options.serveFile(ctx, await getImage.execute(id), query);
  });

  router.delete('/api/image/:id', requireScope(scopes.delete), writable, async (ctx) => {
    const id = readId(ctx.params.id);
    readNoQuery(ctx);
    await deleteImage.execute(id, (image) => matches(ctx.get('If-Match'), etagOf(image)));
    ctx.status = 204;
  });

  return router;
}

/** @throws {RequestError} where it is no positive integer; {ImageNotFound} where no database has one that large */
function readId(text: string | undefined): number {
  if (text === undefined || !/^[1-9]\d*$/.test(text)) {
    throw new RequestError('invalid_request', 'The image id must be a positive integer');
  }
  const id = Number(text);
  if (!Number.isSafeInteger(id)) throw new ImageNotFound();
  return id;
}
