import { LRUCache } from 'lru-cache';
import type { BlobKey } from '../../domain/image/blob-key.ts';
import type { ByteRange } from '../../domain/ports/bytes/blob-store.ts';
import { inMemory } from '../../domain/ports/bytes/readable-bytes.ts';
import type {
  CachedRendition,
  RenditionCache,
  RenditionKey,
} from '../../domain/ports/bytes/rendition-cache.ts';
import type { TemporaryFile } from '../../domain/ports/bytes/temporary-files.ts';

/** Name, list entry, object. */
const ENTRY_BYTES = 1024;

const LIMITS = {
  maxBytes: 16 * 1024 * 1024,
  /** Sending a larger one costs far more than finding it. */
  maxEntryBytes: 256 * 1024,
  /** Then the cache behind is asked again: it may have been emptied. */
  maxAgeMs: 60_000,
};

/**
 * Holds only bytes that the encoder made or the cache behind has verified. Callers check the record first, so deleted images are
 * not served.
 */
export class RecentRenditions implements RenditionCache {
  private readonly recent: LRUCache<string, Uint8Array>;

  /** @param now monotonic milliseconds */
  constructor(
    private readonly cache: RenditionCache,
    { maxBytes, maxEntryBytes, maxAgeMs } = LIMITS,
    now: () => number = () => performance.now(),
  ) {
    this.recent = new LRUCache({
      maxSize: maxBytes,
      maxEntrySize: maxEntryBytes + ENTRY_BYTES,
      // A small rendition may keep a larger buffer that it shares with others.
      sizeCalculation: ({ buffer }) => buffer.byteLength + ENTRY_BYTES,
      ttl: maxAgeMs,
      // Reads the clock each time and sets no timers.
      ttlResolution: 0,
      perf: { now },
    });
  }

  get bytes(): number | undefined {
    return this.cache.bytes;
  }

  get isLocal(): boolean {
    return this.cache.isLocal;
  }

  async open(key: RenditionKey, range?: ByteRange): Promise<CachedRendition | undefined> {
    const bytes = this.recent.get(nameOf(key));
    if (bytes !== undefined) {
      const part = range === undefined ? bytes : bytes.subarray(range.start, range.end + 1);
      return { ...inMemory(part), size: bytes.length, isFromMemory: true };
    }
    const opened = await this.cache.open(key, range);
    // A range is not the whole file.
    if (opened?.buffered?.length === opened?.size) this.remember(key, opened?.buffered);
    return opened;
  }

  async put(key: RenditionKey, bytes: Uint8Array | TemporaryFile): Promise<void> {
    await this.cache.put(key, bytes);
    if (bytes instanceof Uint8Array) this.remember(key, bytes);
  }

  private remember(key: RenditionKey, bytes: Uint8Array | undefined): void {
    if (bytes !== undefined) this.recent.set(nameOf(key), bytes);
  }

  async removeAllOf(uuid: BlobKey): Promise<void> {
    for (const name of this.recent.keys()) if (name.startsWith(`${uuid}/`)) this.recent.delete(name);
    await this.cache.removeAllOf(uuid);
  }

  listImages(prefix?: string): AsyncIterable<BlobKey> {
    return this.cache.listImages(prefix);
  }
}

function nameOf({ uuid, name }: RenditionKey): string {
  return `${uuid}/${name}`;
}
