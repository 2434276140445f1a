import { AccessToken } from '../access-token.ts';
import { bodyOf } from '../body-of.ts';
import { CatalogClient, type CatalogOptions, type RequestOptions } from '../catalog-client.ts';
import { networkError } from '../catalog-error.ts';
import type { Usage } from '../image-record.ts';
import { nextOf } from '../link-header.ts';
import type { Platform, UploadSource } from '../platform/platform.ts';
import { type PartQuery, searchOf } from '../queries.ts';
import { repeat } from '../retry.ts';
import { platformIn } from './platform-in.ts';

export interface SpaceUsage extends Usage {
  /** The name, which may be empty. */
  readonly space: string;
}

/** What is left out stays as it is. */
export interface SpaceLimits {
  /** Of originals; `null`: no limit; `default`: the limit of the settings. */
  readonly bytes?: number | null | 'default';
  readonly images?: number | null | 'default';
}

interface SpacesRequest extends RequestOptions {
  readonly limits?: SpaceLimits;
}

/**
 * For programs whose token has the scope for all spaces. Every method rejects with `CatalogError`, with the reason of its signal, with
 * an error of `getToken`, or with `URIError` if the name of the space has a lone surrogate. `in` throws that error.
 */
export class SpacesClient<Source extends UploadSource> {
  readonly #options: CatalogOptions;
  readonly #platform: Platform<Source>;
  readonly #token: AccessToken;

  constructor(options: CatalogOptions, platform: Platform<Source>) {
    this.#options = options;
    this.#platform = platform;
    this.#token = new AccessToken(options.getToken, options.tokenPerRequest !== true);
  }

  /** A client whose requests act in this space. All of these clients share one token. */
  in(space: string): CatalogClient<Source> {
    const getToken = async (refused?: string): Promise<string> => await this.#token.get(refused);
    const options = { ...this.#options, getToken, tokenPerRequest: true };
    return new CatalogClient(options, platformIn(space, this.#platform));
  }

  /** The spaces that have an image or a limit of their own, by code point. */
  async *list(
    query: PartQuery = {},
    { signal }: RequestOptions = {},
  ): AsyncGenerator<SpaceUsage, void, undefined> {
    let search: string | undefined = searchOf({ limit: 1000, ...query });
    while (search !== undefined) {
      const response: Response = await this.#request(`api/spaces${search}`, { signal }, async (page) => page);
      yield* await bodyOf<readonly SpaceUsage[]>(response);
      const next = nextOf(response.headers.get('link'));
      search = next && next.slice(next.indexOf('?'));
    }
  }

  /** Rejects with the code `space_not_found` if the space has neither an image nor a limit of its own. */
  async get(space: string, { signal }: RequestOptions = {}): Promise<SpaceUsage> {
    const read = bodyOf<readonly [SpaceUsage]>;
    const [usage] = await this.#request(`api/spaces?${spaceParameter(space)}`, { signal }, read);
    return usage;
  }

  /** In force when it resolves, also for a space that has nothing yet. */
  async setLimits(space: string, limits: SpaceLimits, { signal }: RequestOptions = {}): Promise<SpaceUsage> {
    const path = `api/spaces/limits?${spaceParameter(space)}`;
    return await this.#request(path, { limits, signal }, bodyOf<SpaceUsage>);
  }

  async #request<T>(
    path: string,
    request: SpacesRequest,
    read: (response: Response) => Promise<T>,
  ): Promise<T> {
    const { retries, maxWaitMs, observer } = this.#options;
    const send = async (token: string): Promise<Response> => await this.#send(path, request, token);
    const result = await repeat(async () => await read(await this.#token.send(send)), {
      retries,
      maxWaitMs,
      signal: request.signal,
      platform: this.#platform,
      onRetry: (error, delayMs) => observer?.retrying(error, delayMs),
    });
    observer?.succeeded();
    return result;
  }

  async #send(path: string, { limits, signal }: SpacesRequest, token: string): Promise<Response> {
    const url = new URL(path, String(this.#options.url).replace(/\/*$/, '/'));
    const authorization = { Authorization: `Bearer ${token}` };
    const init: RequestInit =
      limits === undefined
        ? { headers: authorization }
        : {
            method: 'PUT',
            headers: { ...authorization, 'Content-Type': 'application/json' },
            body: JSON.stringify(limits),
          };
    try {
      return await (this.#platform.fetch ?? fetch)(url, { ...init, signal: signal ?? null });
    } catch (error) {
      signal?.throwIfAborted();
      throw networkError(error);
    }
  }
}

/**
 * `URLSearchParams` would replace a lone surrogate, and so name another space.
 *
 * @throws {URIError}
 */
function spaceParameter(space: string): string {
  return `space=${encodeURIComponent(space)}`;
}
