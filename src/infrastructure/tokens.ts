import type { ServiceIdentifier } from 'inversify';
import type { SigningKeys } from '../adapters/http/auth/signing-keys.ts';
import type { HttpApi } from '../adapters/http/create-http-api.ts';
import type { HttpTelemetry } from '../adapters/http/telemetry/http-telemetry.ts';
import type { ServiceMetrics } from '../adapters/prometheus/service-metrics.ts';
import type { FairQueue } from '../application/concurrency/fair-queue.ts';
import type { QueuedJob } from '../application/concurrency/queue-policy.ts';
import type { UseCases } from '../application/use-cases.ts';
import type { SendWebhooks } from '../application/webhooks/send-webhooks.ts';
import type { CatalogStorage } from './catalog-storage.ts';
import type { Config } from './config/config.ts';
import type { PublicAddresses } from './start/public-address.ts';

/** What the container makes for the service. */
export interface ServiceParts extends CatalogStorage {
  readonly config: Config;
  readonly metrics: ServiceMetrics;
  readonly telemetry: HttpTelemetry;
  readonly signingKeys: SigningKeys;
  /** Streams of changes, and requests that wait for one. */
  readonly changeSlots: FairQueue<QueuedJob>;
  readonly useCases: UseCases;
  readonly addresses: PublicAddresses;
  readonly httpApi: HttpApi;
  /** One for each endpoint. */
  readonly webhookSenders: readonly SendWebhooks[];
}

type Tokens = { readonly [Name in keyof ServiceParts]: ServiceIdentifier<ServiceParts[Name]> };

/** The token of a part is the symbol of its name. */
export const TOKENS = new Proxy({} as Tokens, { get: (_, name) => Symbol.for(String(name)) });
