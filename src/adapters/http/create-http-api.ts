import type Koa from 'koa';
import type { Logger } from 'pino';
import { FairQueue } from '../../application/concurrency/fair-queue.ts';
import { subjectSlots } from '../../application/concurrency/subject-slots.ts';
import { uploadSlots } from '../../application/upload/upload-slots.ts';
import type { UseCases } from '../../application/use-cases.ts';
import type { UuidGenerator } from '../../domain/ports/process/uuid-generator.ts';
import { authenticate } from './auth/authenticate.ts';
import type { SigningKeys } from './auth/signing-keys.ts';
import { type OffloadTarget, offloadTo } from './bytes/offload-to.ts';
import { serveFile } from './bytes/serve-image-file.ts';
import { EventStream } from './changes/event-stream.ts';
import { createApp } from './create-app.ts';
import { createWebApp } from './create-web-app.ts';
import { imageView } from './image/image-view.ts';
import { cacheTags } from './links/cache-tags.ts';
import { serveLink } from './links/serve-link.ts';
import { serveNamedLink } from './links/serve-named-link.ts';
import { openApiDocument } from './openapi/openapi-document.ts';
import type { HttpSettings } from './route/http-settings.ts';
import type { RouteParts, RoutePorts } from './route/route-parts.ts';
import { type Operations, operationsOf } from './routes.ts';
import { ApiDescription } from './service/api-description.ts';
import { createManagementApp } from './service/create-management-app.ts';
import { SimilarReport } from './similar/similar-report.ts';
import type { HttpTelemetry } from './telemetry/telemetry.ts';
import { takeTicket } from './tickets/take-ticket.ts';
import type { UploadParts } from './upload/receive-upload.ts';
import type { WebFiles } from './web/read-web-files.ts';
import type { WebSettings } from './web/web-settings.ts';

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
  readonly ports: RoutePorts & { readonly images: Dependency; readonly blobs: Dependency };
  readonly settings: HttpSettings;
  readonly offloadTarget: OffloadTarget | undefined;
  /** Throws if a later version has migrated the catalog. */
  readonly requireUsable: () => void;
  readonly signingKeys: SigningKeys;
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
  const { settings, webUrl, offloadTarget } = options;
  const redirects = offloadTarget?.kind === 'bucket';
  const operations = operationsOf({ ...settings, redirects, links: webUrl !== undefined });
  const parts = routePartsOf(options, operations);
  return {
    description: parts.description,
    app: apiOf(options, operations, parts),
    managementApp: managementOf(options, parts),
    webApp: (files) => webOf(options, parts, files),
  };
}

/** An archive takes the memory of a download, so only one subject is bounded. */
const ARCHIVES_OF_ONE_SUBJECT = 2;

function routePartsOf(options: HttpApiOptions, operations: Operations): RouteParts {
  const { apiUrl, webUrl, useCases, ports, settings, offloadTarget } = options;
  const { scopes, timeZone, corsOrigins } = settings;
  const { images, metadata, names, spaces, tags, trash, staging, clock, timer, changeSlots } = ports;
  const view = imageView(settings.renditions.sizes);
  return {
    ...useCases,
    images,
    metadata,
    names,
    spaces,
    tags,
    trash,
    staging,
    clock,
    timer,
    changeSlots,
    settings,
    webUrl,
    view,
    archiveSlots: new FairQueue(subjectSlots('archives', Number.POSITIVE_INFINITY, ARCHIVES_OF_ONE_SUBJECT)),
    description: new ApiDescription(() =>
      openApiDocument(operations, { apiUrl: apiUrl(), scopes, timeZone }),
    ),
    events: new EventStream(useCases.readChanges, useCases.followChanges),
    serveFile: serveFile({
      files: useCases,
      resourcePolicy: corsOrigins === '*' ? 'cross-origin' : 'same-site',
      offload: offloadTo(offloadTarget, useCases.openImageFile),
    }),
    similarReport: new SimilarReport(useCases.findSimilar, view, scopes.read),
    uploads: uploadParts(options),
  };
}

/** One for all listeners: uploads by token and by ticket share the slots. */
function uploadParts({ settings, ports, useCases, telemetry }: HttpApiOptions): UploadParts {
  const { upload, spaceClaim } = settings;
  return {
    acceptedTypes: upload.acceptedTypes,
    timeouts: { timer: ports.timer, stallTimeoutMs: upload.stallTimeoutMs },
    slots: new FairQueue(uploadSlots(upload.concurrency, spaceClaim !== undefined)),
    staging: ports.staging,
    watchReceive: telemetry.watchReceive,
    admitUpload: useCases.admitUpload,
    prerenderUploads: useCases.prerenderUploads,
    observer: telemetry.requests,
  };
}

function apiOf(options: HttpApiOptions, operations: Operations, parts: RouteParts): Koa {
  const { settings, webUrl, signingKeys, ports, telemetry } = options;
  return createApp({
    ...options,
    corsOrigins: settings.corsOrigins,
    webOrigin: () => (webUrl === undefined ? undefined : new URL(webUrl()).origin),
    authenticate: authenticate({
      ...settings.idp,
      recordActor: settings.recordActor,
      signingKeys,
      clock: ports.clock,
      tracer: telemetry.tracer,
    }),
    operations,
    routes: { ...settings, timeouts: parts.uploads.timeouts },
    parts,
  });
}

function webOf(options: HttpApiOptions, { description, uploads }: RouteParts, files: WebFiles): Koa {
  const { settings, apiUrl, webUrl, useCases } = options;
  if (webUrl === undefined) throw new TypeError('There is no web listener');
  const tags = cacheTags(settings.cacheTagHeader);
  return createWebApp({
    ...options,
    files,
    description,
    serveLink: serveLink(useCases.openLink, useCases, tags),
    serveNamedLink: serveNamedLink({ openNamedLink: useCases.openNamedLink, files: useCases, tags }),
    takeTicket: takeTicket({
      ...useCases,
      uploads,
      maxFileBytes: settings.upload.maxBytes,
      readOnly: settings.readOnly,
      recordActor: settings.recordActor,
    }),
    openPage: useCases.openPage,
    sizes: settings.renditions.sizes,
    settings: () => webSettingsOf(settings, { apiUrl: apiUrl(), webUrl: webUrl() }),
  });
}

function webSettingsOf(
  { idp, web, timeZone, upload, readOnly, scopes, trashDays, renditions }: HttpSettings,
  addresses: Pick<WebSettings, 'apiUrl' | 'webUrl'>,
): WebSettings {
  return {
    ...addresses,
    issuer: idp.issuer,
    idpDomain: idp.domain,
    audience: idp.audience,
    clientId: web.clientId,
    scope: web.scope,
    timeZone,
    uploadMaxBytes: upload.maxBytes,
    acceptedTypes: upload.acceptedTypes,
    readOnly,
    scopes,
    trashDays,
    prerendered: renditions.prerendered,
  };
}

function managementOf(
  { settings: { management }, ports, requireUsable, signingKeys, telemetry }: HttpApiOptions,
  { description }: RouteParts,
): Koa {
  return createManagementApp({
    description,
    metrics: telemetry.metrics,
    host: management?.host,
    checks: {
      database: async () => {
        requireUsable();
        await ports.images.ping();
      },
      blobStore: () => ports.blobs.ping(),
      signingKeys: () => requireKeys(signingKeys),
    },
  });
}

async function requireKeys(signingKeys: SigningKeys): Promise<void> {
  await signingKeys.warmUp();
  if (!signingKeys.hasKeys) throw new Error('No signing key could be fetched yet');
}
