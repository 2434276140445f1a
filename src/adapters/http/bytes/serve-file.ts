import type { Context } from 'koa';
import type { CatalogImage } from '../../../domain/image/image.ts';
import { subjectOf } from '../auth/authenticate.ts';
import type { RouteParts } from '../route/route-parts.ts';
import { type FileQuery, renditionOf } from './file-query.ts';
import { serveImageFile } from './serve-image-file.ts';

/**
 * Responds to a caller with a token.
 *
 * @param address whether another request may get another image; by default it may not
 */
export async function serveFile(
  ctx: Context,
  parts: RouteParts,
  image: CatalogImage,
  query: FileQuery,
  address?: 'moving',
): Promise<undefined> {
  const moves = address === 'moving';
  ctx.set({
    'Cross-Origin-Resource-Policy': parts.settings.corsOrigins === '*' ? 'cross-origin' : 'same-site',
    'Cache-Control': moves ? 'private, no-cache' : 'private, max-age=300',
  });
  const disposition = query.download === 'true' ? 'attachment' : 'inline';
  const rendition = renditionOf(ctx, image, query);
  const { tryOffload } = parts;
  await serveImageFile(
    ctx,
    image,
    { rendition, disposition, subject: subjectOf(ctx), tryOffload, moves },
    parts,
  );
  return undefined;
}
