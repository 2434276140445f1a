import type { Container } from 'inversify';
import { SqlChangeFeed } from '../../adapters/sql/changes/sql-change-feed.ts';
import { SqlWebhookEndpoints } from '../../adapters/sql/changes/sql-webhook-endpoints.ts';
import { SqlNames } from '../../adapters/sql/names/sql-names.ts';
import { KnexCatalogIdentity } from '../../adapters/sql/records/knex-catalog-identity.ts';
import { ObjectionIdempotencyKeys } from '../../adapters/sql/records/objection-idempotency-keys.ts';
import { ObjectionImageRepository } from '../../adapters/sql/records/objection-image-repository.ts';
import { SqlLinkKeys } from '../../adapters/sql/records/sql-link-keys.ts';
import { SqlSpaces } from '../../adapters/sql/records/sql-spaces.ts';
import { SqlSweepSlices } from '../../adapters/sql/records/sql-sweep-slices.ts';
import { SqlImageSearch } from '../../adapters/sql/search/sql-image-search.ts';
import { SqlMetadataStore } from '../../adapters/sql/search/sql-metadata-store.ts';
import { SqlTagIndex } from '../../adapters/sql/search/sql-tag-index.ts';
import { SqlTimeline } from '../../adapters/sql/search/sql-timeline.ts';
import { SqlSimilarImages } from '../../adapters/sql/similar/sql-similar-images.ts';
import { SqlTrash } from '../../adapters/sql/trash/sql-trash.ts';
import { Calendar } from '../../domain/image/time/calendar.ts';
import { TOKENS } from '../tokens.ts';

export function bindRecords(container: Container): void {
  const { storageConfig, database, calendar, clock, uuids } = TOKENS;
  container
    .bind(database)
    .toResolvedValue((config) => config.database.open(config.databasePoolMax), [storageConfig])
    .onDeactivation((connections) => connections.close());
  container.bind(calendar).toResolvedValue(({ timeZone }) => new Calendar(timeZone), [storageConfig]);
  container
    .bind(TOKENS.identity)
    .toResolvedValue(
      ({ knex, reader }, names) => new KnexCatalogIdentity(knex, names, reader),
      [database, uuids],
    );
  container
    .bind(TOKENS.images)
    .toResolvedValue(
      ({ knex, imageReads, reader }, time, days, { spaceLimits }) =>
        new ObjectionImageRepository(knex, time, imageReads, reader, days, spaceLimits),
      [database, clock, calendar, storageConfig],
    );
  container
    .bind(TOKENS.spaces)
    .toResolvedValue(
      ({ knex, reader }, { spaceLimits }) => new SqlSpaces(knex, spaceLimits, reader),
      [database, storageConfig],
    );
  bindNames(container);
  bindTrash(container);
  bindKeys(container);
  bindProcesses(container);
  bindSearch(container);
}

function bindNames(container: Container): void {
  const { database, clock } = TOKENS;
  container
    .bind(TOKENS.names)
    .toResolvedValue(
      ({ knex, imageReads, reader }, time) => new SqlNames(knex, time, imageReads, reader),
      [database, clock],
    );
}

function bindTrash(container: Container): void {
  const { database, clock, calendar } = TOKENS;
  container
    .bind(TOKENS.trash)
    .toResolvedValue(
      ({ knex, reader }, time, days) => new SqlTrash(knex, time, days, reader),
      [database, clock, calendar],
    );
}

function bindKeys(container: Container): void {
  const { database, clock, uuids, processes } = TOKENS;
  container
    .bind(TOKENS.keys)
    .toResolvedValue(
      ({ knex }, time, names, registry) =>
        new ObjectionIdempotencyKeys(knex, { clock: time, uuids: names, processes: registry }),
      [database, clock, uuids, processes],
    );
}

/** What processes tell each other. */
function bindProcesses(container: Container): void {
  const { database } = TOKENS;
  container
    .bind(TOKENS.linkKeys)
    .toResolvedValue(({ knex, reader }) => new SqlLinkKeys(knex, reader), [database]);
  container
    .bind(TOKENS.sweepSlices)
    .toResolvedValue(({ knex, reader }) => new SqlSweepSlices(knex, reader), [database]);
  container
    .bind(TOKENS.changes)
    .toResolvedValue(({ knex, reader }) => new SqlChangeFeed(knex, reader), [database]);
  container
    .bind(TOKENS.webhookEndpoints)
    .toResolvedValue(({ knex, reader }) => new SqlWebhookEndpoints(knex, reader), [database]);
}

function bindSearch(container: Container): void {
  const { database, calendar, clock } = TOKENS;
  container
    .bind(TOKENS.metadata)
    .toResolvedValue(
      ({ knex, reader }, time, days) => new SqlMetadataStore(knex, time, days, reader),
      [database, clock, calendar],
    );
  container
    .bind(TOKENS.tags)
    .toResolvedValue(({ reader, slowReads }) => new SqlTagIndex(reader, slowReads), [database]);
  container
    .bind(TOKENS.search)
    .toResolvedValue(({ reader, slowReads }) => new SqlImageSearch(reader, slowReads), [database]);
  container
    .bind(TOKENS.similarImages)
    .toResolvedValue(({ knex, reader }) => new SqlSimilarImages(knex, reader), [database]);
  container
    .bind(TOKENS.timeline)
    .toResolvedValue(
      ({ reader, slowReads }, days) => new SqlTimeline(reader, slowReads, days),
      [database, calendar],
    );
}
