import type { BlobListing, BlobOwnership } from '../../domain/ports/bytes/blob-store.ts';
import type { CatalogIdentity } from '../../domain/ports/records/catalog-identity.ts';
import type { BlobReferences } from '../../domain/ports/records/image-repository.ts';
import { batchesOf } from './batches-of.ts';
import { blobKeysIn } from './blob-keys-in.ts';
import { ForeignBlobStore } from './foreign-blob-store.ts';

export interface ClaimedStorage {
  readonly identity: CatalogIdentity;
  readonly images: BlobReferences;
  readonly blobs: BlobListing & BlobOwnership;
}

const SAMPLE_SIZE = 500;

/** With a wrong pair of records and blobs, the sweeper would take every blob for an orphan. */
export class ClaimBlobStore {
  constructor(private readonly storage: ClaimedStorage) {}

  /**
   * Takes a store without an owner if it is empty or one of its blobs is recorded: its note was lost, as by a copy that skips
   * empty folders.
   *
   * @throws {ForeignBlobStore | StorageUnavailable}
   */
  async execute({ dryRun }: { readonly dryRun: boolean }): Promise<void> {
    const { identity, blobs } = this.storage;
    const catalogId = await (dryRun ? identity.find() : identity.establish());
    if ((await blobs.owner()) === undefined && (await this.mayTake())) {
      if (dryRun || catalogId === undefined) return;
      await blobs.claim(catalogId);
    }
    // Another process may have claimed the store first, for this catalog or for another one.
    const owner = await blobs.owner();
    if (owner === undefined || owner !== catalogId) throw new ForeignBlobStore(catalogId, owner);
  }

  /**
   * Before the records are made: a new catalog can take an empty store only.
   *
   * @throws {ForeignBlobStore | StorageUnavailable}
   */
  async requireFree(): Promise<void> {
    const { blobs } = this.storage;
    const owner = await blobs.owner();
    const { done: isEmpty } = await blobKeysIn(blobs).next();
    if (owner !== undefined || isEmpty !== true) throw new ForeignBlobStore(undefined, owner);
  }

  private async mayTake(): Promise<boolean> {
    const { images, blobs } = this.storage;
    for await (const keys of batchesOf(blobKeysIn(blobs), SAMPLE_SIZE)) {
      return (await images.findUuidsAmong(keys)).size > 0;
    }
    return true;
  }
}
