import { AccessToken, type GetToken, type Send } from './access-token.ts';
import { bodyOf } from './body-of.ts';
import { type CatalogError, networkError } from './catalog-error.ts';
import type { MetadataPatch } from './fields.ts';
import type {
  Change,
  ChangePage,
  CopyGroup,
  EditedImages,
  ImageMetadata,
  ImagePage,
  ImageRecord,
  MetadataVersion,
  NamedImage,
  PeriodCount,
  SignedLinks,
  SimilarImage,
  TagCount,
  TrashedImage,
  UploadTickets,
  Usage,
} from './image-record.ts';
import { nextOf } from './link-header.ts';
import type { Platform, UploadSource } from './platform/platform.ts';
import {
  type BulkEdit,
  type LinkRendition,
  type ListQuery,
  type NameCondition,
  type NamePublishing,
  type NameQuery,
  type PageQuery,
  type PartQuery,
  type Rendition,
  type SimilarQuery,
  type SrcsetRendition,
  searchOf,
  type TagQuery,
  type TimelineQuery,
} from './queries.ts';
import { randomText } from './random-text.ts';
import { repeat } from './retry.ts';
import { candidatesOf, expandTemplate } from './srcset.ts';
import type { SourceOptions } from './upload-form.ts';
import { uploadOf } from './upload-of.ts';

export interface CatalogOptions {
  /** The address of the service; a path in it is kept. */
  readonly url: string | URL;
  /** The client keeps the token until the service refuses it. */
  readonly getToken: GetToken;
  /** `getToken` keeps the token instead, and can renew it before the service refuses it. */
  readonly tokenPerRequest?: boolean;
  /** How often a request is repeated: 5 unless given. */
  readonly retries?: number;
  /** The longest wait before a retry in milliseconds: 60,000 unless given. A request fails if `Retry-After` is longer. */
  readonly maxWaitMs?: number;
  /** For a display of the connection. */
  readonly observer?: RequestObserver;
}

/** Is told how the requests of a client fare. */
export interface RequestObserver {
  /** A request will be sent again in `delayMs`. */
  retrying(error: CatalogError, delayMs: number): void;
  succeeded(): void;
}

export interface RequestOptions {
  /** Its reason rejects the call. */
  readonly signal?: AbortSignal | undefined;
}

export interface ChangesOptions extends RequestOptions {
  /** A cursor, or `latest`; the oldest change that is kept unless given. */
  readonly after?: string | undefined;
  /** Adds the records. */
  readonly include?: 'image';
}

export interface FileOptions extends RequestOptions, Rendition {
  /** Bytes, both inclusive; without `end`, to the last one. */
  readonly range?: { readonly start: number; readonly end?: number };
}

export interface LinksOptions extends RequestOptions {
  /** 1 to 8; the original unless given. */
  readonly renditions?: readonly LinkRendition[];
  /** 60 to 604800; an hour unless given. */
  readonly ttlSeconds?: number;
  /** Asks for a page that shows these images (at most 100) in this order, too. */
  readonly page?: { readonly title: string | null };
  /** Asks for links that follow these names (1 to 500), too. */
  readonly names?: readonly string[];
}

export interface DeleteOptions extends RequestOptions {
  /** Deletes the image only if its bytes have this SHA-256: 412 `precondition_failed` otherwise. */
  readonly sha256?: string;
  /** The request goes on when the page is left: see `keepalive` of `fetch`. */
  readonly keepalive?: boolean;
}

export interface EditOptions extends RequestOptions {
  /** Edits the metadata only if it has this `etag`: 412 `precondition_failed` otherwise. */
  readonly ifMatch?: string;
}

export interface NameOptions extends RequestOptions, NameCondition, NamePublishing {}

export interface UploadOptions extends SourceOptions {
  readonly metadata?: MetadataPatch;
  /** A new one unless given. Retries use the same. */
  readonly idempotencyKey?: string;
  /**
   * A name that points to the new image from the moment when it is there, with a public address or without one; a condition that does
   * not hold refuses the upload.
   */
  readonly setName?: (NameCondition & NamePublishing & { readonly name: string }) | undefined;
}

export interface TicketsOptions extends RequestOptions {
  /** 1 to 100; 1 unless given. */
  readonly count?: number;
  /** Of the file; the limit of the service unless given. */
  readonly maxBytes?: number;
  /** Of the image; at most 2,000 bytes of JSON. */
  readonly metadata?: MetadataPatch;
  /** 60 to 86400; 15 minutes unless given. */
  readonly ttlSeconds?: number;
}

/** Digests in one request of `lookup`. */
const LOOKUP_BATCH = 1000;

/** Most proxies wait for a minute. */
const WAIT_SECONDS = 30;

type Read<T> = (response: Response) => Promise<T>;
type IdsByDigest = Readonly<Record<string, readonly number[]>>;

interface Repetition {
  /** Those of the client unless given. */
  readonly retries?: number;
  readonly onRetry?: (error: CatalogError) => void;
}

/** The total and the cursor of changes are those of images. */
interface Page<Item> extends Omit<ImagePage, 'records'> {
  readonly records: readonly Item[];
}

interface ApiRequest extends RequestOptions {
  readonly method?: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  readonly headers?: Readonly<Record<string, string>>;
  readonly json?: unknown;
  /** The media type of `json`; `application/json` unless given. */
  readonly type?: string;
  readonly keepalive?: boolean;
}

/** Every method rejects with `CatalogError`, with the reason of its signal, or with an error of `getToken`. */
export class CatalogClient<Source extends UploadSource> {
  readonly #url: URL;
  readonly #token: AccessToken;
  readonly #options: CatalogOptions;
  readonly #platform: Platform<Source>;

  constructor(options: CatalogOptions, platform: Platform<Source>) {
    this.#options = options;
    this.#url = new URL(String(options.url).replace(/\/*$/, '/'));
    this.#token = new AccessToken(options.getToken, options.tokenPerRequest !== true);
    this.#platform = platform;
  }

  /** All images that the query leaves, in pages. Images that come or go meanwhile cause no gaps and no repetitions. */
  async *list(
    query: ListQuery = {},
    { signal }: RequestOptions = {},
  ): AsyncGenerator<ImageRecord, void, undefined> {
    yield* this.#items<ImageRecord>('api/images', query, signal);
  }

  /** One page: 100 records unless the query says otherwise. */
  async page(query: PageQuery = {}, { signal }: RequestOptions = {}): Promise<ImagePage> {
    return await this.#request(
      `api/images${searchOf({ limit: 100, ...query })}`,
      { signal },
      pageOf<ImageRecord>,
    );
  }

  /**
   * Every change behind `after`, each once and in their order, and then those that come, until `signal` is aborted. Reconnects as
   * often as needed. Rejects with the code `cursor_expired` if the feed does not reach back: begin again with a listing.
   */
  async *changes({ after, include, signal }: ChangesOptions = {}): AsyncGenerator<Change, void, undefined> {
    let cursor = after;
    for (;;) {
      const path = `api/changes${searchOf({ after: cursor, include, limit: 1000, wait: WAIT_SECONDS })}`;
      const send = (token: string): Promise<Response> => this.#send(path, { signal }, token);
      const page: ChangePage = await this.#repeat(signal, send, bodyOf<ChangePage>, {
        retries: Number.POSITIVE_INFINITY,
      });
      yield* page.changes;
      cursor = page.next;
    }
  }

  async get(id: number, { signal }: RequestOptions = {}): Promise<ImageRecord> {
    const accept = { Accept: 'application/json' };
    return await this.#request(`api/image/${id}`, { headers: accept, signal }, bodyOf<ImageRecord>);
  }

  /** What people and the file say about an image. */
  async metadata(id: number, { signal }: RequestOptions = {}): Promise<ImageMetadata> {
    return await this.#request(`api/image/${id}/metadata`, { signal }, metadataOf);
  }

  /** Changes what the patch names. Resolves to the new metadata, or to their version if the token must not read them. */
  async edit(
    id: number,
    patch: MetadataPatch,
    { ifMatch, signal }: EditOptions = {},
  ): Promise<ImageMetadata | MetadataVersion> {
    const headers: Record<string, string> = ifMatch === undefined ? {} : { 'If-Match': ifMatch };
    const type = 'application/merge-patch+json';
    const request = { method: 'PATCH', headers, json: patch, type, signal } as const;
    return await this.#request(`api/image/${id}/metadata`, request, editedOf);
  }

  /**
   * Changes the tags of all these images, or of none; removals come first. At most 500 ids; images times words of all tags at most
   * 100,000, else 413 `request_too_large`.
   */
  async tag(
    ids: readonly number[],
    { add, remove }: { readonly add?: readonly string[]; readonly remove?: readonly string[] },
    { signal }: RequestOptions = {},
  ): Promise<EditedImages> {
    return await this.editMany(ids, { addTags: add, removeTags: remove }, { signal });
  }

  /**
   * Changes all these images, or none. At most 500 ids; images times words of all texts at most 100,000, else 413
   * `request_too_large`.
   */
  async editMany(
    ids: readonly number[],
    changes: BulkEdit,
    { signal }: RequestOptions = {},
  ): Promise<EditedImages> {
    const request = { method: 'POST', json: { ids, ...changes }, signal } as const;
    const send: Send = (token) => this.#send('api/images/metadata', request, token);
    const onRetry = (error: CatalogError): void => {
      // It may have been done, and would move the times once more.
      if (changes.shiftTaken !== undefined && error.kind === 'unreachable') throw error;
    };
    return await this.#repeat(signal, send, bodyOf<EditedImages>, { onRetry });
  }

  async tags(query: TagQuery = {}, { signal }: RequestOptions = {}): Promise<readonly TagCount[]> {
    return await this.#request(`api/tags${searchOf(query)}`, { signal }, bodyOf<readonly TagCount[]>);
  }

  /** What the space of the token holds, and how much it may hold. */
  async usage({ signal }: RequestOptions = {}): Promise<Usage> {
    return await this.#request('api/usage', { signal }, bodyOf<Usage>);
  }

  /** Newest first. */
  async timeline(query: TimelineQuery, { signal }: RequestOptions = {}): Promise<readonly PeriodCount[]> {
    const path = `api/images/timeline${searchOf(query)}`;
    return await this.#request(path, { signal }, bodyOf<readonly PeriodCount[]>);
  }

  /** Groups of copies, newest first. Pages that the service cuts short are read on. */
  async *copies(
    query: PartQuery = {},
    { signal }: RequestOptions = {},
  ): AsyncGenerator<CopyGroup, void, undefined> {
    yield* this.#items<CopyGroup>('api/images/copies', query, signal);
  }

  /** Images that look like this one, nearest first. */
  async similar(
    id: number,
    query: SimilarQuery = {},
    { signal }: RequestOptions = {},
  ): Promise<readonly SimilarImage[]> {
    const path = `api/image/${id}/similar${searchOf(query)}`;
    return await this.#request(path, { signal }, bodyOf<readonly SimilarImage[]>);
  }

  /** The original or a rendition: read it with `blob()`, `arrayBuffer()` or as the stream `body`. */
  async file(id: number, options: FileOptions = {}): Promise<Response> {
    return await this.#file(`api/image/${id}/file`, options);
  }

  async #file(path: string, { range, signal, ...rendition }: FileOptions): Promise<Response> {
    const headers: Record<string, string> = {};
    // `auto` chooses among the types that are named.
    if (rendition.format === 'auto') headers['Accept'] = 'image/avif,image/webp,image/*';
    if (range !== undefined) headers['Range'] = `bytes=${range.start}-${range.end ?? ''}`;
    const address = `${path}${searchOf(rendition)}`;
    return await this.#request(address, { headers, signal }, async (response) => response);
  }

  /** Links to these images that need no token, for `<img>` and e-mail, and a page to share. At most 500 ids, none for names alone. */
  async links(
    ids: readonly number[],
    { renditions, ttlSeconds, page, names, signal }: LinksOptions = {},
  ): Promise<SignedLinks> {
    const onlyNames = ids.length === 0 && names !== undefined;
    const json = { ids: onlyNames ? undefined : ids, renditions, ttlSeconds, page, names };
    return await this.#request('api/images/links', { method: 'POST', json, signal }, linksOf);
  }

  /**
   * The originals of these images (1 to 5000) in one ZIP file: read it as the stream `body`, whose length is `Content-Length`. It
   * fails if the archive is not complete.
   */
  async archive(ids: readonly number[], { signal }: RequestOptions = {}): Promise<Response> {
    const request = { method: 'POST', json: { ids }, signal } as const;
    return await this.#request('api/images/archive', request, async (response) => response);
  }

  /** Of a service with a trash: `restoreImage` brings it back. */
  async delete(id: number, { sha256, keepalive = false, signal }: DeleteOptions = {}): Promise<void> {
    const headers = sha256 === undefined ? {} : { 'If-Match': `"${sha256}"` };
    await this.#remove(`api/image/${id}`, { headers, keepalive, signal });
  }

  /** What was deleted from a service with a trash, newest first. */
  async *listTrash(
    query: PartQuery = {},
    { signal }: RequestOptions = {},
  ): AsyncGenerator<TrashedImage, void, undefined> {
    yield* this.#items<TrashedImage>('api/trash', query, signal);
  }

  /** Moves an image out of the trash, with all that it had but its names. */
  async restoreImage(id: number, { signal }: RequestOptions = {}): Promise<ImageRecord> {
    const request = { method: 'POST', signal } as const;
    const restored = await this.#requestIdempotently(`api/trash/${id}/restore`, request, restoredOf);
    return restored ?? (await this.get(id, { signal }));
  }

  /** Removes an image of the trash for good. */
  async eraseImage(id: number, { signal }: RequestOptions = {}): Promise<void> {
    await this.#remove(`api/trash/${id}`, { signal });
  }

  async getName(name: string, { signal }: RequestOptions = {}): Promise<NamedImage> {
    return await this.#request(pathOf(name), { signal }, bodyOf<NamedImage>);
  }

  /** Points the name to this image, from wherever it points to. */
  async setName(name: string, id: number, options: NameOptions = {}): Promise<NamedImage> {
    const { signal, public: isPublic } = options;
    const request = {
      method: 'PUT',
      json: { id, public: isPublic },
      headers: headersOf(options),
      signal,
    } as const;
    let mayBeSet = false;
    const onRetry = ({ kind }: CatalogError): void => {
      mayBeSet ||= kind === 'unreachable';
    };
    try {
      const send: Send = (token) => this.#send(pathOf(name), request, token);
      return await this.#repeat(signal, send, bodyOf<NamedImage>, { onRetry });
    } catch (error) {
      // A first request without a response may have set the name, and so changed what the condition asks for.
      if (!mayBeSet || (error as CatalogError).status !== 412) throw error;
      const named = await this.getName(name, { signal });
      if (named.id !== id || isPublic === !named.public) throw error;
      return named;
    }
  }

  /** The image stays. */
  async deleteName(
    name: string,
    { ifMatch, signal }: Omit<NameOptions, 'ifNoneMatch' | 'public'> = {},
  ): Promise<void> {
    await this.#remove(pathOf(name), { headers: headersOf({ ifMatch }), signal });
  }

  /** By code point. */
  async *listNames(
    query: NameQuery = {},
    { signal }: RequestOptions = {},
  ): AsyncGenerator<NamedImage, void, undefined> {
    yield* this.#items<NamedImage>('api/names', query, signal);
  }

  /** As `file`, of the image to which the name points now. */
  async nameFile(name: string, options: FileOptions = {}): Promise<Response> {
    return await this.#file(`${pathOf(name)}/file`, options);
  }

  /** A repeated upload leads to one image: retries send the same idempotency key. */
  async upload(source: Source, options: UploadOptions = {}): Promise<ImageRecord> {
    const { setName } = options;
    const query = searchOf({ name: setName?.name, public: setName?.public });
    const url = this.#address(`api/upload${query}`);
    const upload = await uploadOf(this.#platform, url, source, options, options.metadata);
    const headers = {
      ...upload.headers,
      'Idempotency-Key': options.idempotencyKey ?? randomText(),
      ...headersOf(setName),
    };
    const send: Send = async (token) =>
      await this.#platform.upload({ ...upload, headers: { ...headers, Authorization: `Bearer ${token}` } });
    return await this.#repeat(options.signal, send, bodyOf<ImageRecord>);
  }

  /** URLs for people without a token: each takes one upload, by `uploadByTicket`. */
  async createTickets({ signal, ...json }: TicketsOptions = {}): Promise<UploadTickets> {
    const request = { method: 'POST', json, signal } as const;
    return await this.#request('api/uploads/tickets', request, bodyOf<UploadTickets>);
  }

  /** The ids of the images with these SHA-256 digests, by lower-case digest; without those that the catalog has not. */
  async lookup(
    digests: readonly string[],
    { signal }: RequestOptions = {},
  ): Promise<ReadonlyMap<string, readonly number[]>> {
    const found = new Map<string, readonly number[]>();
    for (let start = 0; start < digests.length; start += LOOKUP_BATCH) {
      const json = { sha256: digests.slice(start, start + LOOKUP_BATCH) };
      const request = { method: 'POST', json, signal } as const;
      const ids = await this.#request('api/images/lookup', request, bodyOf<IdsByDigest>);
      for (const [digest, images] of Object.entries(ids)) found.set(digest, images);
    }
    return found;
  }

  /** The OpenAPI document of the service. */
  async openapi({ signal }: RequestOptions = {}): Promise<unknown> {
    return await this.#request('api/openapi.json', { signal }, bodyOf<unknown>);
  }

  /**
   * For `<img srcset>`. The addresses need a token, which an `<img>` cannot send: let a service worker add it.
   *
   * @param rendition all but the width; with `aspectRatio` crops of about this shape, for `object-fit: cover`
   */
  srcset(record: ImageRecord, { aspectRatio, ...rendition }: SrcsetRendition = {}): string {
    const { template } = record.links.renditions;
    const shape = aspectRatio === undefined ? {} : ({ fit: 'cover' } as const);
    return candidatesOf(record, aspectRatio)
      .map(({ shownWidth, ...sides }) => {
        const path = expandTemplate(template, { ...shape, ...rendition, ...sides });
        return `${this.#address(path)} ${shownWidth}w`;
      })
      .join(', ');
  }

  async *#items<Item>(
    path: string,
    query: PartQuery,
    signal: AbortSignal | undefined,
  ): AsyncGenerator<Item, void, undefined> {
    let after = query.after;
    do {
      const search = searchOf({ limit: 100, ...query, ...(after && { after }) });
      const page: Page<Item> = await this.#request(`${path}${search}`, { signal }, pageOf<Item>);
      yield* page.records;
      after = page.next;
    } while (after !== undefined);
  }

  async #remove(path: string, request: ApiRequest): Promise<void> {
    await this.#requestIdempotently(path, { ...request, method: 'DELETE' }, async () => undefined);
  }

  /** Reads a 204 instead of the 404 of a repeated request: without a response of the service, the first may have been successful. */
  async #requestIdempotently<T>(path: string, request: ApiRequest, read: Read<T>): Promise<T> {
    let mayBeDone = false;
    const send = async (token: string): Promise<Response> => {
      const response = await this.#send(path, request, token);
      return mayBeDone && response.status === 404 ? new Response(null, { status: 204 }) : response;
    };
    const onRetry = ({ kind }: CatalogError): void => {
      mayBeDone ||= kind === 'unreachable';
    };
    return await this.#repeat(request.signal, send, read, { onRetry });
  }

  /** @param path of the service, which may be below a path itself */
  #address(path: string): URL {
    return new URL(path.replace(/^\//, ''), this.#url);
  }

  async #request<T>(path: string, request: ApiRequest, read: Read<T>): Promise<T> {
    return await this.#repeat(request.signal, (token) => this.#send(path, request, token), read);
  }

  async #send(
    path: string,
    { method = 'GET', headers, json, type = 'application/json', keepalive = false, signal }: ApiRequest,
    token: string,
  ): Promise<Response> {
    try {
      return await (this.#platform.fetch ?? fetch)(this.#address(path), {
        method,
        headers: {
          ...headers,
          ...(json !== undefined && { 'Content-Type': type }),
          Authorization: `Bearer ${token}`,
        },
        ...(json !== undefined && { body: JSON.stringify(json) }),
        keepalive,
        signal: signal ?? null,
      });
    } catch (error) {
      signal?.throwIfAborted();
      throw networkError(error);
    }
  }

  /** Sends a request until its response is read, or its error is not one of those for which it may be repeated. */
  async #repeat<T>(
    signal: AbortSignal | undefined,
    send: Send,
    read: Read<T>,
    { retries = this.#options.retries, onRetry }: Repetition = {},
  ): Promise<T> {
    const result = await repeat(async () => await read(await this.#token.send(send)), {
      retries,
      maxWaitMs: this.#options.maxWaitMs,
      signal,
      platform: this.#platform,
      onRetry: (error, delayMs) => {
        onRetry?.(error);
        this.#options.observer?.retrying(error, delayMs);
      },
    });
    this.#options.observer?.succeeded();
    return result;
  }
}

async function pageOf<Item>(response: Response): Promise<Page<Item>> {
  const records = await bodyOf<readonly Item[]>(response);
  const total = response.headers.get('x-total-count');
  return {
    records,
    next: cursorOf(nextOf(response.headers.get('link'))),
    total: total === null ? undefined : Number(total),
    changesCursor: response.headers.get('changes-cursor') ?? undefined,
  };
}

/** @param link may be relative */
function cursorOf(link: string | undefined): string | undefined {
  return new URL(link ?? '', 'http://service.invalid').searchParams.get('after') ?? undefined;
}

async function restoredOf(response: Response): Promise<ImageRecord | undefined> {
  return response.status === 204 ? undefined : await bodyOf<ImageRecord>(response);
}

/** A response to names alone says nothing of images. */
async function linksOf(response: Response): Promise<SignedLinks> {
  return {
    images: {},
    missing: [],
    ...(await bodyOf<Partial<SignedLinks> & Pick<SignedLinks, 'expiresAt'>>(response)),
  };
}

function pathOf(name: string): string {
  return `api/names/${encodeURIComponent(name)}`;
}

function headersOf({ ifMatch, ifNoneMatch }: NameCondition = {}): Readonly<Record<string, string>> {
  return {
    ...(ifMatch !== undefined && { 'If-Match': `"n${ifMatch}"` }),
    ...(ifNoneMatch !== undefined && { 'If-None-Match': ifNoneMatch }),
  };
}

async function metadataOf(response: Response): Promise<ImageMetadata> {
  return { ...(await bodyOf<ImageMetadata>(response)), ...versionOf(response) };
}

async function editedOf(response: Response): Promise<ImageMetadata | MetadataVersion> {
  return response.status === 204 ? versionOf(response) : await metadataOf(response);
}

/**
 * The tag as the service sends it: a proxy that compresses makes `W/"m2"` or `"m2-gzip"` of `"m2"`, and tags of one version must
 * be equal.
 */
function versionOf(response: Response): MetadataVersion {
  const etag = response.headers.get('etag') ?? '';
  return { etag: etag.replace(/^(W\/)?"(m\d+).*/, '"$2"') };
}
