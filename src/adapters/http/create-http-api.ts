import type Router from '@koa/router';
import type Koa from 'koa';
import { SubjectShares } from '../../application/concurrency/subject-shares.ts';
import { authenticate } from './auth/authenticate.ts';
import type { SigningKeys } from './auth/signing-keys.ts';
import { createApp } from './create-app.ts';
import { createRoutes } from './create-routes.ts';
import { handlersOf } from './handlers.ts';
import type { HttpApiOptions, HttpSettings } from './http-options.ts';
import { cacheTags } from './links/cache-tags.ts';
import { serveLink } from './links/serve-link.ts';
import { serveNamedLink } from './links/serve-named-link.ts';
import { openApiDocument } from './openapi/openapi-document.ts';
import { type OperationSettings, type Operations, operationsOf } from './operations.ts';
import { ApiDescription } from './service/api-description.ts';
import { createManagementApp } from './service/create-management-app.ts';
import { takeTicket } from './tickets/take-ticket.ts';
import type { UploadParts } from './upload/upload-handler.ts';
import { createWebApp } from './web/create-web-app.ts';
import type { WebFiles } from './web/read-web-files.ts';
import type { WebSettings } from './web/web-settings.ts';

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
  const uploads = uploadParts(options);
  const handlers = handlersOf(options, { description, uploads });
  const { scopes, spaceClaim, readOnly } = options.settings;
  const routes = createRoutes(operations, handlers, {
    scopes,
    spaceClaim,
    readOnly,
    timeouts: uploads.timeouts,
  });
  return {
    description,
    app: apiOf(options, routes),
    managementApp: managementOf(options, description),
    webApp: (files) => webOf(options, { description, uploads, files }),
  };
}

/** One for all listeners: uploads by token and by ticket share the places. */
function uploadParts({ settings, staging, timer, useCases, telemetry }: HttpApiOptions): UploadParts {
  const { upload, spaceClaim } = settings;
  return {
    acceptedTypes: upload.acceptedTypes,
    timeouts: { timer, stallTimeoutMs: upload.stallTimeoutMs },
    places: new SubjectShares(upload.concurrency),
    sharesBySpace: spaceClaim !== undefined,
    staging,
    watchReceive: telemetry.watchReceive,
    admitUpload: useCases.admitUpload,
    prerenderUploads: useCases.prerenderUploads,
    observer: telemetry.requests,
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
  const { settings, webUrl, signingKeys, clock, uuids, log, telemetry, requireUsable } = options;
  return createApp({
    log,
    uuids,
    corsOrigins: settings.corsOrigins,
    webOrigin: () => (webUrl === undefined ? undefined : new URL(webUrl()).origin),
    telemetry,
    requireUsable,
    authenticate: authenticate({
      ...settings.idp,
      recordActor: settings.recordActor,
      signingKeys,
      clock,
      tracer: telemetry.tracer,
    }),
    routes,
  });
}

interface WebParts {
  readonly description: ApiDescription;
  readonly uploads: UploadParts;
  readonly files: WebFiles;
}

function webOf(
  { settings, apiUrl, webUrl, useCases, uuids, log, telemetry, requireUsable }: HttpApiOptions,
  { description, uploads, files }: WebParts,
): Koa {
  if (webUrl === undefined) throw new TypeError('There is no web listener');
  const tags = cacheTags(settings.cacheTagHeader);
  return createWebApp({
    log,
    uuids,
    telemetry,
    requireUsable,
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
  { settings: { management }, database, requireUsable, blobStore, signingKeys, telemetry }: HttpApiOptions,
  description: ApiDescription,
): Koa {
  return createManagementApp({
    description,
    metrics: telemetry.metrics,
    host: management?.host,
    checks: {
      database: async () => {
        requireUsable();
        await database.ping();
      },
      blobStore: () => blobStore.ping(),
      signingKeys: () => requireKeys(signingKeys),
    },
  });
}

async function requireKeys(signingKeys: SigningKeys): Promise<void> {
  await signingKeys.warmUp();
  if (!signingKeys.hasKeys) throw new Error('No signing key could be fetched yet');
}
