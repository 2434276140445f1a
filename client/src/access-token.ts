import { errorOf } from './catalog-error.ts';
import { isRetryable } from './retry.ts';

/**
 * Called when a token is needed for the first time, and when the service has refused the last one. It may be called from
 * several clients at once, but from one client only one call is under way, unless `tokenPerRequest` is set.
 */
export type GetToken = (refused?: string) => string | Promise<string>;

export type Send = (token: string) => Promise<Response>;

/** A token that is kept until the service refuses it: then, concurrent requests share one call of `getToken`. */
export class AccessToken {
  readonly #getToken: GetToken;
  readonly #isKept: boolean;
  #token: string | undefined;
  #pending: Promise<string> | undefined;

  /** @param isKept `false` if `getToken` keeps the token itself */
  constructor(getToken: GetToken, isKept: boolean) {
    this.#getToken = getToken;
    this.#isKept = isKept;
  }

  /** @param refused the token that the service has refused */
  async get(refused?: string): Promise<string> {
    if (!this.#isKept) return await this.#getToken(refused);
    if (this.#token !== undefined && this.#token !== refused) return this.#token;
    this.#pending ??= this.#renew(refused).finally(() => {
      this.#pending = undefined;
    });
    return await this.#pending;
  }

  /** Tries a new token once if the service refuses the first. Rejects unless the response is a success. */
  async send(send: Send): Promise<Response> {
    let refused: string | undefined;
    for (;;) {
      const token = await this.get(refused);
      const response = await send(token);
      if (response.ok) return response;
      const error = await errorOf(response);
      if (refused !== undefined || response.status !== 401 || isRetryable(error)) throw error;
      refused = token;
    }
  }

  async #renew(refused: string | undefined): Promise<string> {
    this.#token = await this.#getToken(refused);
    return this.#token;
  }
}
