import type Router from '@koa/router';
import type Koa from 'koa';
import type { Logger } from 'pino';
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
import { greet } from './greet.ts';
import { deleteHandler, imageFileHandler, imageHandler } from './image-handlers.ts';
import { imageView } from './image-view.ts';
import { makeLinksHandler } from './links/make-links-handler.ts';
import { serveLink } from './links/serve-link.ts';
import { listImagesHandler } from './listing/list-images-handler.ts';
import { lookUpHandler } from './listing/look-up-handler.ts';
import { timelineHandler } from './listing/timeline-handler.ts';
import {
  getMetadataHandler,
  listTagsHandler,
  patchMetadataHandler,
  tagImagesHandler,
} from './metadata/metadata-handlers.ts';
import { ApiDescription, describeHandler } from './openapi/api-description.ts';
import { openApiDocument } from './openapi/openapi-document.ts';
import {
  type Handlers,
  type OperationSettings,
  type Operations,
  operationsOf,
} from './openapi/operations.ts';
import { similarHandler } from './similar/similar-handler.ts';
import { SimilarReport } from './similar/similar-report.ts';
import type { HttpTelemetry } from './telemetry.ts';
import { observedUpload } from './upload/observed-upload.ts';
import { receiveFile } from './upload/receive-file.ts';
import { UploadAdmission } from './upload/upload-admission.ts';
import { uploadHandler } from './upload/upload-handler.ts';
import type { UseCases } from './use-cases.ts';
import { createWebApp } from './web/create-web-app.ts';
import type { WebFiles } from './web/read-web-files.ts';

export interface HttpSettings {
  readonly idp: { readonly domain: string; readonly issuer: string; readonly audience: string };
  /** The gallery at the identity provider. */
  readonly web: { readonly clientId: string | undefined; readonly scope: string };
  readonly corsOrigins: CorsOrigins;
  readonly scopes: Scopes;
  /** IANA name: in which the catalog counts days and months. */
  readonly timeZone: string;
  readonly readOnly: boolean;
  /** `undefined` if there is no management listener. */
  readonly management: { readonly host: string } | undefined;
  readonly upload: {
    /** A file of exactly this many bytes passes. */
    readonly maxBytes: number;
    /** Of a picture. */
    readonly maxPixels: number;
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
  /** The public address of the API, with a slash at its end; known when it listens. */
  readonly apiUrl: () => string;
  /** That of the web listener, `undefined` if this service has none and signs for none. */
  readonly webUrl: (() => string) | undefined;
  readonly useCases: UseCases;
  readonly settings: HttpSettings;
  readonly offloadTarget: OffloadTarget | undefined;
  readonly signingKeys: SigningKeys;
  readonly staging: StagingArea;
  readonly database: Dependency;
  readonly blobStore: Dependency;
  readonly clock: Clock;
  readonly uuids: UuidGenerator;
  readonly log: Logger;
  readonly telemetry: HttpTelemetry;
}

export interface HttpApi {
  /** For listeners without tokens. */
  readonly description: ApiDescription;
  readonly app: Koa;
  readonly managementApp: Koa;
  /** For the web listener. */
  readonly webApp: (files: WebFiles) => Koa;
}

export function createHttpApi(options: HttpApiOptions): HttpApi {
  const operations = operationsOf(operationSettings(options));
  const description = descriptionOf(operations, options);
  const handlers = handlersOf(options, description);
  const { scopes, readOnly, upload } = options.settings;
  const routes = createRoutes(operations, handlers, {
    scopes,
    readOnly,
    stallTimeoutMs: upload.stallTimeoutMs,
  });
  return {
    description,
    app: apiOf(options, routes),
    managementApp: managementOf(options, description),
    webApp: (files) => webOf(options, description, files),
  };
}

function operationSettings({ settings, webUrl, offloadTarget }: HttpApiOptions): OperationSettings {
  const { upload, renditions } = settings;
  return { upload, renditions, redirects: offloadTarget?.kind === 'bucket', links: webUrl !== undefined };
}

function descriptionOf(operations: Operations, { apiUrl, settings }: HttpApiOptions): ApiDescription {
  const { scopes, timeZone } = settings;
  return new ApiDescription(() => openApiDocument(operations, { apiUrl: apiUrl(), scopes, timeZone }));
}

function apiOf(options: HttpApiOptions, routes: Router): Koa {
  const { settings, webUrl, signingKeys, clock, uuids, log, telemetry } = options;
  return createApp({
    log,
    uuids,
    corsOrigins: settings.corsOrigins,
    webOrigin: () => (webUrl === undefined ? undefined : new URL(webUrl()).origin),
    telemetry,
    authenticate: authenticate({ ...settings.idp, signingKeys, clock, tracer: telemetry.tracer }),
    routes,
  });
}

function webOf(
  { settings: { idp, web }, apiUrl, webUrl, useCases, uuids, log, telemetry }: HttpApiOptions,
  description: ApiDescription,
  files: WebFiles,
): Koa {
  if (webUrl === undefined) throw new TypeError('There is no web listener');
  return createWebApp({
    log,
    uuids,
    telemetry,
    files,
    description,
    serveLink: serveLink(useCases.openLink, useCases),
    settings: () => ({
      apiUrl: apiUrl(),
      webUrl: webUrl(),
      issuer: idp.issuer,
      idpDomain: idp.domain,
      audience: idp.audience,
      ...web,
    }),
  });
}

function handlersOf(options: HttpApiOptions, description: ApiDescription): Handlers {
  const { useCases, settings, offloadTarget } = options;
  const { getImage, deleteImage, listImages, lookUpImages, openImageFile } = useCases;
  const view = imageView(settings.renditions.sizes);
  const file = serveFile({
    files: useCases,
    resourcePolicy: settings.corsOrigins === '*' ? 'cross-origin' : 'same-site',
    offload: offloadTo(offloadTarget, openImageFile),
  });
  return {
    greet,
    describeApi: describeHandler(description),
    uploadImage: uploadOf(options, view),
    listImages: listImagesHandler(listImages, view),
    timeline: timelineHandler(useCases.countPeriods),
    lookUpImages: lookUpHandler(lookUpImages),
    makeLinks: makeLinksHandler(useCases.makeLinks, options.webUrl),
    getImage: imageHandler(getImage, file, view),
    getImageFile: imageFileHandler(getImage, file),
    deleteImage: deleteHandler(deleteImage),
    getMetadata: getMetadataHandler(useCases.getMetadata),
    patchMetadata: patchMetadataHandler(useCases.editMetadata, settings.scopes.read),
    tagImages: tagImagesHandler(useCases.tagImages),
    listTags: listTagsHandler(useCases.listTags),
    findSimilar: similarHandler(useCases.findSimilar, view),
  };
}

function uploadOf(
  { settings: { upload, scopes }, staging, useCases, telemetry }: HttpApiOptions,
  view: ReturnType<typeof imageView>,
): ReturnType<typeof uploadHandler> {
  const { uploadImage, uploadImageOnce, prerenderUploads } = useCases;
  const limits = { maxFileBytes: upload.maxBytes, stallTimeoutMs: upload.stallTimeoutMs };
  const handle = uploadHandler({
    maxFileBytes: upload.maxBytes,
    admission: new UploadAdmission(upload.concurrency),
    receiveFile: receiveFile(staging, limits, telemetry.watchReceive),
    uploadImage,
    uploadImageOnce,
    prerenderUploads,
    view,
    similarReport: new SimilarReport(useCases.findSimilar, view, scopes.read),
  });
  return observedUpload(handle, telemetry.requests);
}

function managementOf(
  { settings: { management }, database, blobStore, signingKeys, telemetry }: HttpApiOptions,
  description: ApiDescription,
): Koa {
  return createManagementApp({
    description,
    metrics: telemetry.metrics,
    host: management?.host,
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
