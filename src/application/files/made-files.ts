import type { Image } from '../../domain/image/image.ts';
import type { ByteRange } from '../../domain/ports/bytes/blob-store.ts';
import { inMemory, type OpenedBlob } from '../../domain/ports/bytes/readable-bytes.ts';
import type {
  CachedRendition,
  RenditionCache,
  RenditionKey,
} from '../../domain/ports/bytes/rendition-cache.ts';
import type { TemporaryFile, TemporaryFiles } from '../../domain/ports/bytes/temporary-files.ts';
import type { EventLog } from '../../domain/ports/process/event-log.ts';
import type { AllImages } from '../../domain/ports/records/image-repository.ts';
import { SingleFlight } from '../concurrency/single-flight.ts';

interface MadeFilesStorage {
  readonly images: Pick<AllImages, 'findById'>;
  readonly cache: RenditionCache;
  readonly temporaryFiles: TemporaryFiles;
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

/**
 * Takes the bytes of a file that was made. When it resolves, they are needed no more.
 *
 * @throws {StorageUnavailable}
 */
export type Keep = (bytes: Uint8Array | AsyncIterable<Uint8Array>) => Promise<void>;

export interface WantedFile {
  readonly image: Image;
  /** In the cache, below the image. */
  readonly name: string;
  /** Calls `keep` once. Resolves without a call if the file cannot be made ahead. */
  readonly make: (signal: AbortSignal, keep: Keep) => Promise<void>;
}

interface MissingFile {
  readonly wanted: WantedFile;
  readonly key: RenditionKey;
  readonly isCacheReadable: boolean;
  readonly log: EventLog;
}

interface MadeFile {
  readonly bytes: Uint8Array | TemporaryFile;
  /** Whether a local cache may have it by now. */
  readonly isInLocalCache: boolean;
}

/** A response may hold as many. */
const MAX_HELD_BYTES = 256 * 1024;

/** A write in one piece: other requests run between two. */
const PIECE_BYTES = 1024 * 1024;

/** Beyond this, files that an unreadable cache has not taken yet are no longer written to it. */
const MAX_UNWRITTEN = 64;

/**
 * Files made of originals, each made once for all clients that ask at the same time. Only small ones are held in memory while they are
 * written and sent. The others are read from the cache, or from a temporary file if the cache cannot hold them or is not local.
 */
export class MadeFiles {
  private readonly making = new SingleFlight<MadeFile | undefined>();
  /** Files that an unreadable cache has not taken yet. */
  private readonly unwritten = new Map<string, MadeFile>();

  constructor(private readonly storage: MadeFilesStorage) {}

  /** Files being made. */
  get underWay(): number {
    return this.making.size;
  }

  /** @throws {StorageUnavailable} and what `wanted.make` throws */
  async open(wanted: WantedFile, client: RenditionClient, range?: ByteRange): Promise<OpenedRendition> {
    const { log } = client;
    const key = { uuid: wanted.image.uuid, name: wanted.name };
    const cached = await this.openCached(key, log, range);
    if (typeof cached === 'object') {
      return { bytes: cached, origin: cached.isFromMemory === true ? 'memory' : 'cache' };
    }
    const missing = { wanted, key, isCacheReadable: cached !== 'unreadable', log };
    let origin: RenditionOrigin = 'shared';
    const begin = (signal: AbortSignal): Promise<MadeFile | undefined> => {
      origin = 'made';
      return this.make(missing, signal);
    };
    const made = await this.making.join(pathOf(key), begin, client.leaving());
    // An earlier request has put it into the cache meanwhile, or it could not be made ahead.
    if (made === undefined) return await this.open(wanted, client, range);
    return { bytes: await this.openMade(key, made, log, range), origin };
  }

  /**
   * Makes a file that no client has requested yet. Clients that request it meanwhile share the work.
   *
   * @returns whether this call has made it
   * @throws {StorageUnavailable} and what `wanted.make` throws
   */
  async makeAhead(wanted: WantedFile, log: EventLog): Promise<boolean> {
    const key = { uuid: wanted.image.uuid, name: wanted.name };
    let isMade = false;
    const work = async (signal: AbortSignal): Promise<MadeFile | undefined> => {
      const made = await this.make({ wanted, key, isCacheReadable: true, log }, signal);
      isMade = made !== undefined;
      return made;
    };
    await this.making.join(pathOf(key), work, new AbortController().signal);
    return isMade;
  }

  /** `undefined` if the file is in the cache by now. */
  private async make(missing: MissingFile, signal: AbortSignal): Promise<MadeFile | undefined> {
    const { key, isCacheReadable, log } = missing;
    const unwritten = this.unwritten.get(pathOf(key));
    if (unwritten !== undefined) return unwritten;
    if (isCacheReadable && (await this.isCached(key, log))) return undefined;
    const bytes = await this.makeBytes(missing, signal);
    if (bytes === undefined) return undefined;
    const made = { bytes, isInLocalCache: isCacheReadable && this.storage.cache.isLocal };
    // A cache that cannot be read may hang when it is written as well: clients have waited for it once.
    if (isCacheReadable) await this.put(missing, made);
    else this.putLater(missing, made);
    return made;
  }

  /** `undefined` if the file cannot be made ahead, or if only the cache could take its bytes. */
  private async makeBytes(
    missing: MissingFile,
    signal: AbortSignal,
  ): Promise<Uint8Array | TemporaryFile | undefined> {
    let bytes: Uint8Array | TemporaryFile | undefined;
    try {
      await missing.wanted.make(signal, async (made) => {
        bytes = await this.hold(missing, made);
      });
      return bytes;
    } catch (error) {
      if (bytes !== undefined) release(bytes);
      throw error;
    }
  }

  /** `undefined` if only the cache could take the bytes. */
  private async hold(
    missing: MissingFile,
    bytes: Uint8Array | AsyncIterable<Uint8Array>,
  ): Promise<Uint8Array | TemporaryFile | undefined> {
    const { key, isCacheReadable, log } = missing;
    const isWhole = bytes instanceof Uint8Array;
    if (isWhole && bytes.length <= MAX_HELD_BYTES) return bytes;
    try {
      return await this.storage.temporaryFiles.write(isWhole ? piecesOf(bytes) : bytes);
    } catch (error) {
      if (!isWhole || !isCacheReadable) throw error;
      await this.store(missing, bytes).catch(() => undefined);
      if (await this.isCached(key, log)) return undefined;
      throw error;
    }
  }

  /** The cached file needs no space in addition. */
  private async openMade(
    key: RenditionKey,
    { bytes, isInLocalCache }: MadeFile,
    log: EventLog,
    range: ByteRange | undefined,
  ): Promise<OpenedBlob> {
    if (bytes instanceof Uint8Array) return rangeOf(bytes, range);
    const held = bytes.open(range);
    const cached = isInLocalCache ? await this.openCached(key, log, range) : undefined;
    if (typeof cached !== 'object') return held;
    await held.close();
    return cached;
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
    range?: ByteRange,
  ): Promise<CachedRendition | 'unreadable' | undefined> {
    try {
      return await this.storage.cache.open(key, range);
    } catch (error) {
      log.warn({ err: error }, 'rendition cache not readable');
      return 'unreadable';
    }
  }

  /** Serves the bytes as they were made until the cache has taken them. */
  private putLater(missing: MissingFile, made: MadeFile): void {
    const path = pathOf(missing.key);
    if (this.unwritten.size >= MAX_UNWRITTEN) {
      release(made.bytes);
      return;
    }
    this.unwritten.set(path, made);
    void this.put(missing, made).finally(() => this.unwritten.delete(path));
  }

  /** Never rejects. */
  private async put(missing: MissingFile, { bytes }: MadeFile): Promise<void> {
    try {
      await this.store(missing, bytes);
    } catch (error) {
      missing.log.warn({ err: error }, 'rendition not cached');
    } finally {
      release(bytes);
    }
  }

  /** @throws {StorageUnavailable} */
  private async store(
    { wanted: { image }, key }: MissingFile,
    bytes: Uint8Array | TemporaryFile,
  ): Promise<void> {
    await this.storage.cache.put(key, bytes);
    // If the image was deleted meanwhile, its renditions were removed before this one came.
    if ((await this.storage.images.findById(image.id)) === undefined) {
      await this.storage.cache.removeAllOf(image.uuid);
    }
  }
}

function pathOf({ uuid, name }: RenditionKey): string {
  return `${uuid}/${name}`;
}

function release(bytes: Uint8Array | TemporaryFile): void {
  if (!(bytes instanceof Uint8Array)) bytes.release();
}

function rangeOf(bytes: Uint8Array, range: ByteRange | undefined): OpenedBlob {
  if (range === undefined) return inMemory(bytes);
  return { ...inMemory(bytes.subarray(range.start, range.end + 1)), size: bytes.length };
}

function* piecesOf(bytes: Uint8Array): Generator<Uint8Array, void, undefined> {
  for (let at = 0; at < bytes.length; at += PIECE_BYTES) yield bytes.subarray(at, at + PIECE_BYTES);
}
