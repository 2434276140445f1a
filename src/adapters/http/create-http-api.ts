import type Koa from 'koa';
import { FairQueue } from '../../application/concurrency/fair-queue.ts';
import { subjectSlots } from '../../application/concurrency/subject-slots.ts';
import type { UseCases } from '../../application/use-cases.ts';
import type { StoreLinks } from '../../domain/ports/bytes/store-links.ts';
import type { AllImages } from '../../domain/ports/records/image-repository.ts';
import type { SigningKeys } from './auth/signing-keys.ts';
import { offloadTo } from './bytes/offload-to.ts';
import { type AppOptions, createApp } from './create-app.ts';
import type { ListenerAppOptions } from './create-listener-app.ts';
import { createManagementApp, type ReadinessCheck } from './create-management-app.ts';
import { createWebApp } from './create-web-app.ts';
import { openApiDocument } from './openapi/openapi-document.ts';
import { compressedWebFile, type WebFile } from './response/web-file.ts';
import type { HttpSettings } from './route/http-settings.ts';
import type { AnyHandler } from './route/route.ts';
import type { RouteParts, RoutePorts } from './route/route-parts.ts';
import { type Operations, operationsOf, ROUTES } from './routes.ts';
import type { WebFiles } from './web/read-web-files.ts';

/** `ping` rejects if it cannot be used. */
interface Dependency {
  readonly ping: ReadinessCheck;
}

export interface HttpApiOptions extends ListenerAppOptions {
  /** The public address of the API, with a slash at its end; known when it listens. */
  readonly apiUrl: () => string;
  /** That of the web listener, `undefined` if this service has none and signs for none. */
  readonly webUrl: (() => string) | undefined;
  readonly useCases: UseCases;
  /** Routes get all of these, so it must contain nothing else. */
  readonly ports: RoutePorts;
  readonly dependencies: {
    readonly images: Pick<AllImages, 'ping'>;
    readonly blobs: Dependency;
    readonly decoders: Dependency;
  };
  readonly settings: HttpSettings;
  /** Of the store, if clients can read it. */
  readonly storeLinks: StoreLinks | undefined;
  readonly signingKeys: SigningKeys;
}

export interface HttpApi {
  readonly app: Koa;
  readonly managementApp: Koa;
  /** For the web listener. */
  readonly webApp: (files: WebFiles) => Koa;
}

export function createHttpApi(options: HttpApiOptions): HttpApi {
  const { apiUrl, webUrl, settings, telemetry } = options;
  const redirects = settings.delivery.kind === 'bucket';
  const operations = operationsOf({ ...settings, redirects, links: webUrl !== undefined });
  const parts = routePartsOf(options, operations);
  const { description } = parts;
  return {
    app: createApp({ ...options, routes: routesOf(operations), parts }),
    managementApp: createManagementApp({
      description,
      metrics: telemetry.metrics,
      host: settings.management?.host,
      checks: checksOf(options),
    }),
    webApp: (files) => {
      if (webUrl === undefined) throw new TypeError('There is no web listener');
      return createWebApp({ ...options, apiUrl, webUrl, files, parts });
    },
  };
}

function routesOf(operations: Operations): AppOptions['routes'] {
  return Object.entries(operations).map(([id, operation]) => ({
    operation,
    // The key relates both types, which the compiler cannot follow.
    handler: ROUTES[id as keyof Operations].handler as AnyHandler,
  }));
}

/** An archive takes the memory of a download, so only one subject is bounded. */
const ARCHIVES_OF_ONE_SUBJECT = 2;

function routePartsOf(options: HttpApiOptions, operations: Operations): RouteParts {
  const { webUrl, useCases, ports, settings, telemetry } = options;
  return {
    ...useCases,
    ...ports,
    settings,
    webUrl,
    telemetry,
    archiveSlots: new FairQueue(subjectSlots('archives', Number.POSITIVE_INFINITY, ARCHIVES_OF_ONE_SUBJECT)),
    description: descriptionOf(options, operations),
    tryOffload: offloadTo(settings.delivery, options.storeLinks, useCases.openImageFile),
  };
}

/** Made when it is first read, so that a start costs no more. */
function descriptionOf(
  { apiUrl, settings }: HttpApiOptions,
  operations: Operations,
): RouteParts['description'] {
  let file: Promise<WebFile> | undefined;
  const make = async (): Promise<WebFile> => {
    const document = openApiDocument(operations, { ...settings, apiUrl: apiUrl() });
    return await compressedWebFile('application/json; charset=utf-8', Buffer.from(JSON.stringify(document)));
  };
  return async () => await (file ??= make());
}

function checksOf({
  dependencies,
  settings,
  requireUsable,
  signingKeys,
}: HttpApiOptions): Record<string, ReadinessCheck> {
  return {
    database: async () => {
      requireUsable();
      await dependencies.images.ping({ forChanges: !settings.readOnly });
    },
    blobStore: () => dependencies.blobs.ping(),
    decoder: () => dependencies.decoders.ping(),
    signingKeys: async () => {
      await signingKeys.warmUp();
      if (!signingKeys.hasKeys) throw new Error('No signing key could be fetched yet');
    },
  };
}
