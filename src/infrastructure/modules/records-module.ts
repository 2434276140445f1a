import { ContainerModule } from 'inversify';
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
import { construct } from '../construct.ts';
import { TOKENS } from '../tokens.ts';

const { storageConfig, database, catalog, clock, calendar, changeQuota, spaceLimits, uuids, processes } =
  TOKENS;

/** The database, and the ports of what it holds. */
export const recordsModule = new ContainerModule(({ bind }) => {
  bind(database)
    .toResolvedValue((config) => config.database.open(config.databasePoolMax), [storageConfig])
    .onDeactivation((opened) => opened.close());
  bind(catalog).toResolvedValue(...construct(CatalogDatabase, database));
  bind(calendar).toResolvedValue(({ timeZone }) => new Calendar(timeZone), [storageConfig]);
  bind(changeQuota).toResolvedValue(({ changesPerDay }) => new ChangeQuota(changesPerDay), [storageConfig]);
  bind(spaceLimits).toResolvedValue((config) => config.spaceLimits, [storageConfig]);

  bind(TOKENS.identity).toResolvedValue(...construct(KnexCatalogIdentity, catalog, uuids));
  bind(TOKENS.images).toResolvedValue(
    ...construct(ObjectionImageRepository, catalog, clock, calendar, spaceLimits),
  );
  bind(TOKENS.spaces).toResolvedValue(...construct(SqlSpaces, catalog, spaceLimits));
  bind(TOKENS.names).toResolvedValue(...construct(SqlNames, catalog, clock, changeQuota));
  bind(TOKENS.trash).toResolvedValue(...construct(SqlTrash, catalog, clock, calendar, changeQuota));
  bind(TOKENS.metadata).toResolvedValue(
    ...construct(SqlMetadataStore, catalog, clock, calendar, changeQuota),
  );
  bind(TOKENS.keys).toResolvedValue(
    (db, time, ids, owners) => new SqlIdempotencyKeys(db, { clock: time, uuids: ids, processes: owners }),
    [catalog, clock, uuids, processes],
  );
  bind(TOKENS.linkKeys).toResolvedValue(...construct(SqlLinkKeys, catalog));
  bind(TOKENS.sweepSlices).toResolvedValue(...construct(SqlSweepSlices, catalog));
  bind(TOKENS.tables).toResolvedValue(...construct(SqlCopiedTables, catalog));
  bind(TOKENS.changes).toResolvedValue(...construct(SqlChangeFeed, catalog));
  bind(TOKENS.webhookEndpoints).toResolvedValue(...construct(SqlWebhookEndpoints, catalog));
  bind(TOKENS.tags).toResolvedValue(...construct(SqlTagIndex, catalog));
  bind(TOKENS.search).toResolvedValue(...construct(SqlImageSearch, catalog));
  bind(TOKENS.similarImages).toResolvedValue(...construct(SqlSimilarImages, catalog));
  bind(TOKENS.copyCandidates).toResolvedValue(...construct(SqlCopyCandidates, catalog));
  bind(TOKENS.timeline).toResolvedValue(...construct(SqlTimeline, catalog, calendar));
});
