import type { ReadableBytes } from './readable-bytes.ts';

/**
 * A file that has arrived whole and is not part of the catalog yet. It can be read more than once. A blob store may move it from
 * its path, if the staging area makes files durable.
 */
export interface StagedFile extends ReadableBytes {
  /** Lower-case hex. */
  readonly sha256: string;
  /** The first bytes: `SIGNATURE_BYTES` or more if the file has as many. */
  readonly head: Uint8Array;

  /** Removes the file; does nothing if it is gone or has become a blob. Never rejects: the sweeper removes what stays. */
  discard(): Promise<void>;
}

export interface StagingLimits {
  /** A file of exactly this many bytes passes. */
  readonly maxBytes: number;
  /** Is called with the first bytes as soon as they have arrived. Throws to refuse the file without reading the rest. */
  readonly checkHead: (head: Uint8Array) => void;
}

export interface Leftovers {
  /** For `removeLeftover`. */
  readonly names: readonly string[];
  /** Files that the staging area did not make and does not touch; named so that an operator finds them. */
  readonly foreign: readonly string[];
}

/** Holds uploads until they are proven to be images. */
export interface StagingArea {
  /**
   * Writes a stream to a file, in bounded memory. If it rejects, it leaves no file.
   *
   * @throws {FileTooLarge} as soon as more than `maxBytes` have arrived
   * @throws {StorageUnavailable} if the file cannot be written
   * @throws what the stream or `checkHead` throws, as it is
   */
  receive(bytes: AsyncIterable<Uint8Array>, limits: StagingLimits): Promise<StagedFile>;

  /**
   * Finds files that no upload needs any more: those of processes that are gone. A process on another machine cannot be seen: its
   * files count if they were last written before `unseenBefore`.
   */
  findLeftovers(unseenBefore: Date): Promise<Leftovers>;

  /** Removes a file that `findLeftovers` has found. */
  removeLeftover(name: string): Promise<void>;
}
