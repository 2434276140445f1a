import { isUnfinished } from './is-unfinished.ts';
import type { HoldKind } from './upload-error.ts';
import type { UploadItem, UploadKind, UploadState } from './upload-item.ts';

export interface Hold {
  readonly kind: HoldKind | 'offline';
  /** That is missing. */
  readonly scope?: string | undefined;
  /** For the operator. */
  readonly requestId?: string | undefined;
  /** Whether the queue tries again by itself. */
  readonly retries: boolean;
}

/** What was left out of folders. */
export interface Skipped {
  /** All of it: files that are no pictures, and what systems keep. A dropped folder of a system counts once. */
  readonly files: number;
  /** How many of them are HEIC pictures. */
  readonly heic: number;
  /** How many of them systems and storage devices keep, such as thumbnails and deleted files. */
  readonly system: number;
}

export type UploadCounts = Readonly<Record<UploadKind, number>>;

/** Of all uploads in the list. */
export interface UploadSummary {
  /** Unfinished: waiting, under way or paused. */
  readonly waiting: number;
  readonly uploaded: number;
  /** 0 to 1, of the bytes, since the queue was last empty. */
  readonly progress: number;
  readonly counts: UploadCounts;
  readonly skipped: Skipped;
  /** Folders are being read. */
  readonly reading: boolean;
  /** By the user, all of them. */
  readonly paused: boolean;
  readonly hold: Hold | undefined;
  /** The space has no room for more. */
  readonly full: boolean;
}

export const NO_COUNTS: UploadCounts = {
  waiting: 0,
  hashing: 0,
  checking: 0,
  uploading: 0,
  paused: 0,
  uploaded: 0,
  known: 0,
  repeated: 0,
  refused: 0,
  failed: 0,
  cancelled: 0,
};

export const EMPTY_SUMMARY: UploadSummary = {
  waiting: 0,
  uploaded: 0,
  progress: 0,
  counts: NO_COUNTS,
  skipped: { files: 0, heic: 0, system: 0 },
  reading: false,
  paused: false,
  hold: undefined,
  full: false,
};

/** A small file costs a request as well. */
const BYTES_OF_REQUEST = 65_536;

/** Counts as the states change, so that a change costs the same for one file and for thousands. */
export class UploadTotals {
  readonly #counts: Record<UploadKind, number> = { ...NO_COUNTS };
  #unfinished = 0;
  /** Since the queue was last empty. */
  #done = 0;
  #total = 0;

  get unfinished(): number {
    return this.#unfinished;
  }

  get counts(): UploadCounts {
    return { ...this.#counts };
  }

  get progress(): number {
    return this.#total === 0 ? 0 : Math.min(1, this.#done / this.#total);
  }

  add({ size, state }: UploadItem): void {
    const { kind } = state.get();
    this.#counts[kind] += 1;
    if (isUnfinished(state.get())) this.#begin(size);
  }

  /** Of a file that is finished. */
  remove({ state }: UploadItem): void {
    this.#counts[state.get().kind] -= 1;
  }

  change({ size }: UploadItem, before: UploadState, after: UploadState): void {
    this.#counts[before.kind] -= 1;
    this.#counts[after.kind] += 1;
    // A file that is tried again counts as another one.
    if (!isUnfinished(before)) {
      if (isUnfinished(after)) this.#begin(size);
      return;
    }
    this.#done += doneBytes(size, after) - doneBytes(size, before);
    if (!isUnfinished(after)) this.#unfinished -= 1;
  }

  #begin(size: number): void {
    if (this.#unfinished === 0) {
      this.#total = 0;
      this.#done = 0;
    }
    this.#unfinished += 1;
    this.#total += size + BYTES_OF_REQUEST;
  }
}

function doneBytes(size: number, state: UploadState): number {
  if (state.kind === 'uploading') return state.sent;
  return isUnfinished(state) ? 0 : size + BYTES_OF_REQUEST;
}
