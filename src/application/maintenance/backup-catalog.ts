import type { BlobCopy, RecordCopy } from '../../domain/ports/commands/catalog-copy.ts';
import type { CatalogIdentity } from '../../domain/ports/records/catalog-identity.ts';
import type { AllImages } from '../../domain/ports/records/image-repository.ts';
import { imageBatches } from './image-batches.ts';

export interface BackedUpRecords {
  readonly identity: CatalogIdentity;
  readonly images: Pick<AllImages, 'findById'>;
  /** As of one moment. */
  readonly copy: () => Promise<RecordCopy>;
}

export type OnBackupProgress = (done: number, total: number) => void;

/**
 * Copies the records as of one moment, then their blobs. Records that the service deletes in the meantime are removed from the
 * copy.
 */
export class BackupCatalog {
  constructor(
    private readonly records: BackedUpRecords,
    private readonly blobs: BlobCopy,
  ) {}

  /**
   * Resolves to the number of missing blobs.
   *
   * @throws {StorageUnavailable}
   */
  async execute(onProgress: OnBackupProgress): Promise<number> {
    const copy = await this.records.copy();
    try {
      await this.blobs.begin(await this.records.identity.find());
      const lost = await this.copyBlobs(copy, onProgress);
      await this.blobs.finish();
      return lost;
    } finally {
      await copy.close();
    }
  }

  private async copyBlobs({ images }: RecordCopy, onProgress: OnBackupProgress): Promise<number> {
    const total = await images.count();
    let [done, lost] = [0, 0];
    onProgress(done, total);
    for await (const batch of imageBatches(images)) {
      for (const { space, id, uuid } of batch) {
        if (await this.blobs.add(uuid)) continue;
        if ((await this.records.images.findById(id)) === undefined) await images.in(space).removeById(id);
        else lost += 1;
      }
      done += batch.length;
      onProgress(done, total);
    }
    return lost;
  }
}
