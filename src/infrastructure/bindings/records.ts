import { SqlChangeFeed } from '../../adapters/sql/changes/sql-change-feed.ts';
import { SqlWebhookEndpoints } from '../../adapters/sql/changes/sql-webhook-endpoints.ts';
import { SqlNames } from '../../adapters/sql/names/sql-names.ts';
import { KnexCatalogIdentity } from '../../adapters/sql/records/knex-catalog-identity.ts';
import { ObjectionIdempotencyKeys } from '../../adapters/sql/records/objection-idempotency-keys.ts';
import { ObjectionImageRepository } from '../../adapters/sql/records/objection-image-repository.ts';
import { SqlCopiedTables } from '../../adapters/sql/records/sql-copied-tables.ts';
import { SqlLinkKeys } from '../../adapters/sql/records/sql-link-keys.ts';
import { SqlSpaces } from '../../adapters/sql/records/sql-spaces.ts';
import { SqlSweepSlices } from '../../adapters/sql/records/sql-sweep-slices.ts';
import { SqlImageSearch } from '../../adapters/sql/search/sql-image-search.ts';
import { SqlMetadataStore } from '../../adapters/sql/search/sql-metadata-store.ts';
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
  identity: ({ database: { knex, reader }, uuids }) => new KnexCatalogIdentity(knex, uuids, reader),
  images: ({ database: { knex, preparedReads, reader }, clock, calendar, config }) =>
    new ObjectionImageRepository(knex, clock, preparedReads, reader, calendar, config.spaceLimits),
  spaces: ({ database: { knex, reader }, config }) => new SqlSpaces(knex, config.spaceLimits, reader),
  names: ({ database: { knex, preparedReads, reader }, clock }) =>
    new SqlNames(knex, clock, preparedReads, reader),
  trash: ({ database: { knex, reader }, clock, calendar }) => new SqlTrash(knex, clock, calendar, reader),
  keys: ({ database: { knex }, clock, uuids, processes }) =>
    new ObjectionIdempotencyKeys(knex, { clock, uuids, processes }),
  linkKeys: ({ database: { knex, reader } }) => new SqlLinkKeys(knex, reader),
  sweepSlices: ({ database: { knex, reader } }) => new SqlSweepSlices(knex, reader),
  tables: ({ database: { knex, reader } }) => new SqlCopiedTables(knex, reader),
  changes: ({ database: { knex, reader } }) => new SqlChangeFeed(knex, reader),
  webhookEndpoints: ({ database: { knex, reader } }) => new SqlWebhookEndpoints(knex, reader),
  metadata: ({ database: { knex, reader }, clock, calendar }) =>
    new SqlMetadataStore(knex, clock, calendar, reader),
  tags: ({ database: { reader, slowReads } }) => new SqlTagIndex(reader, slowReads),
  search: ({ database: { reader, slowReads } }) => new SqlImageSearch(reader, slowReads),
  similarImages: ({ database: { knex, reader } }) => new SqlSimilarImages(knex, reader),
  copyCandidates: ({ database: { reader, slowReads } }) => new SqlCopyCandidates(reader, slowReads),
  timeline: ({ database: { reader, slowReads }, calendar }) => new SqlTimeline(reader, slowReads, calendar),
} as const satisfies Partial<Makers<StorageParts>>;
