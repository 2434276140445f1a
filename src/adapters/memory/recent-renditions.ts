import { LRUCache } from 'lru-cache';
import { inMemory, type OpenedBlob } from '../../domain/ports/blob-store.ts';
import type { RenditionCache, RenditionKey } from '../../domain/ports/rendition-cache.ts';

export interface RecentRenditionsLimits {
  /** Of all that are remembered together, with what each takes besides its bytes. */
  readonly maxBytes: number;
  /** Of one; a larger one costs so much to send that finding it does not matter. */
  readonly maxEntryBytes: number;
  /** After so many milliseconds the cache behind is asked again: it is to know what is in use, and may have been emptied. */
  readonly maxAgeMs: number;
}

/** What one takes besides its bytes: its name, its place in the order, the object around its bytes. */
const ENTRY_BYTES = 1024;

export const RECENT_RENDITIONS: RecentRenditionsLimits = {
  maxBytes: 16 * 1024 * 1024,
  maxEntryBytes: 256 * 1024,
  maxAgeMs: 60_000,
};

/**
 * Remembers the renditions that were used last, in front of a cache that has to fetch them: what a page of thumbnails shows
 * is asked for by everybody who opens it. Nobody is given one of an image that is gone, since its record is looked at first.
 */
export class RecentRenditions implements RenditionCache {
  private readonly recent: LRUCache<string, Uint8Array>;

  /** @param now milliseconds of a clock that never goes back */
  constructor(
    private readonly cache: RenditionCache,
    { maxBytes, maxEntryBytes, maxAgeMs }: RecentRenditionsLimits,
    now: () => number = () => performance.now(),
  ) {
    this.recent = new LRUCache({
      maxSize: maxBytes,
      maxEntrySize: maxEntryBytes + ENTRY_BYTES,
      // Small ones may lie in a buffer that others share, which each of them keeps.
      sizeCalculation: ({ buffer }) => buffer.byteLength + ENTRY_BYTES,
      ttl: maxAgeMs,
      // Asks the clock each time, and sets no timers.
      ttlResolution: 0,
      perf: { now },
    });
  }

  async open(key: RenditionKey): Promise<OpenedBlob | undefined> {
    const bytes = this.recent.get(nameOf(key));
    if (bytes !== undefined) return inMemory(bytes);
    const opened = await this.cache.open(key);
    if (opened?.bytes instanceof Uint8Array) this.recent.set(nameOf(key), opened.bytes);
    return opened;
  }

  async put(key: RenditionKey, bytes: Uint8Array): Promise<void> {
    await this.cache.put(key, bytes);
    this.recent.set(nameOf(key), bytes);
  }

  async removeAllOf(uuid: string): Promise<void> {
    for (const name of this.recent.keys()) if (name.startsWith(`${uuid}/`)) this.recent.delete(name);
    await this.cache.removeAllOf(uuid);
  }

  listImages(): AsyncIterable<string> {
    return this.cache.listImages();
  }
}

function nameOf({ uuid, name }: RenditionKey): string {
  return `${uuid}/${name}`;
}
