import type { ByteRange } from './blob-store.ts';
import type { OpenedBlob, ReadableBytes } from './readable-bytes.ts';

/** A file without a name: its space is free as soon as nobody holds it, and after a crash nothing is left. */
export interface TemporaryFile extends Pick<ReadableBytes, 'size' | 'read'> {
  /** Lower-case hex. */
  readonly sha256: string;

  /** Holds the file until the bytes are read or closed. */
  open(range?: ByteRange): OpenedBlob;

  /** Gives up the hold of whoever wrote the file, at the end of this turn of the event loop: until then others can open it. */
  release(): void;
}

export interface TemporaryFiles {
  /**
   * Works in bounded memory. If it rejects, it leaves no file.
   *
   * @throws {StorageUnavailable} and what the iteration throws
   */
  write(bytes: AsyncIterable<Uint8Array> | Iterable<Uint8Array>): Promise<TemporaryFile>;
}
