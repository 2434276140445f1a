import type { BlobListing, BlobOwnership, BlobStore } from '../../domain/ports/blob-store.ts';
import type { CatalogIdentity } from '../../domain/ports/catalog-identity.ts';
import type { KeyTransfer } from '../../domain/ports/idempotency-keys.ts';
import type { BlobReferences, ImageImport, ImageRepository } from '../../domain/ports/image-repository.ts';
import type { StagingArea } from '../../domain/ports/staging-area.ts';
import type { Finding } from './verify-catalog.ts';

export interface TransferSource {
  readonly identity: CatalogIdentity;
  readonly images: ImageRepository & BlobReferences & ImageImport;
  readonly keys: KeyTransfer;
  readonly blobs: BlobStore;
}

export interface TransferTarget extends TransferSource {
  readonly blobs: BlobStore & BlobListing & BlobOwnership;
  readonly staging: StagingArea;
}

/** The two ends of a transfer. */
export interface TransferEnds {
  readonly source: TransferSource;
  readonly target: TransferTarget;
}

/** Which parts are copied. Source and target share a part that is not copied. */
export interface TransferPlan {
  readonly records: boolean;
  readonly blobs: boolean;
  /** Blobs copied at a time. */
  readonly concurrency: number;
  /** Minimum age in milliseconds of an orphaned blob before the transfer removes it. */
  readonly graceMs: number;
}

export interface TransferReport {
  /**
   * `complete`: the last pass found no difference between source and target. `behind`: the source changed during every pass.
   */
  outcome: 'complete' | 'behind' | 'stopped';
  /** Comparisons of source and target from the oldest image to the newest. */
  passes: number;
  /** Images of the source that the current pass has compared. */
  compared: number;
  /** Images added to the target. */
  images: number;
  /** Bytes of the blobs copied. */
  bytes: number;
  /** Images removed from the target because the source has deleted them since an earlier pass. */
  removed: number;
  /** Orphaned blobs of interrupted transfers that were removed from the target. */
  leftovers: number;
  /** Idempotency keys that the target knows. */
  keys: number;
  /** Images that were not copied because their bytes do not match their record. */
  findings: number;
}

export interface TransferOptions {
  /** Whether the target may contain the result of an earlier transfer of the same catalog. */
  readonly resume: boolean;
  /** Stops the transfer after the current step. */
  readonly stopped: AbortSignal;
  readonly onProgress: (report: Readonly<TransferReport>) => void;
  readonly onFinding: (finding: Finding) => void;
}

/** One execution. */
export interface TransferRun extends TransferOptions {
  readonly report: TransferReport;
  /** Ids of images that could not be copied. Each is tried once. */
  readonly failed: Set<number>;
}

/** Images recorded or looked up at a time. A kill repeats the copies of at most one batch. */
export const TRANSFER_BATCH_SIZE = 100;

/** The target cannot take this catalog. The transfer changed nothing, or nothing since it noticed. */
export class TransferRefused extends Error {
  constructor(
    /**
     * `not_empty`: the target has content, and the caller did not ask to resume. `foreign`: it belongs to another catalog.
     * `ahead`: it has given ids that the source has not, so a service has written to it.
     */
    readonly reason: 'not_empty' | 'foreign' | 'ahead',
  ) {
    super(`The target is ${reason.replace('_', ' ')}`);
  }
}
