import type { Container, ServiceIdentifier } from 'inversify';
import type { Logger } from 'pino';
import type { DecoderPool } from '../adapters/decoder/decoder-pool.ts';
import type { SigningKeys } from '../adapters/http/auth/signing-keys.ts';
import type { HttpApi } from '../adapters/http/create-http-api.ts';
import type { HttpTelemetry } from '../adapters/http/telemetry.ts';
import type { ServiceMetrics } from '../adapters/prometheus/service-metrics.ts';
import type { OpenDatabase } from '../adapters/sql/database/database-location.ts';
import type { ChangeUseCases } from '../application/changes/change-use-cases.ts';
import type { SubjectShares } from '../application/concurrency/subject-shares.ts';
import type { UseCases } from '../application/use-cases.ts';
import type { Calendar } from '../domain/image/time/calendar.ts';
import type { BlobStorage } from '../domain/ports/bytes/blob-store.ts';
import type { RenditionCache } from '../domain/ports/bytes/rendition-cache.ts';
import type { StagingArea } from '../domain/ports/bytes/staging-area.ts';
import type { ImageInspector } from '../domain/ports/pictures/image-inspector.ts';
import type { RenditionMaker } from '../domain/ports/pictures/rendition-maker.ts';
import type { Clock } from '../domain/ports/process/clock.ts';
import type { ProcessRegistry } from '../domain/ports/process/process-registry.ts';
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
import type { StorageConfig } from './config/config.ts';
import type { Sweeps } from './maintenance.ts';
import type { OpenStores } from './open-stores.ts';
import type { PublicAddresses } from './start/public-address.ts';
import type { WebhookSenders } from './start/start-webhooks.ts';

/** What commands use as well. */
export const STORAGE_TOKENS = {
  config: Symbol.for('Config') as ServiceIdentifier<StorageConfig>,
  log: Symbol.for('Logger') as ServiceIdentifier<Logger>,
  database: Symbol.for('OpenDatabase') as ServiceIdentifier<OpenDatabase>,
  clock: Symbol.for('Clock') as ServiceIdentifier<Clock>,
  timer: Symbol.for('Timer') as ServiceIdentifier<Timer>,
  uuids: Symbol.for('UuidGenerator') as ServiceIdentifier<UuidGenerator>,
  processes: Symbol.for('ProcessRegistry') as ServiceIdentifier<ProcessRegistry>,
  changeUseCases: Symbol.for('ChangeUseCases') as ServiceIdentifier<ChangeUseCases>,
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
  webhookEndpoints: Symbol.for('WebhookEndpoints') as ServiceIdentifier<WebhookRecords>,
  stores: Symbol.for('OpenStores') as ServiceIdentifier<OpenStores>,
  blobs: Symbol.for('BlobStorage') as ServiceIdentifier<BlobStorage>,
  staging: Symbol.for('StagingArea') as ServiceIdentifier<StagingArea>,
  decoders: Symbol.for('DecoderPool') as ServiceIdentifier<DecoderPool>,
  inspector: Symbol.for('ImageInspector') as ServiceIdentifier<ImageInspector>,
  /** Yields the pixels of the default rendition as well. */
  uploadInspector: Symbol.for('UploadInspector') as ServiceIdentifier<ImageInspector>,
  renditionMaker: Symbol.for('RenditionMaker') as ServiceIdentifier<RenditionMaker>,
  renditions: Symbol.for('RenditionCache') as ServiceIdentifier<RenditionCache>,
} as const;

/** Of the service alone. */
export const SERVICE_TOKENS = {
  metrics: Symbol.for('ServiceMetrics') as ServiceIdentifier<ServiceMetrics>,
  telemetry: Symbol.for('HttpTelemetry') as ServiceIdentifier<HttpTelemetry>,
  signingKeys: Symbol.for('SigningKeys') as ServiceIdentifier<SigningKeys>,
  /** Streams of changes, and requests that wait for one. */
  changePlaces: Symbol.for('ChangePlaces') as ServiceIdentifier<SubjectShares>,
  useCases: Symbol.for('UseCases') as ServiceIdentifier<UseCases>,
  sweeps: Symbol.for('Sweeps') as ServiceIdentifier<Sweeps>,
  addresses: Symbol.for('PublicAddresses') as ServiceIdentifier<PublicAddresses>,
  httpApi: Symbol.for('HttpApi') as ServiceIdentifier<HttpApi>,
  webhookSenders: Symbol.for('WebhookSenders') as ServiceIdentifier<WebhookSenders>,
} as const;

export const TOKENS = { ...STORAGE_TOKENS, ...SERVICE_TOKENS } as const;

type Identifiers = Readonly<Record<string, ServiceIdentifier>>;

type PartOf<Identifier> = [Identifier] extends [ServiceIdentifier<infer Part>] ? Part : never;

/** What the container makes, by the names of the tokens. */
type Parts<Table extends Identifiers> = { readonly [Name in keyof Table]: PartOf<Table[Name]> };

export type StorageParts = Parts<typeof STORAGE_TOKENS>;

export type ServiceParts = Parts<typeof TOKENS>;

/** Each part is made when it is first read. */
export function partsOf<Table extends Identifiers>(container: Container, table: Table): Parts<Table> {
  const properties = Object.entries(table).map(([name, token]) => [
    name,
    { enumerable: true, get: (): unknown => container.get(token) },
  ]);
  return Object.defineProperties({}, Object.fromEntries(properties)) as Parts<Table>;
}

/** How each part is made from others. */
export type Makers<Table extends Identifiers, From> = {
  readonly [Name in keyof Table]: (parts: From) => PartOf<Table[Name]>;
};

/** How parts are closed that were made. */
export type Closers<Table extends Identifiers> = {
  readonly [Name in keyof Table]?: (part: PartOf<Table[Name]>) => void | Promise<void>;
};

/** Binds every token of the table. */
export function bindParts<Table extends Identifiers, From>(
  container: Container,
  table: Table,
  makers: Makers<Table, From>,
  closers: Closers<Table>,
  from: From,
): void {
  for (const name of Object.keys(table) as ReadonlyArray<keyof Table>) {
    const token = table[name] as ServiceIdentifier<PartOf<Table[typeof name]>>;
    const binding = container.bind(token).toDynamicValue(() => makers[name](from));
    const close = closers[name];
    if (close !== undefined) binding.onDeactivation(close);
  }
}
