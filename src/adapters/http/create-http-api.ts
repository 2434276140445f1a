import type Koa from 'koa';
import type { Logger } from 'pino';
import type { DeleteImage } from '../../application/delete-image.ts';
import type { GetImage } from '../../application/get-image.ts';
import type { ListImages } from '../../application/list-images.ts';
import type { LookUpImages } from '../../application/look-up-images.ts';
import type { OpenImageFile } from '../../application/open-image-file.ts';
import type { OpenRendition } from '../../application/open-rendition.ts';
import type { PrerenderUploads } from '../../application/prerender-uploads.ts';
import type { UploadImage } from '../../application/upload-image.ts';
import type { UploadImageOnce } from '../../application/upload-image-once.ts';
import type { Clock } from '../../domain/ports/clock.ts';
import type { StagingArea } from '../../domain/ports/staging-area.ts';
import type { UuidGenerator } from '../../domain/ports/uuid-generator.ts';
import { authenticate } from './auth/authenticate.ts';
import type { Scopes } from './auth/require-scope.ts';
import type { SigningKeys } from './auth/signing-keys.ts';
import { type OffloadTarget, offloadTo } from './bytes/offload-to.ts';
import { serveFile } from './bytes/serve-file.ts';
import { type CorsOrigins, createApp } from './create-app.ts';
import { createManagementApp } from './create-management-app.ts';
import { createRoutes } from './create-routes.ts';
import { imageView } from './image-view.ts';
import { listImagesHandler } from './listing/list-images-handler.ts';
import { lookUpHandler } from './listing/look-up-handler.ts';
import { RequestMetrics } from './middleware/request-metrics.ts';
import { receiveFile } from './upload/receive-file.ts';
import { UploadAdmission } from './upload/upload-admission.ts';
import { uploadHandler } from './upload/upload-handler.ts';

export interface HttpUseCases {
  readonly uploadImage: UploadImage;
  readonly uploadImageOnce: UploadImageOnce;
  readonly getImage: GetImage;
  readonly deleteImage: DeleteImage;
  readonly listImages: ListImages;
  readonly lookUpImages: LookUpImages;
  readonly openImageFile: OpenImageFile;
  readonly openRendition: OpenRendition;
  readonly prerenderUploads: PrerenderUploads;
}

export interface HttpSettings {
  readonly idp: { readonly issuer: string; readonly audience: string };
  readonly corsOrigins: CorsOrigins;
  readonly scopes: Scopes;
  readonly readOnly: boolean;
  readonly upload: {
    /** A file of exactly this many bytes passes. */
    readonly maxBytes: number;
    readonly concurrency: number;
    /** In milliseconds. */
    readonly stallTimeoutMs: number;
  };
  readonly renditions: {
    /** In pixels. */
    readonly sizes: readonly number[];
  };
}

/** `ping` rejects if it cannot be used. */
interface Dependency {
  ping(): Promise<void>;
}

export interface HttpApiOptions {
  readonly useCases: HttpUseCases;
  readonly settings: HttpSettings;
  readonly offloadTarget: OffloadTarget | undefined;
  readonly signingKeys: SigningKeys;
  readonly staging: StagingArea;
  readonly database: Dependency;
  readonly blobStore: Dependency;
  readonly clock: Clock;
  readonly uuids: UuidGenerator;
  readonly log: Logger;
}

export interface HttpApi {
  readonly app: Koa;
  readonly managementApp: Koa;
}

export function createHttpApi(options: HttpApiOptions): HttpApi {
  const metrics = new RequestMetrics();
  return { app: apiOf(options, metrics), managementApp: managementOf(options, metrics) };
}

function apiOf(options: HttpApiOptions, metrics: RequestMetrics): Koa {
  const { settings, signingKeys, clock, uuids, log } = options;
  return createApp({
    log,
    uuids,
    corsOrigins: settings.corsOrigins,
    metrics,
    authenticate: authenticate({ ...settings.idp, signingKeys, clock }),
    routes: routesOf(options),
  });
}

function routesOf(options: HttpApiOptions): ReturnType<typeof createRoutes> {
  const { useCases, settings, offloadTarget } = options;
  const { getImage, deleteImage, listImages, lookUpImages, openImageFile, openRendition } = useCases;
  const view = imageView(settings.renditions.sizes);
  return createRoutes({
    upload: uploadOf(options, view),
    getImage,
    deleteImage,
    listImages: listImagesHandler(listImages, view),
    lookUpImages: lookUpHandler(lookUpImages, settings.upload.stallTimeoutMs),
    serveFile: serveFile({
      openImageFile,
      openRendition,
      resourcePolicy: settings.corsOrigins === '*' ? 'cross-origin' : 'same-site',
      offload: offloadTo(offloadTarget, openImageFile),
    }),
    view,
    renditionSizes: settings.renditions.sizes,
    scopes: settings.scopes,
    readOnly: settings.readOnly,
  });
}

function uploadOf(
  { settings: { upload }, staging, useCases }: HttpApiOptions,
  view: ReturnType<typeof imageView>,
): ReturnType<typeof uploadHandler> {
  const { uploadImage, uploadImageOnce, prerenderUploads } = useCases;
  const limits = { maxFileBytes: upload.maxBytes, stallTimeoutMs: upload.stallTimeoutMs };
  return uploadHandler({
    maxFileBytes: upload.maxBytes,
    admission: new UploadAdmission(upload.concurrency),
    receiveFile: receiveFile(staging, limits),
    uploadImage,
    uploadImageOnce,
    prerenderUploads,
    view,
  });
}

function managementOf(
  { database, blobStore, signingKeys }: HttpApiOptions,
  { registry }: RequestMetrics,
): Koa {
  return createManagementApp({
    registry,
    checks: {
      database: () => database.ping(),
      blobStore: () => blobStore.ping(),
      signingKeys: () => requireKeys(signingKeys),
    },
  });
}

async function requireKeys(signingKeys: SigningKeys): Promise<void> {
  await signingKeys.warmUp();
  if (!signingKeys.hasKeys) throw new Error('No signing key could be fetched yet');
}
