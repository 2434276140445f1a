import type { BlobStore } from '../../domain/ports/blob-store.ts';
import type { CatalogIdentity } from '../../domain/ports/catalog-identity.ts';
import type { ImageRepository } from '../../domain/ports/image-repository.ts';
import { batchesOf } from './batches.ts';

/** The blobs are not those of the records: together they must not be worked with. Nothing was changed. */
export class ForeignBlobStore extends Error {
  constructor(
    /** Identity of the catalog that the records are; `undefined` where it was not given one yet. */
    readonly catalogId: string | undefined,
    /** Identity of the catalog that the blobs belong to; `undefined` where it is not known, but not a blob is recorded. */
    readonly owner: string | undefined,
  ) {
    super(
      owner === undefined
        ? 'the blob store has blobs, and the database knows none of them'
        : `the blob store belongs to the catalog ${owner}, and the database has ${catalogId === undefined ? 'none yet' : `the catalog ${catalogId}`}`,
    );
  }
}

export interface ClaimedStorage {
  readonly identity: CatalogIdentity;
  readonly images: ImageRepository;
  readonly blobs: BlobStore;
}

/** Blobs that are looked at in a store of which nobody has noted whose it is. */
const SAMPLE_SIZE = 500;

/**
 * Makes sure that records and blobs are of one catalog before anybody works with them. Of a wrong pair the sweeper would take
 * every blob for litter.
 */
export class ClaimBlobStore {
  constructor(private readonly storage: ClaimedStorage) {}

  /**
   * A store of nobody becomes that of the catalog where it has no blobs or where one of them is recorded: it was in use before
   * owners were noted.
   *
   * @param dryRun changes nothing
   * @throws {ForeignBlobStore | StorageUnavailable}
   */
  async execute({ dryRun }: { readonly dryRun: boolean }): Promise<void> {
    const { identity, blobs } = this.storage;
    const catalogId = await (dryRun ? identity.find() : identity.establish());
    if ((await blobs.owner()) === undefined && (await this.mayTake())) {
      if (dryRun || catalogId === undefined) return;
      await blobs.claim(catalogId);
    }
    // Another process may have been faster, with this catalog or with another one.
    const owner = await blobs.owner();
    if (owner === undefined || owner !== catalogId) throw new ForeignBlobStore(catalogId, owner);
  }

  private async mayTake(): Promise<boolean> {
    const { images } = this.storage;
    for await (const keys of batchesOf(this.blobKeys(), SAMPLE_SIZE))
      return (await images.findUuidsAmong(keys)).size > 0;
    return true;
  }

  private async *blobKeys(): AsyncGenerator<string, void, undefined> {
    for await (const entry of this.storage.blobs.list()) if (entry.kind === 'blob') yield entry.key;
  }
}
