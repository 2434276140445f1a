import type { BlobKey } from '../../../src/domain/image/blob-key.ts';
import type { ByteRange } from '../../../src/domain/ports/bytes/blob-store.ts';
import { inMemory, type OpenedBlob } from '../../../src/domain/ports/bytes/readable-bytes.ts';
import type { RenditionCache, RenditionKey } from '../../../src/domain/ports/bytes/rendition-cache.ts';
import type { TemporaryFile } from '../../../src/domain/ports/bytes/temporary-files.ts';
import type { Clock } from '../../../src/domain/ports/process/clock.ts';
import { collect } from '../fixtures/bytes.ts';
import { RecentRemovals } from './recent-removals.ts';

/** Unbounded. */
export class InMemoryRenditionCache implements RenditionCache {
  readonly isLocal = true;
  readonly #renditions = new Map<BlobKey, Map<string, Uint8Array>>();
  readonly #removals: RecentRemovals<BlobKey, Map<string, Uint8Array>>;

  constructor(clock: Clock = { now: () => new Date() }) {
    this.#removals = new RecentRemovals(clock);
  }

  /** `<uuid>/<name>` of all cached renditions. */
  get keys(): readonly string[] {
    return [...this.#renditions].flatMap(([uuid, renditions]) =>
      [...renditions.keys()].map((name) => `${uuid}/${name}`),
    );
  }

  async open({ uuid, name }: RenditionKey, range?: ByteRange): Promise<OpenedBlob | undefined> {
    const bytes = this.#renditions.get(uuid)?.get(name);
    if (bytes === undefined || range === undefined) return bytes && inMemory(bytes);
    return { ...inMemory(bytes.subarray(range.start, range.end + 1)), size: bytes.length };
  }

  async put({ uuid, name }: RenditionKey, file: Uint8Array | TemporaryFile): Promise<void> {
    const bytes = file instanceof Uint8Array ? file : await collect(file.read());
    this.#renditions.set(uuid, new Map([...(this.#renditions.get(uuid) ?? []), [name, bytes]]));
  }

  async *listImages(prefix = ''): AsyncGenerator<BlobKey> {
    for (const uuid of this.#renditions.keys()) if (uuid.startsWith(prefix)) yield uuid;
  }

  async removeAllOf(uuid: BlobKey): Promise<void> {
    const removed = this.#renditions.get(uuid);
    if (removed !== undefined) this.#removals.add(uuid, removed);
    this.#renditions.delete(uuid);
  }

  /** A power cut: nothing has promised that renditions and their removals are durable. */
  loseUnsynced(isLost: () => boolean): void {
    for (const uuid of this.#renditions.keys()) if (isLost()) this.#renditions.delete(uuid);
    for (const [uuid, removed] of this.#removals.recent()) if (isLost()) this.#renditions.set(uuid, removed);
  }
}
