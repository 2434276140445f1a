import type { Container } from 'inversify';
import type { Logger } from 'pino';
import { DecoderPool } from '../adapters/decoder/decoder-pool.ts';
import { FollowChanges } from '../application/changes/follow-changes.ts';
import { ReadChanges } from '../application/changes/read-changes.ts';
import { ClaimBlobStore } from '../application/maintenance/claim-blob-store.ts';
import { DirectImportTargets } from '../application/maintenance/import/direct-import-targets.ts';
import { ReindexCatalog } from '../application/maintenance/reindex-catalog.ts';
import { RotateLinkKey } from '../application/maintenance/rotate-link-key.ts';
import { RemoveSpace } from '../application/maintenance/spaces/remove-space.ts';
import { SweepBlobs } from '../application/maintenance/sweep-blobs.ts';
import { SweepOrphans } from '../application/maintenance/sweep-orphans.ts';
import { VerifyCatalog } from '../application/maintenance/verify-catalog.ts';
import { ManageWebhooks } from '../application/webhooks/manage-webhooks.ts';
import type { StorageConfig } from './config/config.ts';
import { type Parts, partsOf } from './parts.ts';
import { createStorageContainer } from './storage-container.ts';
import { TOKENS } from './tokens.ts';

/** What commands and the start of the service use. */
const STORAGE_PARTS = {
  config: TOKENS.storageConfig,
  database: TOKENS.database,
  cacheStore: TOKENS.cacheStore,
  identity: TOKENS.identity,
  images: TOKENS.images,
  spaces: TOKENS.spaces,
  trash: TOKENS.trash,
  names: TOKENS.names,
  keys: TOKENS.keys,
  linkKeys: TOKENS.linkKeys,
  changes: TOKENS.changes,
  webhookEndpoints: TOKENS.webhookEndpoints,
  blobs: TOKENS.blobs,
  staging: TOKENS.staging,
  clock: TOKENS.clock,
  decoders: DecoderPool,
  readChanges: ReadChanges,
  followChanges: FollowChanges,
  claimBlobStore: ClaimBlobStore,
  sweepOrphans: SweepOrphans,
  sweepBlobs: SweepBlobs,
  verifyCatalog: VerifyCatalog,
  rotateLinkKey: RotateLinkKey,
  reindexCatalog: ReindexCatalog,
  manageWebhooks: ManageWebhooks,
  importTargets: DirectImportTargets,
  removeSpace: RemoveSpace,
} as const;

/** Each part is opened when it is first used. */
export interface CatalogStorage extends Parts<typeof STORAGE_PARTS> {
  /** Closes what was opened. */
  close(): Promise<void>;
}

export function storageIn(container: Container): CatalogStorage {
  return Object.assign(partsOf(container, STORAGE_PARTS), { close: () => container.unbindAllAsync() });
}

export function composeStorage(config: StorageConfig, log: Logger): CatalogStorage {
  return storageIn(createStorageContainer(config, log));
}
