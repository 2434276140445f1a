import { ImageNotFound, Overloaded } from '../domain/errors.ts';
import type { Image } from '../domain/image/image.ts';
import { type Rendition, renditionName } from '../domain/image/rendition.ts';
import type { EventLog } from '../domain/ports/event-log.ts';
import type { ImageRepository } from '../domain/ports/image-repository.ts';
import { inMemory, type OpenedBlob } from '../domain/ports/readable-bytes.ts';
import type { RenditionCache, RenditionKey } from '../domain/ports/rendition-cache.ts';
import type { RenditionMaker, RenditionRequester } from '../domain/ports/rendition-maker.ts';
import type { OpenImageFile } from './open-image-file.ts';
import type { RecentUploads } from './recent-uploads.ts';
import { SingleFlight } from './single-flight.ts';

export interface RenditionStorage {
  readonly images: ImageRepository;
  readonly cache: RenditionCache;
  /** Their pixels save a decode. */
  readonly uploads: RecentUploads;
}

export interface RenditionClient {
  /** Aborted when the client leaves. Work that others wait for goes on. */
  readonly leaving: () => AbortSignal;
  /** Has a share of the waiting renditions. */
  readonly subject: string;
}

interface MissingRendition {
  readonly image: Image;
  readonly rendition: Rendition;
  readonly key: RenditionKey;
  readonly isCacheReadable: boolean;
  /** The client that asked first. */
  readonly requester: Omit<RenditionRequester, 'signal'>;
}

/** No subject: it waits for nothing, so it has no share. */
const AHEAD = { subject: '', isAhead: true } as const;

/** Makes a rendition once for all clients that ask at the same time. */
export class OpenRendition {
  private readonly making = new SingleFlight<Uint8Array | undefined>();
  /** Renditions that an unreadable cache has not taken yet. */
  private readonly unwritten = new Map<string, Uint8Array>();

  constructor(
    private readonly storage: RenditionStorage,
    private readonly openImageFile: OpenImageFile,
    private readonly maker: RenditionMaker,
    private readonly log: EventLog,
  ) {}

  /** Renditions being made. */
  get underWay(): number {
    return this.making.size;
  }

  /** Equal texts mean equal bytes. Printable ASCII without quotes. */
  identify(image: Image, rendition: Rendition): string {
    return `${image.sha256}/${this.nameOf(rendition)}`;
  }

  /** @throws {ImageNotFound | BlobLost | ImageBeyondLimits | InvalidImage | Overloaded | StorageUnavailable} */
  async execute(image: Image, rendition: Rendition, client: RenditionClient): Promise<OpenedBlob> {
    const key = { uuid: image.uuid, name: this.nameOf(rendition) };
    const cached = await this.openCached(key);
    if (typeof cached === 'object') return cached;
    const requester = { subject: client.subject };
    const missing = { image, rendition, key, isCacheReadable: cached !== 'unreadable', requester };
    const made = await this.making.join(
      pathOf(key),
      (signal) => this.make(missing, signal),
      client.leaving(),
    );
    // An earlier request has put it into the cache meanwhile, or it could not be made ahead.
    return made === undefined ? await this.execute(image, rendition, client) : inMemory(made);
  }

  /**
   * Makes a rendition that no client has requested yet, if it takes nothing from others. Clients that request it meanwhile share
   * the work. Never rejects.
   */
  async makeAhead(image: Image, rendition: Rendition): Promise<void> {
    const key = { uuid: image.uuid, name: this.nameOf(rendition) };
    const missing = { image, rendition, key, isCacheReadable: true, requester: AHEAD };
    const work = (signal: AbortSignal): Promise<Uint8Array | undefined> =>
      this.make(missing, signal).catch((error: unknown) => this.giveUp(image, error));
    await this.making.join(pathOf(key), work, new AbortController().signal).catch(() => undefined);
  }

  /** A client that waits makes the rendition itself, and gets its own error. */
  private giveUp({ id }: Image, error: unknown): undefined {
    const isExpected = error instanceof Overloaded || error instanceof ImageNotFound;
    if (!isExpected) this.log.warn({ err: error, imageId: id }, 'rendition not made ahead');
    return undefined;
  }

  private nameOf(rendition: Rendition): string {
    return `${this.maker.version}-${renditionName(rendition)}`;
  }

  /** `undefined` if the rendition is in the cache by now. */
  private async make(missing: MissingRendition, signal: AbortSignal): Promise<Uint8Array | undefined> {
    const { image, rendition, key, isCacheReadable, requester } = missing;
    const unwritten = this.unwritten.get(pathOf(key));
    if (unwritten !== undefined) return unwritten;
    if (isCacheReadable && (await this.isCached(key))) return undefined;
    const pixels = this.storage.uploads.pixelsOf(image);
    const source = { image, pixels, open: () => this.openImageFile.execute(image) };
    const bytes = await this.maker.make(source, rendition, { ...requester, signal });
    // A cache that cannot be read may hang when it is written as well: clients have waited for it once.
    if (isCacheReadable) await this.keep(image, key, bytes);
    else this.keepLater(image, key, bytes);
    return bytes;
  }

  private async isCached(key: RenditionKey): Promise<boolean> {
    const cached = await this.openCached(key);
    if (typeof cached !== 'object') return false;
    await cached.close();
    return true;
  }

  /** A cache that cannot be read slows requests down and fails none. */
  private async openCached(key: RenditionKey): Promise<OpenedBlob | 'unreadable' | undefined> {
    try {
      return await this.storage.cache.open(key);
    } catch (error) {
      this.log.warn({ err: error }, 'rendition cache not readable');
      return 'unreadable';
    }
  }

  /** Serves the bytes from memory until the cache has taken them. */
  private keepLater(image: Image, key: RenditionKey, bytes: Uint8Array): void {
    const path = pathOf(key);
    this.unwritten.set(path, bytes);
    void this.keep(image, key, bytes).finally(() => this.unwritten.delete(path));
  }

  /** Never rejects. */
  private async keep(image: Image, key: RenditionKey, bytes: Uint8Array): Promise<void> {
    try {
      await this.storage.cache.put(key, bytes);
      // If the image was deleted meanwhile, its renditions were removed before this one came.
      if ((await this.storage.images.findById(image.id)) === undefined)
        await this.storage.cache.removeAllOf(image.uuid);
    } catch (error) {
      this.log.warn({ err: error }, 'rendition not cached');
    }
  }
}

function pathOf({ uuid, name }: RenditionKey): string {
  return `${uuid}/${name}`;
}
