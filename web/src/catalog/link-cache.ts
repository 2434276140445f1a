import type { ImageCatalog, ImageRecord, LinkRendition } from '@image-catalog/client';
import { Store } from '../base/store.ts';
import { LinkMissing } from './link-missing.ts';

/** Makes the links. */
export type LinkSigner = Pick<ImageCatalog, 'links'>;

export interface ImageLinksOptions {
  /** Epoch ms. */
  readonly now?: () => number;
  /** Runs a batch when all requests of the present function are known: before the pictures are drawn, which takes longer. */
  readonly schedule?: (send: () => void) => void;
  /** What the service makes of every upload, as in 320:webp. */
  readonly prerendered?: readonly string[];
}

/** For `<img srcset>` of the grid. */
export interface GridSources {
  /** Of the renditions that the service has made already; `undefined` if there are none. */
  readonly quick: string | undefined;
  /** Of all; `undefined` while the page moves. */
  readonly sharp: string | undefined;
}

interface SignedSet {
  readonly urls: readonly string[];
  /** Epoch ms. */
  readonly goodUntil: number;
  /** Made at the first use. */
  sources?: GridSources;
}

interface LinkRequest {
  readonly id: number;
  readonly renditions: readonly LinkRendition[];
  /** Equal for equal renditions. */
  readonly key: string;
}

interface Waiting extends LinkRequest {
  readonly resolve: (urls: readonly string[]) => void;
  readonly reject: (error: unknown) => void;
}

const MAX_IDS = 500;

/** Two kilobytes each: some megabytes. More than forty screens. */
const MAX_KNOWN = 2500;

const LIFETIME_SECONDS = 3600;

/** A link that is over sooner is not used for a picture that has yet to load. */
const LEAST_LIFETIME_SECONDS = 300;

/** Pixels: one, two and three device pixels per pixel of a row of the grid, and two for the widest boxes. */
const GRID_WIDTHS = [320, 640, 1080, 1920];

/** Of a picture that is cropped at its sides: its box shows a part of the width, and needs that part sharp. */
const PANORAMA = 3.2;

const PANORAMA_WIDTHS = [1080, 1920, 2560, 3840];

/** Of one request. */
const MAX_RENDITIONS = 8;

/**
 * Signed links of pictures: requests of one frame share a request to the service, links are kept until shortly before
 * they are over. Rejected requests are forgotten, so that the next one tries again.
 */
export class LinkCache {
  /** Rises when links of pictures of the grid have arrived, or are to be requested again. */
  readonly version = new Store(0);
  readonly #signer: LinkSigner;
  readonly #now: () => number;
  readonly #schedule: (send: () => void) => void;
  readonly #prerendered: readonly LinkRendition[];
  /** The least recently used first. */
  readonly #known = new Map<string, SignedSet>();
  readonly #pending = new Map<string, Promise<readonly string[]>>();
  #waiting: Waiting[] = [];

  constructor(
    signer: LinkSigner,
    {
      now = Date.now,
      schedule = (send): void => queueMicrotask(send),
      prerendered = [],
    }: ImageLinksOptions = {},
  ) {
    this.#prerendered = prerendered.map(renditionOf);
    this.#signer = signer;
    this.#now = now;
    this.#schedule = schedule;
  }

  /** The address of one rendition. Without a width or a format, of the original. */
  async url(id: number, rendition: LinkRendition): Promise<string> {
    const [url] = await this.#urls({ id, renditions: [rendition], key: JSON.stringify(rendition) });
    if (url === undefined) throw new LinkMissing();
    return url;
  }

  /** For `<img srcset>` of the grid. */
  async srcset(record: ImageRecord): Promise<string> {
    const renditions = this.#gridRenditions(record);
    const urls = await this.#urls({ id: record.id, renditions, key: keyOf(record) });
    return srcsetOf(record, renditions, urls);
  }

  /** The same without waiting: `undefined` if the links are not there yet. */
  knownSources(record: ImageRecord): GridSources | undefined {
    const set = this.#find(record.id, keyOf(record));
    if (set === undefined) return undefined;
    set.sources ??= this.#sourcesOf(record, set.urls);
    return set.sources;
  }

  #sourcesOf(record: ImageRecord, urls: readonly string[]): GridSources {
    const renditions = this.#gridRenditions(record);
    const quick = srcsetOf(record, renditions.slice(0, this.#prerendered.length), urls);
    return { quick: quick === '' ? undefined : quick, sharp: srcsetOf(record, renditions, urls) };
  }

  /** Those that are there already, then the widths that the service has, nearest to those that a row needs. */
  #gridRenditions({ links, width, height }: ImageRecord): readonly LinkRendition[] {
    const { widths } = links.renditions;
    const wanted = (width / height > PANORAMA ? PANORAMA_WIDTHS : GRID_WIDTHS).map(
      (least) => widths.find((candidate) => candidate >= least) ?? widths.at(-1),
    );
    const made = new Set(this.#prerendered.map((rendition) => rendition.width));
    const others = [...new Set(wanted)].flatMap((one) =>
      one === undefined || made.has(one) ? [] : [{ width: one, format: 'webp' as const }],
    );
    return [...this.#prerendered, ...others].slice(0, MAX_RENDITIONS);
  }

  /** Requests the links of pictures of the grid that are not there yet, and raises `version` when they are. */
  prepare(records: Iterable<ImageRecord>): void {
    const missing = [...records].filter((record) => !this.#isUnderWay(record));
    if (missing.length === 0) return;
    void Promise.allSettled(missing.map((record) => this.srcset(record))).then((results) => {
      if (results.some(({ status }) => status === 'fulfilled')) this.raiseVersion();
    });
  }

  /** The links of a picture did not work: they are requested again when they are used next. */
  forget(id: number): void {
    for (const key of this.#known.keys()) if (key.startsWith(`${id}:`)) this.#known.delete(key);
    this.raiseVersion();
  }

  /** What is drawn requests the links that it misses. */
  readonly raiseVersion = (): void => this.version.update((version) => version + 1);

  #isUnderWay(record: ImageRecord): boolean {
    const key = keyOf(record);
    return this.#pending.has(nameOf(record.id, key)) || this.#find(record.id, key) !== undefined;
  }

  #find(id: number, key: string): SignedSet | undefined {
    const name = nameOf(id, key);
    const set = this.#known.get(name);
    if (set === undefined) return undefined;
    this.#known.delete(name);
    if (set.goodUntil <= this.#now()) return undefined;
    this.#known.set(name, set);
    return set;
  }

  async #urls(request: LinkRequest): Promise<readonly string[]> {
    return this.#find(request.id, request.key)?.urls ?? (await this.#request(request));
  }

  #request(request: LinkRequest): Promise<readonly string[]> {
    const name = nameOf(request.id, request.key);
    const pending = this.#pending.get(name);
    if (pending !== undefined) return pending;
    const requested = new Promise<readonly string[]>((resolve, reject) => {
      if (this.#waiting.length === 0) this.#schedule(() => this.#flush());
      this.#waiting.push({ ...request, resolve, reject });
    }).finally(() => this.#pending.delete(name));
    this.#pending.set(name, requested);
    return requested;
  }

  /** A request for each combination of renditions. */
  #flush(): void {
    const waiting = this.#waiting;
    this.#waiting = [];
    for (const key of new Set(waiting.map((one) => one.key))) {
      const group = waiting.filter((one) => one.key === key);
      for (let start = 0; start < group.length; start += MAX_IDS) {
        void this.#send(group.slice(start, start + MAX_IDS));
      }
    }
  }

  async #send(batch: readonly Waiting[]): Promise<void> {
    try {
      const ids = batch.map(({ id }) => id);
      // The clock of the device may be hours from that of the service, which says `expiresAt`.
      const goodUntil = this.#now() + (LIFETIME_SECONDS - LEAST_LIFETIME_SECONDS) * 1000;
      const { images } = await this.#signer.links(ids, {
        renditions: batch[0]?.renditions ?? [],
        ttlSeconds: LIFETIME_SECONDS,
      });
      for (const { id, key, resolve, reject } of batch) {
        const urls = images[id];
        if (urls === undefined) {
          reject(new LinkMissing());
          continue;
        }
        this.#keep(nameOf(id, key), { urls, goodUntil });
        resolve(urls);
      }
    } catch (error) {
      for (const { reject } of batch) reject(error);
    }
  }

  #keep(name: string, set: SignedSet): void {
    this.#known.set(name, set);
    for (const oldest of this.#known.keys()) {
      if (this.#known.size <= MAX_KNOWN) return;
      this.#known.delete(oldest);
    }
  }
}

function nameOf(id: number, key: string): string {
  return `${id}:${key}`;
}

/** Pictures with equal renditions share a request. */
function keyOf({ width, height }: ImageRecord): string {
  return width / height > PANORAMA ? 'panorama' : 'grid';
}

/** @param text as in 320:webp */
function renditionOf(text: string): LinkRendition {
  const [width, format] = text.split(':');
  return { width: Number(width), format: format as NonNullable<LinkRendition['format']> };
}

/** By width, up to the first rendition that has all pixels of the picture: the service never enlarges. */
function srcsetOf(
  { width: full }: ImageRecord,
  renditions: readonly LinkRendition[],
  urls: readonly string[],
): string {
  const sources = renditions
    .map(({ width = 0 }, at) => ({ width, url: urls[at] }))
    .sort((a, b) => a.width - b.width);
  const end = sources.findIndex(({ width }) => width >= full);
  return sources
    .slice(0, end === -1 ? undefined : end + 1)
    .map(({ url, width }) => `${url} ${Math.min(width, full)}w`)
    .join(', ');
}
