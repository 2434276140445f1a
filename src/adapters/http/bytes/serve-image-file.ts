import type { Context } from 'koa';
import type { GetImage } from '../../../application/get-image.ts';
import type { OpenImageFile } from '../../../application/open-image-file.ts';
import type { OpenRendition } from '../../../application/open-rendition.ts';
import { originalFileName } from '../../../domain/image/file-name.ts';
import type { Image } from '../../../domain/image/image.ts';
import { type Rendition, renditionFileName, renditionMediaType } from '../../../domain/image/rendition.ts';
import { subjectOf } from '../auth/claims.ts';
import type { Handler } from '../openapi/operation.ts';
import { whileClientStays } from '../request/while-client-stays.ts';
import { etagOf } from './conditions.ts';
import type { getImageFileOperation } from './file-operation.ts';
import type { Offload } from './offload.ts';
import { type FileQuery, renditionOf } from './rendition-query.ts';
import {
  type OpenedRepresentation,
  type Presentation,
  type Representation,
  serveRepresentation,
} from './serve-representation.ts';
import { sliceBlob } from './slice-blob.ts';

export interface ImageFiles {
  readonly openImageFile: OpenImageFile;
  readonly openRendition: OpenRendition;
}

export interface ServedFile extends Presentation {
  /** `undefined` for the original. */
  readonly rendition: Rendition | undefined;
  readonly files: ImageFiles;
  /** Has a share of the waiting renditions. */
  readonly subject: string;
  /** Sends originals by another server. */
  readonly offload?: Offload | undefined;
}

/** Throws what `serveRepresentation` throws. */
export async function serveImageFile(ctx: Context, image: Image, file: ServedFile): Promise<void> {
  const { rendition } = file;
  const representation =
    rendition === undefined
      ? originalRepresentation(image, file)
      : renditionRepresentation(ctx, image, rendition, file);
  await serveRepresentation(ctx, representation, file);
}

function originalRepresentation(image: Image, { files, offload }: ServedFile): Representation {
  return {
    etag: etagOf(image),
    lastModified: image.createdAt,
    mediaType: image.mediaType,
    fileName: originalFileName(image),
    headers: { 'Repr-Digest': `sha-256=:${Buffer.from(image.sha256, 'hex').toString('base64')}:` },
    // The record has the size, so that a store opens only the range that is sent.
    open: async () => ({
      size: image.size,
      read: (range) => files.openImageFile.execute(image, range),
      tryOffload: async (ctx, range) => (await offload?.tryOffload(ctx, image, range)) ?? false,
    }),
  };
}

function renditionRepresentation(
  ctx: Context,
  image: Image,
  rendition: Rendition,
  { files: { openRendition }, subject }: ServedFile,
): Representation {
  return {
    etag: `"${openRendition.identify(image, rendition)}"`,
    lastModified: image.createdAt,
    mediaType: renditionMediaType(rendition.format),
    fileName: renditionFileName(image, rendition.format),
    open: async (): Promise<OpenedRepresentation> => {
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
