import type { Context } from 'koa';
import type { GetImage } from '../../../application/get-image.ts';
import type { Image } from '../../../domain/image/image.ts';
import { subjectOf } from '../auth/claims.ts';
import type { Handler } from '../openapi/operation.ts';
import type { getImageFileOperation } from './file-operation.ts';
import type { Offload } from './offload.ts';
import { type FileQuery, renditionOf } from './rendition-query.ts';
import { type ImageFiles, serveImageFile } from './serve-image-file.ts';

export type ServeFile = (ctx: Context, image: Image, query: FileQuery) => Promise<undefined>;

export interface ServeFileOptions {
  readonly files: ImageFiles;
  readonly resourcePolicy: 'cross-origin' | 'same-site';
  readonly offload: Offload | undefined;
}

export function serveFile({ files, resourcePolicy, offload }: ServeFileOptions): ServeFile {
  return async (ctx, image, query) => {
    ctx.set('Cross-Origin-Resource-Policy', resourcePolicy);
    await serveImageFile(ctx, image, {
      rendition: renditionOf(ctx, image, query),
      files,
      offload,
      subject: subjectOf(ctx.state.auth),
      cacheControl: 'private, max-age=300',
      disposition: query.download === 'true' ? 'attachment' : 'inline',
    });
    return undefined;
  };
}

export function imageFileHandler(
  getImage: GetImage,
  serveFile: ServeFile,
): Handler<ReturnType<typeof getImageFileOperation>> {
  return async ({ ctx, id, query }) => await serveFile(ctx, await getImage.execute(id), query);
}
