export interface ReadableBytes {
  /** Bytes of the whole file, even if opened for a range. */
  readonly size: number;

  /** All bytes that `read` gives. Shared with other readers: not to be changed. */
  readonly buffered?: Uint8Array | undefined;

  /** Libraries that read files themselves take it. */
  readonly localPath?: string | undefined;

  read(): AsyncIterable<Uint8Array>;
}

/** Bytes that hold a file or a connection, and are read once. Reading to the end, or leaving early, releases it. */
export interface OpenedBlob extends ReadableBytes {
  /** Releases what reading has not released. */
  close(): Promise<void>;
}

export function inMemory(bytes: Uint8Array): OpenedBlob {
  return { size: bytes.length, buffered: bytes, read: () => once(bytes), close: async () => undefined };
}

async function* once(bytes: Uint8Array): AsyncGenerator<Uint8Array, void, undefined> {
  yield bytes;
}
