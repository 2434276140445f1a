import type { Container } from 'inversify';
import { KnexCatalogIdentity } from '../../adapters/sql/knex-catalog-identity.ts';
import { ObjectionIdempotencyKeys } from '../../adapters/sql/objection-idempotency-keys.ts';
import { ObjectionImageRepository } from '../../adapters/sql/objection-image-repository.ts';
import { TOKENS } from '../tokens.ts';

export function bindRecords(container: Container): void {
  const { storageConfig, database, clock, uuids, processes } = TOKENS;
  container
    .bind(database)
    .toResolvedValue((config) => config.database.open(config.databasePoolMax), [storageConfig])
    .onDeactivation((connections) => connections.close());
  container
    .bind(TOKENS.identity)
    .toResolvedValue(({ knex }, names) => new KnexCatalogIdentity(knex, names), [database, uuids]);
  container
    .bind(TOKENS.images)
    .toResolvedValue(
      ({ knex, imageReads, reader }, time) => new ObjectionImageRepository(knex, time, imageReads, reader),
      [database, clock],
    );
  container
    .bind(TOKENS.keys)
    .toResolvedValue(
      ({ knex }, time, names, registry) =>
        new ObjectionIdempotencyKeys(knex, { clock: time, uuids: names, processes: registry }),
      [database, clock, uuids, processes],
    );
}
