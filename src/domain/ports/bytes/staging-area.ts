import type { ReadableBytes } from './readable-bytes.ts';

/** A file that has arrived whole and can be read more than once. A blob store may move it from its path. */
export interface StagedFile extends ReadableBytes {
  /** Lower-case hex. */
  readonly sha256: string;

  /** Never rejects: the sweeper removes what stays. */
  discard(): Promise<void>;
}

export interface StagingLimits {
  /** A file of exactly this many bytes passes. */
  readonly maxBytes: number;
  /** Called as soon as the first bytes have arrived: `SIGNATURE_BYTES` or more if the file has as many. Throws to refuse the file. */
  readonly checkHead: (head: Uint8Array) => void;
}

export interface OrphanedFiles {
  /** `removeOrphan` takes them. */
  readonly names: readonly string[];
  /** Files that the staging area did not make and does not touch. */
  readonly foreign: readonly string[];
}

/** Holds uploads until they are proven to be images. */
export interface StagingArea {
  /**
   * Works in bounded memory. If it rejects, it leaves no file.
   *
   * @param onStored called for chunks whose memory is not used any more, in their order
   * @throws {FileTooLarge | StorageUnavailable} and what the stream or `checkHead` throws
   */
  receive(
    bytes: AsyncIterable<Uint8Array>,
    limits: StagingLimits,
    onStored?: (chunk: Uint8Array) => void,
  ): Promise<StagedFile>;

  /**
   * Finds files of ended processes, and never those of a process that is known to run. One on another machine cannot be seen:
   * its files count if last written before `unseenBefore`.
   */
  findOrphans(unseenBefore: Date): Promise<OrphanedFiles>;

  removeOrphan(name: string): Promise<void>;
}
