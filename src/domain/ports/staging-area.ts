import type { ReadableBytes } from './readable-bytes.ts';

/**
 * A file that has arrived whole and is not part of the catalog yet. It can be read more than once. A blob store may move it from
 * its path, if the staging area makes files durable.
 */
export interface StagedFile extends ReadableBytes {
  /** Lower-case hex. */
  readonly sha256: string;
  /** The first bytes, `SIGNATURE_BYTES` at least where the file has as many. */
  readonly head: Uint8Array;

  /** Removes the file; nothing happens where it is gone or has become a blob. Never rejects: leftovers are swept. */
  discard(): Promise<void>;
}

export interface StagingLimits {
  /** A file of exactly this many bytes passes. */
  readonly maxBytes: number;
  /** Sees the first bytes as soon as they are there; throws to refuse the file without reading the rest. */
  readonly checkHead: (head: Uint8Array) => void;
}

export interface Leftovers {
  /** For `removeLeftover`. */
  readonly names: readonly string[];
  /** What the staging area has not put there, and leaves alone; named so that an operator finds it. */
  readonly foreign: readonly string[];
}

/** Where uploads are kept until they are proven to be images. */
export interface StagingArea {
  /**
   * Takes in a stream, without holding it whole in memory. When it rejects, nothing is left behind.
   *
   * @throws {FileTooLarge} as soon as more than `maxBytes` have come
   * @throws {StorageUnavailable} where the file cannot be written
   * @throws what the stream or `checkHead` throws, as it is
   */
  receive(bytes: AsyncIterable<Uint8Array>, limits: StagingLimits): Promise<StagedFile>;

  /**
   * Finds what no upload needs any more: files of processes that are gone and, of processes that cannot be seen from here,
   * files that nobody has written to since `unseenBefore`.
   */
  findLeftovers(unseenBefore: Date): Promise<Leftovers>;

  /** Removes a file that `findLeftovers` has found. */
  removeLeftover(name: string): Promise<void>;
}
