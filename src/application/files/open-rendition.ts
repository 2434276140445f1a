import { ImageNotFound, Overloaded } from '../../domain/errors.ts';
import type { Image } from '../../domain/image/image.ts';
import { CLEAN, type Derivative, derivativeName, type Rendition } from '../../domain/image/rendition.ts';
import { markOf } from '../../domain/link/shared-page.ts';
import { inMemory, type OpenedBlob } from '../../domain/ports/bytes/readable-bytes.ts';
import type {
  CachedRendition,
  RenditionCache,
  RenditionKey,
} from '../../domain/ports/bytes/rendition-cache.ts';
import type { RenditionMaker, RenditionRequester } from '../../domain/ports/pictures/rendition-maker.ts';
import type { EventLog } from '../../domain/ports/process/event-log.ts';
import type { AllImages } from '../../domain/ports/records/image-repository.ts';
import { SingleFlight } from '../concurrency/single-flight.ts';
import type { OpenImageFile } from './open-image-file.ts';
import type { RecentUploads } from './recent-uploads.ts';

interface RenditionStorage {
  readonly images: Pick<AllImages, 'findById'>;
  readonly cache: RenditionCache;
  /** Their pixels save a decode. */
  readonly uploads: RecentUploads;
}

export interface RenditionClient {
  /** Aborted when the client leaves. Work that others wait for goes on. */
  readonly leaving: () => AbortSignal;
  /** Has a share of the waiting renditions. */
  readonly subject: string;
  /** The log of the request. */
  readonly log: EventLog;
}

/** `shared`: another request has had it made at the same time. */
type RenditionOrigin = 'memory' | 'cache' | 'made' | 'shared';

export interface OpenedRendition {
  readonly bytes: OpenedBlob;
  readonly origin: RenditionOrigin;
}

interface MissingRendition {
  readonly image: Image;
  readonly rendition: Derivative;
  readonly key: RenditionKey;
  readonly isCacheReadable: boolean;
  /** The client that asked first. */
  readonly requester: Omit<RenditionRequester, 'signal'>;
  readonly log: EventLog;
}

/** No subject: it waits for nothing, so it has no share. */
const AHEAD = { subject: '', isAhead: true } as const;

/** Makes a rendition, or the parts of a clean file as JSON, once for all clients that ask at the same time. */
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

  /** Equal texts mean equal bytes. Printable ASCII without quotes. That of a clean file does not have the digest of the original. */
  identify(image: Image, rendition: Derivative): string {
    const original = rendition === CLEAN ? `${image.id}-${markOf(image.uuid)}` : image.sha256;
    return `${original}/${this.nameOf(rendition)}`;
  }

  /** @throws {ImageNotFound | BlobLost | ImageBeyondLimits | InvalidImage | Overloaded | StorageUnavailable} */
  async execute(image: Image, rendition: Derivative, client: RenditionClient): Promise<OpenedRendition> {
    const key = { uuid: image.uuid, name: this.nameOf(rendition) };
    const { subject, log } = client;
    const cached = await this.openCached(key, log);
    if (typeof cached === 'object') {
      return { bytes: cached, origin: cached.isFromMemory === true ? 'memory' : 'cache' };
    }
    const isCacheReadable = cached !== 'unreadable';
    const missing = { image, rendition, key, isCacheReadable, requester: { subject }, log };
    let origin: RenditionOrigin = 'shared';
    const begin = (signal: AbortSignal): Promise<Uint8Array | undefined> => {
      origin = 'made';
      return this.make(missing, signal);
    };
    const made = await this.making.join(pathOf(key), begin, client.leaving());
    // An earlier request has put it into the cache meanwhile, or it could not be made ahead.
    return made === undefined
      ? await this.execute(image, rendition, client)
      : { bytes: inMemory(made), origin };
  }

  /**
   * Makes a rendition that no client has requested yet, if it takes nothing from others. Clients that request it meanwhile share
   * the work. Never rejects.
   *
   * @returns whether this call has made it
   */
  async makeAhead(image: Image, rendition: Rendition): Promise<boolean> {
    const key = { uuid: image.uuid, name: this.nameOf(rendition) };
    const missing = { image, rendition, key, isCacheReadable: true, requester: AHEAD, log: this.log };
    let isMade = false;
    const work = async (signal: AbortSignal): Promise<Uint8Array | undefined> => {
      const made = await this.make(missing, signal).catch((error: unknown) => this.giveUp(image, error));
      isMade = made !== undefined;
      return made;
    };
    await this.making.join(pathOf(key), work, new AbortController().signal).catch(() => undefined);
    return isMade;
  }

  /** A client that waits makes the rendition itself, and gets its own error. */
  private giveUp({ id }: Image, error: unknown): undefined {
    const isExpected = error instanceof Overloaded || error instanceof ImageNotFound;
    if (!isExpected) this.log.warn({ err: error, imageId: id }, 'rendition not made ahead');
    return undefined;
  }

  private nameOf(rendition: Derivative): string {
    return `${this.maker.version}-${derivativeName(rendition)}`;
  }

  /** `undefined` if the rendition is in the cache by now. */
  private async make(missing: MissingRendition, signal: AbortSignal): Promise<Uint8Array | undefined> {
    const { image, rendition, key, isCacheReadable, requester, log } = missing;
    const unwritten = this.unwritten.get(pathOf(key));
    if (unwritten !== undefined) return unwritten;
    if (isCacheReadable && (await this.isCached(key, log))) return undefined;
    const pixels = this.storage.uploads.pixelsOf(image);
    const source = { image, pixels, open: () => this.openImageFile.execute(image) };
    const bytes = await this.maker.make(source, rendition, { ...requester, signal });
    // A cache that cannot be read may hang when it is written as well: clients have waited for it once.
    if (isCacheReadable) await this.keep(missing, bytes);
    else this.keepLater(missing, bytes);
    return bytes;
  }

  private async isCached(key: RenditionKey, log: EventLog): Promise<boolean> {
    const cached = await this.openCached(key, log);
    if (typeof cached !== 'object') return false;
    await cached.close();
    return true;
  }

  /** A cache that cannot be read slows requests down and fails none. */
  private async openCached(
    key: RenditionKey,
    log: EventLog,
  ): Promise<CachedRendition | 'unreadable' | undefined> {
    try {
      return await this.storage.cache.open(key);
    } catch (error) {
      log.warn({ err: error }, 'rendition cache not readable');
      return 'unreadable';
    }
  }

  /** Serves the bytes from memory until the cache has taken them. */
  private keepLater(missing: MissingRendition, bytes: Uint8Array): void {
    const path = pathOf(missing.key);
    this.unwritten.set(path, bytes);
    void this.keep(missing, bytes).finally(() => this.unwritten.delete(path));
  }

  /** Never rejects. */
  private async keep({ image, key, log }: MissingRendition, bytes: Uint8Array): Promise<void> {
    try {
      await this.storage.cache.put(key, bytes);
      // If the image was deleted meanwhile, its renditions were removed before this one came.
      if ((await this.storage.images.findById(image.id)) === undefined) {
        await this.storage.cache.removeAllOf(image.uuid);
      }
    } catch (error) {
      log.warn({ err: error }, 'rendition not cached');
    }
  }
}

function pathOf({ uuid, name }: RenditionKey): string {
  return `${uuid}/${name}`;
}
