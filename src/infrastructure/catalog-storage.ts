import type { Container } from 'inversify';
import type { Logger } from 'pino';
import { DecoderPool } from '../adapters/decoder/decoder-pool.ts';
import type { OpenDatabase } from '../adapters/sql/database/database-location.ts';
import { ClaimBlobStore } from '../application/maintenance/claim-blob-store.ts';
import { DirectImportTarget } from '../application/maintenance/direct-import-target.ts';
import { ReindexCatalog } from '../application/maintenance/reindex-catalog.ts';
import { RotateLinkKey } from '../application/maintenance/rotate-link-key.ts';
import { SweepOrphans } from '../application/maintenance/sweep-orphans.ts';
import { VerifyCatalog } from '../application/maintenance/verify-catalog.ts';
import type { BlobStorage } from '../domain/ports/blob-store.ts';
import type { CatalogIdentity } from '../domain/ports/catalog-identity.ts';
import type { Clock } from '../domain/ports/clock.ts';
import type { KeyRecords } from '../domain/ports/idempotency-keys.ts';
import type { MetadataRecords } from '../domain/ports/image-metadata-store.ts';
import type { ImageRecords } from '../domain/ports/image-repository.ts';
import type { ImageSearch } from '../domain/ports/image-search.ts';
import type { LinkKeyRecords } from '../domain/ports/link-keys.ts';
import type { StagingArea } from '../domain/ports/staging-area.ts';
import type { OpenStore } from '../domain/ports/store-location.ts';
import type { StorageConfig } from './config.ts';
import { createStorageContainer } from './storage-container.ts';
import { TOKENS } from './tokens.ts';

/** Each part is opened when it is first used. */
export class CatalogStorage {
  readonly #container: Container;

  constructor(container: Container) {
    this.#container = container;
  }

  get config(): StorageConfig {
    return this.#container.get(TOKENS.storageConfig);
  }

  get database(): OpenDatabase {
    return this.#container.get(TOKENS.database);
  }

  get cacheStore(): OpenStore {
    return this.#container.get(TOKENS.cacheStore);
  }

  get identity(): CatalogIdentity {
    return this.#container.get(TOKENS.identity);
  }

  get images(): ImageRecords {
    return this.#container.get(TOKENS.images);
  }

  get search(): ImageSearch {
    return this.#container.get(TOKENS.search);
  }

  get metadata(): MetadataRecords {
    return this.#container.get(TOKENS.metadata);
  }

  get keys(): KeyRecords {
    return this.#container.get(TOKENS.keys);
  }

  get linkKeys(): LinkKeyRecords {
    return this.#container.get(TOKENS.linkKeys);
  }

  get blobs(): BlobStorage {
    return this.#container.get(TOKENS.blobs);
  }

  get staging(): StagingArea {
    return this.#container.get(TOKENS.staging);
  }

  get clock(): Clock {
    return this.#container.get(TOKENS.clock);
  }

  get decoders(): DecoderPool {
    return this.#container.get(DecoderPool);
  }

  get claimBlobStore(): ClaimBlobStore {
    return this.#container.get(ClaimBlobStore);
  }

  get sweepOrphans(): SweepOrphans {
    return this.#container.get(SweepOrphans);
  }

  get verifyCatalog(): VerifyCatalog {
    return this.#container.get(VerifyCatalog);
  }

  get rotateLinkKey(): RotateLinkKey {
    return this.#container.get(RotateLinkKey);
  }

  get reindexCatalog(): ReindexCatalog {
    return this.#container.get(ReindexCatalog);
  }

  get importTarget(): DirectImportTarget {
    return this.#container.get(DirectImportTarget);
  }

  async close(): Promise<void> {
    await this.#container.unbindAllAsync();
  }
}

export function composeStorage(config: StorageConfig, log: Logger): CatalogStorage {
  return new CatalogStorage(createStorageContainer(config, log));
}
