import type { BlobCopy, RecordCopy } from '../../domain/ports/commands/record-copy.ts';
import type { CatalogIdentity } from '../../domain/ports/records/catalog-identity.ts';
import type { BlobReferences } from '../../domain/ports/records/image-repository.ts';
import type { RecordedImage } from '../../domain/ports/records/trash.ts';
import type { CheckedRecord } from './checked-record.ts';
import { recordedPages } from './recorded-pages.ts';
import { removeRecord } from './remove-record.ts';

export interface BackedUpRecords {
  readonly identity: CatalogIdentity;
  readonly images: Pick<BlobReferences, 'findUuidsAmong'>;
  /** Copies the records as they are at one moment. */
  readonly copy: () => Promise<RecordCopy>;
}

const BATCH_SIZE = 100;

/** A blob that could not be copied, or whose copy has other bytes than the record says. */
export type BackupFinding = 'missing' | 'damaged';

/**
 * Copies the records as of one moment, then their blobs. Records that the service deletes in the meantime are removed from the
 * copy.
 */
export class BackupCatalog {
  constructor(
    private readonly backedUp: BackedUpRecords,
    private readonly blobs: BlobCopy,
  ) {}

  /**
   * A record has been copied with its blob when it is yielded. Damaged blobs are copied as they are.
   *
   * @param after the last record that an interrupted backup into the same copy has yielded
   * @throws {StorageUnavailable}
   */
  async *records(after?: number): AsyncGenerator<CheckedRecord<BackupFinding>, void, undefined> {
    const copy = await this.backedUp.copy();
    try {
      await this.blobs.begin(await this.backedUp.identity.find());
      for await (const batch of recordedPages(copy, BATCH_SIZE, after)) {
        for (const image of batch) yield { imageId: image.id, finding: await this.copyBlob(image, copy) };
      }
      await this.blobs.finish();
    } finally {
      await copy.close();
    }
  }

  private async copyBlob(image: RecordedImage, copy: RecordCopy): Promise<BackupFinding | undefined> {
    // Two tries, as in `verify`: a disk may fail for a moment.
    const finding = (await this.tryToCopy(image)) && (await this.tryToCopy(image));
    if (finding !== 'missing') return finding;
    const isRecorded = (await this.backedUp.images.findUuidsAmong([image.uuid])).size > 0;
    if (isRecorded) return 'missing';
    await removeRecord(copy, image);
    return undefined;
  }

  private async tryToCopy(image: RecordedImage): Promise<BackupFinding | undefined> {
    if (!(await this.blobs.add(image.uuid))) return 'missing';
    return (await this.blobs.isIntact(image)) ? undefined : 'damaged';
  }
}
