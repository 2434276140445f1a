import type { Context } from 'koa';
import type { OpenImageFile } from '../../../application/open-image-file.ts';
import type { OpenRendition } from '../../../application/open-rendition.ts';
import { originalFileName } from '../../../domain/image/file-name.ts';
import type { Image } from '../../../domain/image/image.ts';
import { type Rendition, renditionFileName, renditionMediaType } from '../../../domain/image/rendition.ts';
import { subjectOf } from '../auth/claims.ts';
import { whileClientStays } from '../while-client-stays.ts';
import { etagOf } from './conditions.ts';
import type { Offload } from './offload.ts';
import { type FileQuery, renditionOf } from './rendition-query.ts';
import {
  type OpenedRepresentation,
  type Representation,
  serveRepresentation,
} from './serve-representation.ts';
import { sliceBlob } from './slice-blob.ts';

export type ServeFile = (ctx: Context, image: Image, query: FileQuery) => Promise<undefined>;

export interface ServeFileOptions {
  readonly openImageFile: OpenImageFile;
  readonly openRendition: OpenRendition;
  readonly resourcePolicy: 'cross-origin' | 'same-site';
  readonly offload: Offload | undefined;
}

export function serveFile(options: ServeFileOptions): ServeFile {
  return async (ctx, image, query) => {
    ctx.set('Cross-Origin-Resource-Policy', options.resourcePolicy);
    const rendition = renditionOf(ctx, image, query);
    const representation =
      rendition === undefined
        ? originalRepresentation(options, image)
        : renditionRepresentation(ctx, options.openRendition, image, rendition);
    await serveRepresentation(ctx, representation, query.download === 'true' ? 'attachment' : 'inline');
    return undefined;
  };
}

function originalRepresentation({ openImageFile, offload }: ServeFileOptions, image: Image): Representation {
  return {
    etag: etagOf(image),
    lastModified: image.createdAt,
    mediaType: image.mediaType,
    fileName: originalFileName(image),
    headers: { 'Repr-Digest': `sha-256=:${Buffer.from(image.sha256, 'hex').toString('base64')}:` },
    // The record has the size, so that a store opens only the range that is sent.
    open: async () => ({
      size: image.size,
      read: (range) => openImageFile.execute(image, range),
      tryOffload: async (ctx, range) => (await offload?.tryOffload(ctx, image, range)) ?? false,
    }),
  };
}

function renditionRepresentation(
  ctx: Context,
  openRendition: OpenRendition,
  image: Image,
  rendition: Rendition,
): Representation {
  return {
    etag: `"${openRendition.identify(image, rendition)}"`,
    lastModified: image.createdAt,
    mediaType: renditionMediaType(rendition.format),
    fileName: renditionFileName(image, rendition.format),
    open: async (): Promise<OpenedRepresentation> => {
      const subject = subjectOf(ctx.state.auth);
      const { bytes: blob } = await whileClientStays(ctx, (leaving) =>
        openRendition.execute(image, rendition, { leaving, subject, log: ctx.state.log }),
      );
      return {
        size: blob.size,
        read: async (range) => (range === undefined ? blob : sliceBlob(blob, range)),
      };
    },
  };
}
