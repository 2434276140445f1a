import { StorageUnavailable } from '../../../src/domain/errors.ts';
import type { BlobKey } from '../../../src/domain/image/blob-key.ts';
import type {
  BlobStorage,
  ByteRange,
  FoundBlob,
  StoreEntry,
} from '../../../src/domain/ports/bytes/blob-store.ts';
import { inMemory, type OpenedBlob } from '../../../src/domain/ports/bytes/readable-bytes.ts';
import type { StagedFile } from '../../../src/domain/ports/bytes/staging-area.ts';
import type { Clock } from '../../../src/domain/ports/process/clock.ts';
import { collect, streamOf } from '../fixtures/bytes.ts';
import { type Calls, UNINTERRUPTED } from './calls.ts';
import { RecentRemovals } from './recent-removals.ts';

/** Up to this many bytes are returned at once, and more as a stream: callers must support both. */
const GIVEN_AT_ONCE_BYTES = 65_536;

export class InMemoryBlobStore implements BlobStorage {
  /** Foreign names that a test has added. */
  readonly foreign: string[] = [];
  readonly #blobs = new Map<BlobKey, Uint8Array>();
  readonly #modified = new Map<BlobKey, Date>();
  /** Begun puts, whose bytes readers do not see. */
  readonly #unfinished = new Map<BlobKey, Date>();
  readonly #removals: RecentRemovals<BlobKey, Uint8Array>;
  readonly #opened = new Set<symbol>();
  #owner: string | undefined;

  constructor(
    private readonly givenAtOnceBytes = GIVEN_AT_ONCE_BYTES,
    private readonly clock: Clock = { now: () => new Date() },
    private readonly calls: Calls = UNINTERRUPTED,
  ) {
    this.#removals = new RecentRemovals(clock);
  }

  get keys(): readonly BlobKey[] {
    return [...this.#blobs.keys()];
  }

  bytesOf(key: BlobKey): Uint8Array | undefined {
    return this.#blobs.get(key);
  }

  /** How many opened blobs were neither read to their end, nor abandoned, nor closed. */
  get openCount(): number {
    return this.#opened.size;
  }

  async put(key: BlobKey, file: StagedFile): Promise<void> {
    const call = this.calls.begin();
    const bytes = await collect(file.read());
    this.#unfinished.set(key, this.clock.now());
    await call.reach('finish');
    // Removed in the meantime: nothing is left to be renamed.
    if (!this.#unfinished.delete(key)) throw new StorageUnavailable();
    this.#blobs.set(key, bytes);
    this.#modified.set(key, this.clock.now());
    await file.discard();
  }

  async open(key: BlobKey, range?: ByteRange): Promise<OpenedBlob | undefined> {
    const blob = this.#blobs.get(key);
    if (blob === undefined) return undefined;
    const wanted = range === undefined ? blob : blob.subarray(range.start, range.end + 1);
    const opened = wanted.byteLength > this.givenAtOnceBytes ? this.#streamed(wanted) : givenAtOnce(wanted);
    return { ...opened, size: blob.byteLength };
  }

  async find(key: BlobKey): Promise<FoundBlob | undefined> {
    const blob = this.#blobs.get(key);
    return blob && { size: blob.byteLength };
  }

  async remove(key: BlobKey): Promise<void> {
    const bytes = this.#blobs.get(key);
    if (bytes !== undefined) this.#removals.add(key, bytes);
    this.#blobs.delete(key);
    this.#modified.delete(key);
    this.#unfinished.delete(key);
  }

  /** A power cut: nothing has promised that the last removals are durable. */
  loseUnsynced(isLost: () => boolean): void {
    for (const [key, bytes] of this.#removals.recent()) {
      if (!isLost()) continue;
      this.#blobs.set(key, bytes);
      this.#modified.set(key, this.clock.now());
    }
  }

  async *list(prefix = ''): AsyncGenerator<StoreEntry> {
    for (const [key, modified] of [...this.#modified, ...this.#unfinished]) {
      if (key.startsWith(prefix)) yield { kind: 'blob', key, modified };
    }
    for (const name of this.foreign) if (name.startsWith(prefix)) yield { kind: 'foreign', name };
  }

  async owner(): Promise<string | undefined> {
    return this.#owner;
  }

  async claim(catalogId: string): Promise<void> {
    this.#owner ??= catalogId;
  }

  async release(): Promise<void> {
    this.#owner = undefined;
  }

  async ping(): Promise<void> {}

  #streamed(bytes: Uint8Array): Omit<OpenedBlob, 'size'> {
    const handle = Symbol('opened blob');
    this.#opened.add(handle);
    const release = (): void => void this.#opened.delete(handle);
    return { read: () => released(bytes, release), close: async () => release() };
  }
}

function givenAtOnce(bytes: Uint8Array): Omit<OpenedBlob, 'size'> {
  return inMemory(Uint8Array.from(bytes));
}

async function* released(bytes: Uint8Array, release: () => void): AsyncGenerator<Uint8Array> {
  try {
    yield* streamOf(bytes);
  } finally {
    release();
  }
}
