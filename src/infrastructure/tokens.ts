import type { ServiceIdentifier } from 'inversify';
import type { Logger } from 'pino';
import type { HttpApi } from '../adapters/http/create-http-api.ts';
import type { HttpTelemetry } from '../adapters/http/telemetry.ts';
import type { ServiceMetrics } from '../adapters/prometheus/service-metrics.ts';
import type { OpenDatabase } from '../adapters/sql/database/database-location.ts';
import type { SubjectShares } from '../application/concurrency/subject-shares.ts';
import type { Searches } from '../application/find/search-shares.ts';
import type { Calendar } from '../domain/image/time/calendar.ts';
import type { BlobStorage } from '../domain/ports/bytes/blob-store.ts';
import type { RenditionCache } from '../domain/ports/bytes/rendition-cache.ts';
import type { StagingArea } from '../domain/ports/bytes/staging-area.ts';
import type { OpenStore } from '../domain/ports/bytes/store-location.ts';
import type { ImageInspector } from '../domain/ports/pictures/image-inspector.ts';
import type { RenditionMaker } from '../domain/ports/pictures/rendition-maker.ts';
import type { Clock } from '../domain/ports/process/clock.ts';
import type { CursorSeal } from '../domain/ports/process/cursor-seal.ts';
import type { LinkSigner } from '../domain/ports/process/link-signer.ts';
import type { ProcessRegistry } from '../domain/ports/process/process-registry.ts';
import type { TicketCipher } from '../domain/ports/process/ticket-cipher.ts';
import type { Timer } from '../domain/ports/process/timer.ts';
import type { UuidGenerator } from '../domain/ports/process/uuid-generator.ts';
import type { CatalogIdentity } from '../domain/ports/records/catalog-identity.ts';
import type { ChangeRecords } from '../domain/ports/records/change-feed.ts';
import type { KeyRecords } from '../domain/ports/records/idempotency-keys.ts';
import type { MetadataRecords } from '../domain/ports/records/image-metadata-store.ts';
import type { ImageRecords } from '../domain/ports/records/image-repository.ts';
import type { ImageSearch, Timeline } from '../domain/ports/records/image-search.ts';
import type { InSpaces } from '../domain/ports/records/in-spaces.ts';
import type { LinkKeyRecords } from '../domain/ports/records/link-keys.ts';
import type { NameRecords } from '../domain/ports/records/names.ts';
import type { SimilarRecords } from '../domain/ports/records/similar-images.ts';
import type { SpaceRecords } from '../domain/ports/records/spaces.ts';
import type { SweepSlices } from '../domain/ports/records/sweep-slices.ts';
import type { TagIndex } from '../domain/ports/records/tag-index.ts';
import type { TrashRecords } from '../domain/ports/records/trash.ts';
import type { WebhookRecords } from '../domain/ports/records/webhook-endpoints.ts';
import type { Config, StorageConfig } from './config/config.ts';
import type { PublicAddress } from './start/public-address.ts';
import type { WebhookSenders } from './start/start-webhooks.ts';

/** A factory with the wrong ids does not compile. */
export const TOKENS = {
  storageConfig: Symbol.for('StorageConfig') as ServiceIdentifier<StorageConfig>,
  config: Symbol.for('Config') as ServiceIdentifier<Config>,
  log: Symbol.for('Logger') as ServiceIdentifier<Logger>,
  database: Symbol.for('OpenDatabase') as ServiceIdentifier<OpenDatabase>,
  blobStore: Symbol.for('BlobStore') as ServiceIdentifier<OpenStore>,
  cacheStore: Symbol.for('CacheStore') as ServiceIdentifier<OpenStore>,
  clock: Symbol.for('Clock') as ServiceIdentifier<Clock>,
  searches: Symbol.for('Searches') as ServiceIdentifier<Searches>,
  timer: Symbol.for('Timer') as ServiceIdentifier<Timer>,
  uuids: Symbol.for('UuidGenerator') as ServiceIdentifier<UuidGenerator>,
  processes: Symbol.for('ProcessRegistry') as ServiceIdentifier<ProcessRegistry>,
  identity: Symbol.for('CatalogIdentity') as ServiceIdentifier<CatalogIdentity>,
  images: Symbol.for('ImageRepository') as ServiceIdentifier<ImageRecords>,
  trash: Symbol.for('Trash') as ServiceIdentifier<TrashRecords>,
  spaces: Symbol.for('Spaces') as ServiceIdentifier<SpaceRecords>,
  names: Symbol.for('Names') as ServiceIdentifier<NameRecords>,
  calendar: Symbol.for('Calendar') as ServiceIdentifier<Calendar>,
  metadata: Symbol.for('ImageMetadataStore') as ServiceIdentifier<MetadataRecords>,
  tags: Symbol.for('TagIndex') as ServiceIdentifier<InSpaces<TagIndex>>,
  search: Symbol.for('ImageSearch') as ServiceIdentifier<InSpaces<ImageSearch>>,
  similarImages: Symbol.for('SimilarImages') as ServiceIdentifier<SimilarRecords>,
  timeline: Symbol.for('Timeline') as ServiceIdentifier<InSpaces<Timeline>>,
  keys: Symbol.for('IdempotencyKeys') as ServiceIdentifier<KeyRecords>,
  linkKeys: Symbol.for('LinkKeys') as ServiceIdentifier<LinkKeyRecords>,
  sweepSlices: Symbol.for('SweepSlices') as ServiceIdentifier<SweepSlices>,
  changes: Symbol.for('ChangeFeed') as ServiceIdentifier<ChangeRecords>,
  /** Streams of changes, and requests that wait for one. */
  changePlaces: Symbol.for('ChangePlaces') as ServiceIdentifier<SubjectShares>,
  webhookEndpoints: Symbol.for('WebhookEndpoints') as ServiceIdentifier<WebhookRecords>,
  webhookSenders: Symbol.for('WebhookSenders') as ServiceIdentifier<WebhookSenders>,
  cursorSeal: Symbol.for('CursorSeal') as ServiceIdentifier<CursorSeal>,
  linkSigner: Symbol.for('LinkSigner') as ServiceIdentifier<LinkSigner>,
  ticketCipher: Symbol.for('TicketCipher') as ServiceIdentifier<TicketCipher>,
  blobs: Symbol.for('BlobStorage') as ServiceIdentifier<BlobStorage>,
  staging: Symbol.for('StagingArea') as ServiceIdentifier<StagingArea>,
  inspector: Symbol.for('ImageInspector') as ServiceIdentifier<ImageInspector>,
  /** Yields the pixels of the default rendition as well. */
  uploadInspector: Symbol.for('UploadInspector') as ServiceIdentifier<ImageInspector>,
  renditionMaker: Symbol.for('RenditionMaker') as ServiceIdentifier<RenditionMaker>,
  renditions: Symbol.for('RenditionCache') as ServiceIdentifier<RenditionCache>,
  apiAddress: Symbol.for('ApiAddress') as ServiceIdentifier<PublicAddress>,
  webAddress: Symbol.for('WebAddress') as ServiceIdentifier<PublicAddress>,
  metrics: Symbol.for('ServiceMetrics') as ServiceIdentifier<ServiceMetrics>,
  telemetry: Symbol.for('HttpTelemetry') as ServiceIdentifier<HttpTelemetry>,
  httpApi: Symbol.for('HttpApi') as ServiceIdentifier<HttpApi>,
} as const;
