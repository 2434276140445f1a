import { ChangeQuota } from '../../adapters/sql/changes/change-quota.ts';
import { SqlChangeFeed } from '../../adapters/sql/changes/sql-change-feed.ts';
import { SqlWebhookEndpoints } from '../../adapters/sql/changes/sql-webhook-endpoints.ts';
import { CatalogDatabase } from '../../adapters/sql/database/catalog-database.ts';
import { SqlMetadataStore } from '../../adapters/sql/metadata/sql-metadata-store.ts';
import { SqlNames } from '../../adapters/sql/names/sql-names.ts';
import { KnexCatalogIdentity } from '../../adapters/sql/records/knex-catalog-identity.ts';
import { ObjectionImageRepository } from '../../adapters/sql/records/objection-image-repository.ts';
import { SqlCopiedTables } from '../../adapters/sql/records/sql-copied-tables.ts';
import { SqlIdempotencyKeys } from '../../adapters/sql/records/sql-idempotency-keys.ts';
import { SqlLinkKeys } from '../../adapters/sql/records/sql-link-keys.ts';
import { SqlSpaces } from '../../adapters/sql/records/sql-spaces.ts';
import { SqlSweepSlices } from '../../adapters/sql/records/sql-sweep-slices.ts';
import { SqlImageSearch } from '../../adapters/sql/search/sql-image-search.ts';
import { SqlTagIndex } from '../../adapters/sql/search/sql-tag-index.ts';
import { SqlTimeline } from '../../adapters/sql/search/sql-timeline.ts';
import { SqlCopyCandidates } from '../../adapters/sql/similar/sql-copy-candidates.ts';
import { SqlSimilarImages } from '../../adapters/sql/similar/sql-similar-images.ts';
import { SqlTrash } from '../../adapters/sql/trash/sql-trash.ts';
import { Calendar } from '../../domain/image/time/calendar.ts';
import type { Makers } from '../compose.ts';
import type { StorageParts } from '../storage-parts.ts';

/** What the database keeps. */
export const RECORDS = {
  database: ({ config }) => config.database.open(config.databasePoolMax),
  calendar: ({ config }) => new Calendar(config.timeZone),
  catalog: ({ database }) => new CatalogDatabase(database),
  identity: ({ catalog, uuids }) => new KnexCatalogIdentity(catalog, uuids),
  images: ({ catalog, clock, calendar, config }) =>
    new ObjectionImageRepository(catalog, clock, calendar, config.spaceLimits),
  spaces: ({ catalog, config }) => new SqlSpaces(catalog, config.spaceLimits),
  names: ({ catalog, clock, config }) => new SqlNames(catalog, clock, new ChangeQuota(config.changesPerDay)),
  trash: ({ catalog, clock, calendar, config }) =>
    new SqlTrash(catalog, clock, calendar, new ChangeQuota(config.changesPerDay)),
  keys: ({ catalog, clock, uuids, processes }) =>
    new SqlIdempotencyKeys(catalog, { clock, uuids, processes }),
  linkKeys: ({ catalog }) => new SqlLinkKeys(catalog),
  sweepSlices: ({ catalog }) => new SqlSweepSlices(catalog),
  tables: ({ catalog }) => new SqlCopiedTables(catalog),
  changes: ({ catalog }) => new SqlChangeFeed(catalog),
  webhookEndpoints: ({ catalog }) => new SqlWebhookEndpoints(catalog),
  metadata: ({ catalog, clock, calendar, config }) =>
    new SqlMetadataStore(catalog, clock, calendar, new ChangeQuota(config.changesPerDay)),
  tags: ({ catalog }) => new SqlTagIndex(catalog),
  search: ({ catalog }) => new SqlImageSearch(catalog),
  similarImages: ({ catalog }) => new SqlSimilarImages(catalog),
  copyCandidates: ({ catalog }) => new SqlCopyCandidates(catalog),
  timeline: ({ catalog, calendar }) => new SqlTimeline(catalog, calendar),
} as const satisfies Partial<Makers<StorageParts>>;
