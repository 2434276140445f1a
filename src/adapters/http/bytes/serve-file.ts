import type { Context } from 'koa';
import { RenditionTooLarge } from '../../../domain/errors.ts';
import type { CatalogImage } from '../../../domain/image/image.ts';
import { subjectOf } from '../auth/authenticate.ts';
import { RequestError } from '../errors/request-error.ts';
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
  const file = { rendition, disposition, subject: subjectOf(ctx), tryOffload, moves } as const;
  await serveImageFile(ctx, image, file, parts).catch(explainSize);
  return undefined;
}

/** The parameters of this request are the cause, and not the picture: a link has none that its client could change. */
function explainSize(error: unknown): never {
  if (!(error instanceof RenditionTooLarge)) throw error;
  throw new RequestError(
    'invalid_request',
    `The query parameter format must be another, or the rendition smaller: as ${error.format} it has more than ${error.maxBytes} bytes, the limit of a rendition`,
  );
}
