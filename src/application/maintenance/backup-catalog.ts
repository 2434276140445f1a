import type { BlobCopy, RecordCopy } from '../../domain/ports/commands/record-copy.ts';
import type { CatalogIdentity } from '../../domain/ports/records/catalog-identity.ts';
import type { BlobReferences } from '../../domain/ports/records/image-repository.ts';
import { recordedPages } from './recorded-pages.ts';
import { removeRecord } from './remove-record.ts';

export interface BackedUpRecords {
  readonly identity: CatalogIdentity;
  readonly images: Pick<BlobReferences, 'findUuidsAmong'>;
  /** Copies the records as they are at one moment. */
  readonly copy: () => Promise<RecordCopy>;
}

export interface BackupProgress {
  /** Id of the last image whose blob was copied. */
  readonly after?: number | undefined;
  readonly done: number;
  /** Records without bytes to copy. */
  readonly lost: number;
}

const NOTHING_BACKED_UP: BackupProgress = { done: 0, lost: 0 };

export type OnBackupProgress = (progress: BackupProgress, total: number) => Promise<void>;

const BATCH_SIZE = 100;

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
   * @param started what an interrupted backup into the same copy has done
   * @throws {StorageUnavailable}
   */
  async execute(onProgress: OnBackupProgress, started = NOTHING_BACKED_UP): Promise<number> {
    const copy = await this.records.copy();
    try {
      await this.blobs.begin(await this.records.identity.find());
      const lost = await this.copyBlobs(copy, onProgress, started);
      await this.blobs.finish();
      return lost;
    } finally {
      await copy.close();
    }
  }

  private async copyBlobs(
    copy: RecordCopy,
    onProgress: OnBackupProgress,
    started: BackupProgress,
  ): Promise<number> {
    const total = (await copy.images.count()) + (await copy.trash.count());
    let { after, done, lost } = started;
    await onProgress(started, total);
    for await (const batch of recordedPages(copy, BATCH_SIZE, after)) {
      for (const image of batch) {
        if (await this.blobs.add(image.uuid)) continue;
        const isRecorded = (await this.records.images.findUuidsAmong([image.uuid])).size > 0;
        if (isRecorded) lost += 1;
        else await removeRecord(copy, image);
      }
      after = batch.at(-1)?.id ?? after;
      done += batch.length;
      await onProgress({ after, done, lost }, total);
    }
    return lost;
  }
}
