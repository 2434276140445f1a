import type { BlobKey } from '../../domain/image/blob-key.ts';
import type { BlobStore } from '../../domain/ports/bytes/blob-store.ts';
import type { UuidGenerator } from '../../domain/ports/process/uuid-generator.ts';
import type { AllImages } from '../../domain/ports/records/image-repository.ts';
import type { ReceivedFile } from './incoming-file.ts';
import type { Rollback } from './rollback.ts';

/** Stores the blob before the record: a crash in between leaves an orphaned blob, not a record without a blob. */
export class StoreUpload {
  constructor(
    private readonly blobs: BlobStore,
    private readonly uuids: UuidGenerator,
    /** Tells whether a record whose insert has failed may still come. */
    private readonly images: Pick<AllImages, 'mayBeRecorded'>,
  ) {}

  /**
   * Resolves when the bytes survive a power cut.
   *
   * @throws {StorageUnavailable}
   */
  async execute({ staged }: ReceivedFile, rollback: Rollback): Promise<BlobKey> {
    const uuid = this.uuids.next();
    await this.blobs.put(uuid, staged);
    rollback.add(() => this.removeUnrecorded(uuid));
    return uuid;
  }

  /** Removes the blob only if there will be no such record: an insert whose connection was lost may be committed later. */
  private async removeUnrecorded(uuid: BlobKey): Promise<void> {
    try {
      if (!(await this.images.mayBeRecorded(uuid))) await this.blobs.remove(uuid);
    } catch {
      // The sweeper removes it.
    }
  }
}
