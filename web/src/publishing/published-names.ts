import type { Change, ImageCatalog, NamedImage } from '@image-catalog/client';
import { type Clock, systemClock } from '../base/clock.ts';
import { Store } from '../base/store.ts';

/** Of more published names the gallery knows the first. */
export const MOST_PUBLISHED = 5000;

/** The most of a response. */
const PAGE = 1000;

/** A service that does not respond must not keep a question open. */
const MOST_WAIT_MS = 10_000;

/** For how long the feed may still report changes from before a change that this page has made. */
const LATE_MS = 10_000;

/** Where a published name leads. */
export interface Published {
  /** Of the image to which the name points. */
  readonly id: number;
  /** The public address; `undefined` if only the feed of changes has said that the name is public. */
  readonly url: string | undefined;
}

export interface KnownPublished {
  readonly names: ReadonlyMap<string, Published>;
  /** No further names are published. */
  readonly isAll: boolean;
}

/** The published names of the catalog: read once by the page, then kept up to date by the feed of changes. */
export class PublishedNames {
  /** `undefined` until they are read, or if they could not be read. */
  readonly known = new Store<KnownPublished | undefined>(undefined);
  /** Of the images that have a public address. */
  readonly ids = new Store<ReadonlySet<number>>(new Set());
  readonly #catalog: Pick<ImageCatalog, 'listNames'>;
  readonly #isOn: boolean;
  /** Changes since the listing that is under way began: its response may be older. */
  #changed = new Map<string, Published | undefined>();
  #reading: Promise<boolean> | undefined;
  /**
   * When the names changed that this page has changed a moment ago. Each process of the service has its own clock, so these times
   * are not compared for longer than the feed may be late.
   */
  readonly #learned = new Map<string, string>();
  readonly #clock: Pick<Clock, 'after'>;
  /** The last attempt to read them has failed, or the feed has failed since then. */
  #mustRead = false;
  #isFollowed = true;

  /** @param isOn whether the service publishes names */
  constructor(
    catalog: Pick<ImageCatalog, 'listNames'>,
    isOn: boolean,
    clock: Pick<Clock, 'after'> = systemClock,
  ) {
    this.#catalog = catalog;
    this.#isOn = isOn;
    this.#clock = clock;
    if (!isOn) this.known.set({ names: new Map(), isAll: true });
  }

  /** Whether what is known can be relied upon; otherwise they have to be read first. */
  get isUpToDate(): boolean {
    return !this.#isOn || (this.#isFollowed && !this.#mustRead && this.known.get() !== undefined);
  }

  /** Reads all of them again. Never rejects; resolves to whether they could be read. */
  async read(): Promise<boolean> {
    if (!this.#isOn) return true;
    this.#reading ??= this.#read().finally(() => (this.#reading = undefined));
    return await this.#reading;
  }

  /** What others do from now on is not known. */
  feedFailed(): void {
    if (!this.#isOn) return;
    this.#isFollowed = false;
    this.#mustRead = true;
    this.known.update((known) => known && { ...known, isAll: false });
  }

  /** The feed is read, maybe again. */
  feedBegan(): void {
    this.#isFollowed = true;
  }

  /** After a reading or the feed has failed. */
  readIfOutdated(): void {
    if (this.#mustRead) void this.read();
  }

  /** The names of these images; `undefined` as long as they are not known. */
  namesOf(ids: readonly number[]): readonly string[] | undefined {
    const known = this.known.get();
    if (known === undefined) return undefined;
    const wanted = new Set(ids);
    return [...known.names].filter(([, { id }]) => wanted.has(id)).map(([name]) => name);
  }

  /** What the service has said of a name. */
  learn({ name, id, public: isPublic, url, updatedAt }: NamedImage): void {
    this.#learned.set(name, updatedAt);
    this.#clock.after(LATE_MS, () => {
      if (this.#learned.get(name) === updatedAt) this.#learned.delete(name);
    });
    this.#change(new Map([[name, isPublic ? { id, url: url ?? undefined } : undefined]]));
  }

  /** The name was removed. */
  forget(name: string): void {
    this.#change(new Map([[name, undefined]]));
  }

  /** From the feed, which may repeat what is known. */
  follow(changes: readonly Change[]): void {
    const changed = new Map<string, Published | undefined>();
    for (const change of changes) {
      const { type, name, id, public: isPublic } = change;
      if (name === undefined || this.isLate(change)) continue;
      const isSet = type === 'name.set' && isPublic === true;
      // The address of a name stays the same.
      const url = this.known.get()?.names.get(name)?.url;
      changed.set(name, isSet ? { id, url } : undefined);
    }
    if (changed.size > 0) this.#change(changed);
  }

  /** Whether the feed reports what was before a change that this page has made. */
  isLate({ name, at }: Pick<Change, 'name' | 'at'>): boolean {
    const learned = name === undefined ? undefined : this.#learned.get(name);
    return learned !== undefined && at < learned;
  }

  /** @returns whether they could be read */
  async #read(): Promise<boolean> {
    this.#mustRead = false;
    this.#changed = new Map();
    const names = new Map<string, Published>();
    let isAll = true;
    try {
      const signal = AbortSignal.timeout(MOST_WAIT_MS);
      for await (const { name, id, url } of this.#catalog.listNames(
        { public: true, limit: PAGE },
        { signal },
      )) {
        isAll = names.size < MOST_PUBLISHED;
        if (!isAll) break;
        names.set(name, { id, url: url ?? undefined });
      }
    } catch {
      // Whoever needs them asks again.
      this.#mustRead = true;
      return false;
    }
    this.#set({ names, isAll });
    this.#change(this.#changed);
    return true;
  }

  #change(changed: ReadonlyMap<string, Published | undefined>): void {
    if (!this.#isOn) return;
    if (this.#reading !== undefined) for (const [name, to] of changed) this.#changed.set(name, to);
    const known = this.known.get();
    if (known === undefined || !isNews(known, changed)) return;
    const names = new Map(known.names);
    for (const [name, to] of changed) {
      names.delete(name);
      if (to !== undefined && names.size < MOST_PUBLISHED) names.set(name, to);
    }
    this.#set({ names, isAll: known.isAll && names.size < MOST_PUBLISHED });
  }

  #set(known: KnownPublished): void {
    this.known.set(known);
    this.ids.set(new Set([...known.names.values()].map(({ id }) => id)));
  }
}

function isNews({ names }: KnownPublished, changed: ReadonlyMap<string, Published | undefined>): boolean {
  return [...changed].some(([name, to]) => {
    const before = names.get(name);
    return before?.id !== to?.id || before?.url !== to?.url;
  });
}
