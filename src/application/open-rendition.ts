import type { Image } from '../domain/image/image.ts';
import { type Rendition, renditionName } from '../domain/image/rendition.ts';
import type { EventLog } from '../domain/ports/event-log.ts';
import type { ImageRepository } from '../domain/ports/image-repository.ts';
import { inMemory, type OpenedBlob } from '../domain/ports/readable-bytes.ts';
import type { RenditionCache, RenditionKey } from '../domain/ports/rendition-cache.ts';
import type { RenditionMaker } from '../domain/ports/rendition-maker.ts';
import type { OpenImageFile } from './open-image-file.ts';
import { SharedWork, type Work } from './shared-work.ts';

export interface RenditionStorage {
  readonly images: ImageRepository;
  readonly cache: RenditionCache;
}

/** The client that a rendition is opened for. */
export interface RenditionClient {
  /** Gives a signal that is aborted when the client leaves; work that others wait for goes on. */
  readonly leaving: () => AbortSignal;
  /** Has a share of the renditions that wait to be made. */
  readonly subject: string;
}

interface MissingRendition {
  readonly key: RenditionKey;
  readonly isCacheReadable: boolean;
  /** Of the client that asked first. */
  readonly subject: string;
}

/** Opens a rendition of an image: from the cache, or made now, once for everybody who asks for it at the same time. */
export class OpenRendition {
  private readonly work = new SharedWork<Uint8Array | undefined>();

  constructor(
    private readonly storage: RenditionStorage,
    private readonly openImageFile: OpenImageFile,
    private readonly maker: RenditionMaker,
    private readonly log: EventLog,
  ) {}

  /** Names the bytes of a rendition without making it: the same text, the same bytes. Printable ASCII without quotes. */
  identify(image: Image, rendition: Rendition): string {
    return `${image.sha256}/${this.nameOf(rendition)}`;
  }

  /**
   * @throws {ImageNotFound | BlobLost | ImageBeyondLimits | InvalidImage | Overloaded | StorageUnavailable}
   */
  async execute(image: Image, rendition: Rendition, client: RenditionClient): Promise<OpenedBlob> {
    const key = { uuid: image.uuid, name: this.nameOf(rendition) };
    const cached = await this.openCached(key);
    if (typeof cached === 'object') return cached;
    const work = this.making(image, rendition, {
      key,
      isCacheReadable: cached !== 'unreadable',
      subject: client.subject,
    });
    const made = await this.work.join(`${key.uuid}/${key.name}`, work, client.leaving());
    // Nothing was made because another request had just done so.
    return made === undefined ? await this.execute(image, rendition, client) : inMemory(made);
  }

  private nameOf(rendition: Rendition): string {
    return `${this.maker.version}-${renditionName(rendition)}`;
  }

  private making(
    image: Image,
    rendition: Rendition,
    { key, isCacheReadable, subject }: MissingRendition,
  ): Work<Uint8Array | undefined> {
    return async (signal, tell) => {
      // Between a request's look into the cache and here, the one before it may have come to its end.
      if (isCacheReadable && (await this.isCached(key))) return undefined;
      const source = { image, open: () => this.openImageFile.execute(image) };
      const bytes = await this.maker.make(source, rendition, { signal, subject });
      // A cache that could not be read may hang as well: clients have waited for it once.
      if (!isCacheReadable) tell(bytes);
      await this.keep(image, key, bytes);
      return bytes;
    };
  }

  private async isCached(key: RenditionKey): Promise<boolean> {
    const cached = await this.openCached(key);
    if (typeof cached !== 'object') return false;
    await cached.close();
    return true;
  }

  /** A cache that cannot be read is slow, not broken. */
  private async openCached(key: RenditionKey): Promise<OpenedBlob | 'unreadable' | undefined> {
    try {
      return await this.storage.cache.open(key);
    } catch (error) {
      this.log.warn({ err: error }, 'rendition cache not readable');
      return 'unreadable';
    }
  }

  private async keep(image: Image, key: RenditionKey, bytes: Uint8Array): Promise<void> {
    try {
      await this.storage.cache.put(key, bytes);
      // The image may have been deleted meanwhile, and its renditions with it: this one came too late for that.
      if ((await this.storage.images.findById(image.id)) === undefined)
        await this.storage.cache.removeAllOf(image.uuid);
    } catch (error) {
      this.log.warn({ err: error }, 'rendition not cached');
    }
  }
}
