/**
 * Called when a token is needed for the first time, and when the service has refused the last one. It may be called from
 * several clients at once, but from one client only one call is under way.
 */
export type GetToken = (refused?: string) => string | Promise<string>;

/** Keeps a token until the service refuses it. Concurrent requests share one call of `getToken`. */
export class AccessToken {
  readonly #getToken: GetToken;
  #token: string | undefined;
  #pending: Promise<string> | undefined;

  constructor(getToken: GetToken) {
    this.#getToken = getToken;
  }

  /** @param refused the token that the service has refused */
  async get(refused?: string): Promise<string> {
    if (this.#token !== undefined && this.#token !== refused) return this.#token;
    this.#pending ??= this.#renew(refused).finally(() => {
      this.#pending = undefined;
    });
    return await this.#pending;
  }

  async #renew(refused: string | undefined): Promise<string> {
    this.#token = await this.#getToken(refused);
    return this.#token;
  }
}
