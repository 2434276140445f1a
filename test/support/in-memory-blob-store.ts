import type { BlobStore, ByteRange, OpenedBlob } from '../../src/domain/ports/blob-store.ts';
import type { StagedFile } from '../../src/domain/ports/staging-area.ts';
import { collect, streamOf } from './bytes.ts';

export class InMemoryBlobStore implements BlobStore {
  readonly #blobs = new Map<string, Uint8Array>();
  readonly #opened = new Set<symbol>();

  get keys(): readonly string[] {
    return [...this.#blobs.keys()];
  }

  /** How many opened blobs were neither read to their end, nor left, nor closed. */
  get openCount(): number {
    return this.#opened.size;
  }

  async put(key: string, file: StagedFile): Promise<void> {
    this.#blobs.set(key, await collect(file.read()));
  }

  async open(key: string, range?: ByteRange): Promise<OpenedBlob | undefined> {
    const blob = this.#blobs.get(key);
    if (blob === undefined) return undefined;
    const handle = Symbol(key);
    this.#opened.add(handle);
    const release = (): void => void this.#opened.delete(handle);
    const wanted = range === undefined ? blob : blob.subarray(range.start, range.end + 1);
    return { size: blob.byteLength, bytes: released(wanted, release), close: async () => release() };
  }

  async remove(key: string): Promise<void> {
    this.#blobs.delete(key);
  }

  async ping(): Promise<void> {}
}

async function* released(bytes: Uint8Array, release: () => void): AsyncGenerator<Uint8Array> {
  try {
    yield* streamOf(bytes);
  } finally {
    release();
  }
}
