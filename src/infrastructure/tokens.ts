import type { ServiceIdentifier } from 'inversify';
import type { Logger } from 'pino';
import type { DecoderPool } from '../adapters/decoder/decoder-pool.ts';
import type { SigningKeys } from '../adapters/http/auth/signing-keys.ts';
import type { HttpApi } from '../adapters/http/create-http-api.ts';
import type { HttpTelemetry } from '../adapters/http/telemetry/http-telemetry.ts';
import type { ServiceMetrics } from '../adapters/prometheus/service-metrics.ts';
import type { ChangeQuota } from '../adapters/sql/changes/change-quota.ts';
import type { CatalogDatabase } from '../adapters/sql/database/catalog-database.ts';
import type { OpenDatabase } from '../adapters/sql/database/database-location.ts';
import type { ChangeUseCases } from '../application/changes/change-use-cases.ts';
import type { FairQueue } from '../application/concurrency/fair-queue.ts';
import type { QueuedJob } from '../application/concurrency/queue-policy.ts';
import type { ClaimBlobStore } from '../application/maintenance/claim-blob-store.ts';
import type { DirectImportTargets } from '../application/maintenance/import/direct-import-targets.ts';
import type { ReindexCatalog } from '../application/maintenance/reindex-catalog.ts';
import type { RotateLinkKey } from '../application/maintenance/rotate-link-key.ts';
import type { RemoveSpace } from '../application/maintenance/spaces/remove-space.ts';
import type { SweepBlobs } from '../application/maintenance/sweep-blobs.ts';
import type { SweepOrphans } from '../application/maintenance/sweep-orphans.ts';
import type { VerifyCatalog } from '../application/maintenance/verify-catalog.ts';
import type { UseCases } from '../application/use-cases.ts';
import type { SendWebhooks } from '../application/webhooks/send-webhooks.ts';
import type { Calendar } from '../domain/image/time/calendar.ts';
import type { BlobStorage } from '../domain/ports/bytes/blob-store.ts';
import type { RecentCleanForms } from '../domain/ports/bytes/recent-clean-forms.ts';
import type { RenditionCache } from '../domain/ports/bytes/rendition-cache.ts';
import type { StagingArea } from '../domain/ports/bytes/staging-area.ts';
import type { OpenStore } from '../domain/ports/bytes/store-location.ts';
import type { TemporaryFiles } from '../domain/ports/bytes/temporary-files.ts';
import type { ImageInspector } from '../domain/ports/pictures/image-inspector.ts';
import type { RenditionMaker } from '../domain/ports/pictures/rendition-maker.ts';
import type { AddressSeal } from '../domain/ports/process/address-seal.ts';
import type { Clock } from '../domain/ports/process/clock.ts';
import type { ProcessRegistry } from '../domain/ports/process/process-registry.ts';
import type { Timer } from '../domain/ports/process/timer.ts';
import type { UuidGenerator } from '../domain/ports/process/uuid-generator.ts';
import type { CatalogIdentity } from '../domain/ports/records/catalog-identity.ts';
import type { ChangeRecords } from '../domain/ports/records/change-feed.ts';
import type { CopiedTables } from '../domain/ports/records/copied-tables.ts';
import type { CopyCandidates } from '../domain/ports/records/copy-candidates.ts';
import type { KeyRecords } from '../domain/ports/records/idempotency-keys.ts';
import type { MetadataRecords } from '../domain/ports/records/image-metadata-store.ts';
import type { ImageRecords } from '../domain/ports/records/image-repository.ts';
import type { ImageSearch, Timeline } from '../domain/ports/records/image-search.ts';
import type { InSpaces } from '../domain/ports/records/in-spaces.ts';
import type { LinkKeyRecords } from '../domain/ports/records/link-keys.ts';
import type { NameRecords } from '../domain/ports/records/names.ts';
import type { SimilarRecords } from '../domain/ports/records/similar-images.ts';
import type { SpaceRecords } from '../domain/ports/records/space-records.ts';
import type { SweepSlices } from '../domain/ports/records/sweep-slices.ts';
import type { TagIndex } from '../domain/ports/records/tag-index.ts';
import type { TrashRecords } from '../domain/ports/records/trash.ts';
import type { WebhookRecords } from '../domain/ports/records/webhook-endpoints.ts';
import type { Limits } from '../domain/space/space.ts';
import type { Config, StorageConfig } from './config/config.ts';
import type { PublicAddresses } from './start/public-address.ts';

/** The same store twice if blobs and renditions are at one location. */
interface OpenStores {
  readonly blobs: OpenStore;
  readonly cache: OpenStore;
}

function token<T>(name: string): ServiceIdentifier<T> {
  return Symbol(name);
}

/** Identifies what the container makes, with its type. From `config` on only the container of the service has it. */
export const TOKENS = {
  log: token<Logger>('log'),
  storageConfig: token<StorageConfig>('storageConfig'),
  clock: token<Clock>('clock'),
  timer: token<Timer>('timer'),
  uuids: token<UuidGenerator>('uuids'),
  processes: token<ProcessRegistry>('processes'),
  addressSeal: token<AddressSeal>('addressSeal'),

  database: token<OpenDatabase>('database'),
  catalog: token<CatalogDatabase>('catalog'),
  calendar: token<Calendar>('calendar'),
  changeQuota: token<ChangeQuota>('changeQuota'),
  spaceLimits: token<Limits>('spaceLimits'),
  identity: token<CatalogIdentity>('identity'),
  images: token<ImageRecords>('images'),
  spaces: token<SpaceRecords>('spaces'),
  names: token<NameRecords>('names'),
  trash: token<TrashRecords>('trash'),
  keys: token<KeyRecords>('keys'),
  linkKeys: token<LinkKeyRecords>('linkKeys'),
  sweepSlices: token<SweepSlices>('sweepSlices'),
  tables: token<CopiedTables>('tables'),
  changes: token<ChangeRecords>('changes'),
  webhookEndpoints: token<WebhookRecords>('webhookEndpoints'),
  metadata: token<MetadataRecords>('metadata'),
  tags: token<InSpaces<TagIndex>>('tags'),
  search: token<InSpaces<ImageSearch>>('search'),
  similarImages: token<SimilarRecords>('similarImages'),
  copyCandidates: token<InSpaces<CopyCandidates>>('copyCandidates'),
  timeline: token<InSpaces<Timeline>>('timeline'),

  stores: token<OpenStores>('stores'),
  blobs: token<BlobStorage>('blobs'),
  staging: token<StagingArea>('staging'),
  temporaryFiles: token<TemporaryFiles>('temporaryFiles'),
  recentCleanForms: token<RecentCleanForms>('recentCleanForms'),
  renditions: token<RenditionCache>('renditions'),

  decoders: token<DecoderPool>('decoders'),
  /** Yields no pixels of the default rendition, and no metadata. */
  inspector: token<ImageInspector>('inspector'),
  uploadInspector: token<ImageInspector>('uploadInspector'),
  renditionMaker: token<RenditionMaker>('renditionMaker'),

  changeUseCases: token<ChangeUseCases>('changeUseCases'),
  sweepBlobs: token<SweepBlobs>('sweepBlobs'),
  sweepOrphans: token<SweepOrphans>('sweepOrphans'),
  claimBlobStore: token<ClaimBlobStore>('claimBlobStore'),
  reindexCatalog: token<ReindexCatalog>('reindexCatalog'),
  rotateLinkKey: token<RotateLinkKey>('rotateLinkKey'),
  removeSpace: token<RemoveSpace>('removeSpace'),
  verifyCatalog: token<VerifyCatalog>('verifyCatalog'),
  importTargets: token<DirectImportTargets>('importTargets'),

  config: token<Config>('config'),
  metrics: token<ServiceMetrics>('metrics'),
  telemetry: token<HttpTelemetry>('telemetry'),
  signingKeys: token<SigningKeys>('signingKeys'),
  /** Streams of changes, and requests that wait for one. */
  changeSlots: token<FairQueue<QueuedJob>>('changeSlots'),
  useCases: token<UseCases>('useCases'),
  addresses: token<PublicAddresses>('addresses'),
  httpApi: token<HttpApi>('httpApi'),
  /** One for each endpoint. */
  webhookSenders: token<readonly SendWebhooks[]>('webhookSenders'),
};
