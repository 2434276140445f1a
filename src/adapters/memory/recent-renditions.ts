import { LRUCache } from 'lru-cache';
import type { BlobKey } from '../../domain/image/blob-key.ts';
import { inMemory } from '../../domain/ports/bytes/readable-bytes.ts';
import type {
  CachedRendition,
  RenditionCache,
  RenditionKey,
} from '../../domain/ports/bytes/rendition-cache.ts';

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

  async open(key: RenditionKey): Promise<CachedRendition | undefined> {
    const bytes = this.recent.get(nameOf(key));
    if (bytes !== undefined) return { ...inMemory(bytes), isFromMemory: true };
    const opened = await this.cache.open(key);
    if (opened?.buffered !== undefined) this.recent.set(nameOf(key), opened.buffered);
    return opened;
  }

  async put(key: RenditionKey, bytes: Uint8Array): Promise<void> {
    await this.cache.put(key, bytes);
    this.recent.set(nameOf(key), bytes);
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
