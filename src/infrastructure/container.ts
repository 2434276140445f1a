import { availableParallelism } from 'node:os';
import { setTimeout as delay } from 'node:timers/promises';
import type { Container } from 'inversify';
import type { Logger } from 'pino';
import { SigningKeys } from '../adapters/http/auth/signing-keys.ts';
import type { OffloadTarget } from '../adapters/http/bytes/offload-to.ts';
import { createHttpApi, type HttpApi } from '../adapters/http/create-http-api.ts';
import type { OpenTelemetry } from '../adapters/opentelemetry/open-telemetry.ts';
import { ServiceMetrics } from '../adapters/prometheus/service-metrics.ts';
import { AesTicketCipher } from '../adapters/system/aes-ticket-cipher.ts';
import { HmacLinkSigner } from '../adapters/system/hmac-link-signer.ts';
import { SubjectShares } from '../application/concurrency/subject-shares.ts';
import { type UseCases, useCasesOf } from '../application/use-cases.ts';
import type { StoreLinks } from '../domain/ports/bytes/store-links.ts';
import { telemetryOf } from './bindings/telemetry.ts';
import {
  spanned,
  watchedFiles,
  watchedRenditions,
  watchedSweeps,
  watchPorts,
} from './bindings/watch-ports.ts';
import { webhookSendersOf } from './bindings/webhook-senders.ts';
import type { Config } from './config/config.ts';
import { sweepsOf } from './maintenance.ts';
import { PublicAddress } from './start/public-address.ts';
import { createStorageContainer } from './storage-container.ts';
import {
  bindParts,
  type Closers,
  type Makers,
  partsOf,
  SERVICE_TOKENS,
  type ServiceParts,
  TOKENS,
} from './tokens.ts';
import { readVersion } from './version.ts';

const CLOSERS: Closers<typeof SERVICE_TOKENS> = {
  useCases: ({ prerenderUploads }) => prerenderUploads.stop(),
  webhookSenders: ({ senders }) => senders.forEach((sender) => sender.stop()),
};

/** Nothing is opened before it is used; `unbindAllAsync` closes what was opened. */
export function createContainer(config: Config, log: Logger, tracing?: OpenTelemetry): Container {
  const container = createStorageContainer(config, log);
  watchPorts(container, tracing);
  const makers = serviceMakers(config, tracing);
  bindParts(container, SERVICE_TOKENS, makers, CLOSERS, partsOf(container, TOKENS));
  return container;
}

function serviceMakers(
  config: Config,
  tracing: OpenTelemetry | undefined,
): Makers<typeof SERVICE_TOKENS, ServiceParts> {
  const { streams } = config.changes;
  return {
    metrics: () => new ServiceMetrics({ version: readVersion(), node: process.version }),
    telemetry: (parts) => telemetryOf(parts, config, tracing),
    signingKeys: ({ clock, log, metrics }) =>
      new SigningKeys({
        jwksUri: config.idp.jwksUri,
        clock,
        log,
        watchFetch: (fetch) => metrics.signingKeys.count(() => spanned(tracing, 'fetch signing keys', fetch)),
      }),
    changePlaces: () => new SubjectShares(streams, Math.ceil(streams / 2)),
    useCases: (parts) => requestUseCases(parts, config),
    sweeps: (parts) => watchedSweeps(parts.metrics, sweepsOf(parts)),
    addresses: () => ({
      api: new PublicAddress(config.apiUrl, config.listener),
      web: new PublicAddress(config.web.url, config.web.listener),
    }),
    httpApi: (parts) => httpApiOf(parts, config),
    webhookSenders: (parts) => webhookSendersOf(parts, config),
  };
}

const PAUSE_MS = 20;

async function pause(stopped: AbortSignal): Promise<void> {
  await delay(PAUSE_MS, undefined, { signal: stopped, ref: false }).catch(() => undefined);
}

function requestUseCases(parts: ServiceParts, { renditions, trashDays }: Config): UseCases {
  const { metrics, changeUseCases: changes } = parts;
  return useCasesOf(parts, {
    changes,
    linkSigner: new HmacLinkSigner(),
    ticketCipher: new AesTicketCipher(),
    keepsTrash: trashDays > 0,
    // A core stays free for a rendition that no client has requested.
    prerender: {
      renditions: renditions.prerendered,
      maxOtherWork: Math.min(availableParallelism(), renditions.concurrency),
    },
    pause,
    watchFiles: (files) => watchedFiles(metrics, files),
    watchRenditions: (made) => watchedRenditions(metrics, made),
  });
}

function httpApiOf(parts: ServiceParts, settings: Config): HttpApi {
  const { addresses, stores, database, useCases, signingKeys, uuids, log, telemetry } = parts;
  const { api, web } = addresses;
  return createHttpApi({
    apiUrl: () => api.url,
    webUrl: web.exists ? (): string => web.url : undefined,
    useCases,
    ports: parts,
    settings,
    offloadTarget: offloadTarget(settings, stores.blobs.links),
    requireUsable: () => database.schemaGuard.requireUsable(),
    signingKeys,
    uuids,
    log,
    telemetry,
  });
}

function offloadTarget({ delivery }: Config, links: StoreLinks | undefined): OffloadTarget | undefined {
  if (delivery.kind === 'service') return undefined;
  if (delivery.kind === 'nginx') return delivery;
  if (links === undefined) throw new TypeError('The store has no links');
  return { kind: 'bucket', links };
}
