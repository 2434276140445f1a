import type { BlobListing, BlobOwnership, BlobStore } from '../../../domain/ports/bytes/blob-store.ts';
import type { StagingArea } from '../../../domain/ports/bytes/staging-area.ts';
import type { CatalogIdentity } from '../../../domain/ports/records/catalog-identity.ts';
import type { CopiedTables } from '../../../domain/ports/records/copied-tables.ts';
import type {
  AllImages,
  BlobReferences,
  ImageImport,
  ImageRepository,
} from '../../../domain/ports/records/image-repository.ts';
import type { InSpaces } from '../../../domain/ports/records/in-spaces.ts';
import type { NameNumbers } from '../../../domain/ports/records/names.ts';
import type { Trash, TrashTransfer } from '../../../domain/ports/records/trash.ts';
import type { Finding } from '../verify-catalog.ts';

export interface TransferSource {
  readonly identity: CatalogIdentity;
  readonly images: InSpaces<Pick<ImageRepository, 'removeById'>> & AllImages & BlobReferences & ImageImport;
  readonly trash: InSpaces<Pick<Trash, 'erase'>> & TrashTransfer;
  readonly names: NameNumbers;
  readonly tables: CopiedTables;
  readonly blobs: BlobStore;
}

export interface TransferTarget extends TransferSource {
  readonly blobs: BlobStore & BlobListing & BlobOwnership;
  readonly staging: StagingArea;
}

export interface TransferEnds {
  readonly source: TransferSource;
  readonly target: TransferTarget;
}

/** Source and target share a part that is not copied. */
export interface TransferPlan {
  readonly records: boolean;
  readonly blobs: boolean;
  /** Blobs copied at a time. */
  readonly jobs: number;
  /** Minimum age of an orphaned blob before it is removed. */
  readonly graceMs: number;
}

export interface TransferReport {
  /** `complete`: the last pass found no difference. `behind`: the source changed during every pass. */
  outcome: 'complete' | 'behind' | 'stopped';
  passes: number;
  /** Images and trash, in the current pass. */
  compared: number;
  /** Added to the target. */
  images: number;
  bytes: number;
  /** Images that the source has deleted since an earlier pass. */
  removed: number;
  /** Orphaned blobs of interrupted transfers. */
  leftovers: number;
  keys: number;
  /** Images whose bytes do not match their record. */
  findings: number;
}

export interface TransferOptions {
  /** Whether the target may contain an earlier transfer of the same catalog. */
  readonly resume: boolean;
  /** Stops after the current step. */
  readonly stopped: AbortSignal;
  readonly onProgress: (report: Readonly<TransferReport>) => void;
  readonly onFinding: (finding: Finding) => void;
}

export interface TransferRun extends TransferOptions {
  readonly report: TransferReport;
  /** Each is tried once. */
  readonly failed: Set<number>;
}

/** A kill repeats the copies of at most one batch. */
export const TRANSFER_BATCH_SIZE = 100;
