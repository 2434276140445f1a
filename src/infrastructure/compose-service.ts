import { availableParallelism } from 'node:os';
import type { Logger } from 'pino';
import { SigningKeys } from '../adapters/http/auth/signing-keys.ts';
import { createHttpApi, type HttpApi } from '../adapters/http/create-http-api.ts';
import type { OpenTelemetry } from '../adapters/opentelemetry/open-telemetry.ts';
import { ServiceMetrics } from '../adapters/prometheus/service-metrics.ts';
import { FairQueue } from '../application/concurrency/fair-queue.ts';
import { pause } from '../application/concurrency/pause.ts';
import { subjectSlots } from '../application/concurrency/subject-slots.ts';
import { type UseCases, useCasesOf } from '../application/use-cases.ts';
import { telemetryOf } from './bindings/telemetry-of.ts';
import { watchedFiles, watchedRenditions, watchPorts } from './bindings/watch-ports.ts';
import { webhookSendersOf } from './bindings/webhook-senders-of.ts';
import { type Closers, type Composition, compose, type Makers } from './compose.ts';
import { STORAGE_CLOSERS, STORAGE_MAKERS } from './compose-storage.ts';
import type { Config } from './config/config.ts';
import { readVersion } from './read-version.ts';
import { PublicAddress } from './start/public-address.ts';
import type { ServiceParts } from './tokens.ts';

const CLOSERS: Closers<ServiceParts> = {
  ...STORAGE_CLOSERS,
  useCases: ({ prerenderUploads }) => prerenderUploads.stop(),
  webhookSenders: (senders) => senders.forEach((sender) => sender.stop()),
};

/** Nothing is opened before it is used. */
export function composeService(
  config: Config,
  log: Logger,
  tracing?: OpenTelemetry,
): Composition<ServiceParts> {
  const { streams } = config.changes;
  const makers: Makers<ServiceParts> = {
    ...STORAGE_MAKERS,
    config: () => config,
    log: () => log,
    metrics: () => new ServiceMetrics({ version: readVersion(), node: process.version }),
    telemetry: (parts) => telemetryOf(parts, tracing),
    signingKeys: ({ clock, metrics }) =>
      new SigningKeys({
        jwksUri: config.idp.jwksUri,
        clock,
        log,
        watchFetch: (fetch) =>
          metrics.countResult('jwks_fetches_total', () =>
            tracing === undefined ? fetch() : tracing.span('fetch signing keys', fetch),
          ),
      }),
    changeSlots: () => new FairQueue(subjectSlots('change_streams', streams, Math.ceil(streams / 2))),
    useCases: requestUseCases,
    addresses: () => ({
      api: new PublicAddress(config.apiUrl, config.listener),
      web: new PublicAddress(config.web.url, config.web.listener),
    }),
    httpApi: httpApiOf,
    webhookSenders: webhookSendersOf,
  };
  const service = compose(makers, CLOSERS);
  watchPorts(service.container, tracing);
  return service;
}

const PAUSE_MS = 20;

function requestUseCases(parts: ServiceParts): UseCases {
  const { metrics, timer, changeUseCases: changes } = parts;
  const { renditions, trashDays } = parts.config;
  return useCasesOf(parts, {
    changes,
    keepsTrash: trashDays > 0,
    // A core stays free for a rendition that no client has requested.
    prerender: {
      renditions: renditions.prerendered,
      maxOtherWork: Math.min(availableParallelism(), renditions.concurrency),
    },
    pause: (stopped) => pause(timer, PAUSE_MS, stopped),
    watchFiles: (files) => watchedFiles(metrics, files),
    watchRenditions: (made) => watchedRenditions(metrics, made),
  });
}

function httpApiOf(parts: ServiceParts): HttpApi {
  const { config: settings, stores, addresses } = parts;
  const { api, web } = addresses;
  const { schemaGuard } = parts.database;
  return createHttpApi({
    apiUrl: () => api.url,
    webUrl: web.exists ? (): string => web.url : undefined,
    useCases: parts.useCases,
    ports: parts,
    settings,
    storeLinks: stores.blobs.links,
    requireUsable: schemaGuard.requireUsable.bind(schemaGuard),
    signingKeys: parts.signingKeys,
    uuids: parts.uuids,
    log: parts.log,
    telemetry: parts.telemetry,
  });
}
