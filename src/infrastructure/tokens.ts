import type { ServiceIdentifier } from 'inversify';
import type { Logger } from 'pino';
import type { DecoderPool } from '../adapters/decoder/decoder-pool.ts';
import type { SigningKeys } from '../adapters/http/auth/signing-keys.ts';
import type { HttpApi } from '../adapters/http/create-http-api.ts';
import type { HttpTelemetry } from '../adapters/http/telemetry/telemetry.ts';
import type { ServiceMetrics } from '../adapters/prometheus/service-metrics.ts';
import type { OpenDatabase } from '../adapters/sql/database/database-location.ts';
import type { ChangePorts, ChangeUseCases } from '../application/changes/change-use-cases.ts';
import type { FairQueue } from '../application/concurrency/fair-queue.ts';
import type { QueuedJob } from '../application/concurrency/queue-policy.ts';
import type { UseCasePorts, UseCases } from '../application/use-cases.ts';
import type { BlobStorage } from '../domain/ports/bytes/blob-store.ts';
import type { StagingArea } from '../domain/ports/bytes/staging-area.ts';
import type { ImageInspector } from '../domain/ports/pictures/image-inspector.ts';
import type { ProcessRegistry } from '../domain/ports/process/process-registry.ts';
import type { InSpaces } from '../domain/ports/records/in-spaces.ts';
import type { SweepSlices } from '../domain/ports/records/sweep-slices.ts';
import type { TagIndex } from '../domain/ports/records/tag-index.ts';
import type { Config, StorageConfig } from './config/config.ts';
import type { Sweeps } from './maintenance.ts';
import type { OpenStores } from './open-stores.ts';
import type { PublicAddresses } from './start/public-address.ts';
import type { WebhookSenders } from './start/start-webhooks.ts';

/** What the container makes, for commands as well. */
export interface StorageParts extends UseCasePorts, ChangePorts {
  readonly config: StorageConfig;
  readonly log: Logger;
  readonly database: OpenDatabase;
  readonly processes: ProcessRegistry;
  readonly tags: InSpaces<TagIndex>;
  readonly sweepSlices: SweepSlices;
  readonly changeUseCases: ChangeUseCases;
  readonly stores: OpenStores;
  readonly blobs: BlobStorage;
  readonly staging: StagingArea;
  readonly decoders: DecoderPool;
  /** Yields no pixels of the default rendition, and no metadata. */
  readonly inspector: ImageInspector;
}

/** What it makes for the service. */
export interface ServiceParts extends StorageParts {
  readonly config: Config;
  readonly metrics: ServiceMetrics;
  readonly telemetry: HttpTelemetry;
  readonly signingKeys: SigningKeys;
  /** Streams of changes, and requests that wait for one. */
  readonly changeSlots: FairQueue<QueuedJob>;
  readonly useCases: UseCases;
  readonly sweeps: Sweeps;
  readonly addresses: PublicAddresses;
  readonly httpApi: HttpApi;
  readonly webhookSenders: WebhookSenders;
}

type Tokens = { readonly [Name in keyof ServiceParts]: ServiceIdentifier<ServiceParts[Name]> };

/** The token of a part is the symbol of its name. */
export const TOKENS = new Proxy({} as Tokens, { get: (_, name) => Symbol.for(String(name)) });
