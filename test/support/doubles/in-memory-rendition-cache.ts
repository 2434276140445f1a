import type { BlobKey } from '../../../src/domain/image/blob-key.ts';
import { inMemory, type OpenedBlob } from '../../../src/domain/ports/readable-bytes.ts';
import type { RenditionCache, RenditionKey } from '../../../src/domain/ports/rendition-cache.ts';

/** Unbounded. */
export class InMemoryRenditionCache implements RenditionCache {
  readonly #renditions = new Map<BlobKey, Map<string, Uint8Array>>();

  /** `<uuid>/<name>` of all cached renditions. */
  get keys(): readonly string[] {
    return [...this.#renditions].flatMap(([uuid, renditions]) =>
      [...renditions.keys()].map((name) => `${uuid}/${name}`),
    );
  }

  async open({ uuid, name }: RenditionKey): Promise<OpenedBlob | undefined> {
    const bytes = this.#renditions.get(uuid)?.get(name);
    return bytes && inMemory(bytes);
  }

  async put({ uuid, name }: RenditionKey, bytes: Uint8Array): Promise<void> {
    this.#renditions.set(uuid, new Map([...(this.#renditions.get(uuid) ?? []), [name, bytes]]));
  }

  async *listImages(): AsyncGenerator<BlobKey> {
    yield* this.#renditions.keys();
  }

  async removeAllOf(uuid: BlobKey): Promise<void> {
    this.#renditions.delete(uuid);
  }
}
