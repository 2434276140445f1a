import { OidcClient, type SigninRequest, User, WebStorageStateStore } from 'oidc-client-ts';
import { namingBlocked } from './blocked-by-policy.ts';
import { requireJwt } from './opaque-token.ts';
import type { SignInClient } from './session.ts';
import type { WebConfig } from './web-config.ts';

const TIMEOUT_SECONDS = 10;
const TAKEN_TIMEOUT_MS = 2000;
/** Answers of the page that began a sign-in to the window with the response; an address is another answer: where to go next. */
const TAKEN = 'taken';
const DONE = 'done';
/** Two requests to the provider, and some time for the page. */
const ANSWER_TIMEOUT_MS = 2 * TIMEOUT_SECONDS * 1000 + TAKEN_TIMEOUT_MS;
/** A request for a refresh token, and the mark by which its response is known. */
const CONSENT = { prompt: 'consent', state: 'consent' } as const;
const WINDOW_FEATURES = 'popup,width=480,height=640';

/**
 * Code + PKCE with the tokens in the session storage of the tab. Not `UserManager`: it brings frames, which the
 * Content-Security-Policy does not allow, and as much code again.
 */
export class OidcSignIn implements SignInClient {
  readonly #client: OidcClient;
  readonly #userKey: string;
  /** RFC 8707: requests for a code, for tokens and for their renewal name the catalog. */
  readonly #resource: { readonly resource?: string };
  readonly #wantsRefreshToken: boolean;
  /**
   * Signs in without the consent that another window asks for. The page cannot know whether the person has closed that window: its
   * Cross-Origin-Opener-Policy separates the two, so that it looks closed while it is open.
   */
  #skipConsent: (() => User) | undefined;

  /** @param userKey where the session storage of the tab has its tokens */
  constructor({ issuer, clientId, audience, scope, resource }: WebConfig, userKey: string) {
    const here = new URL('./', location.href).href;
    this.#userKey = userKey;
    this.#resource = resource === null ? {} : { resource };
    this.#wantsRefreshToken = scope.split(' ').includes('offline_access');
    this.#client = new OidcClient({
      authority: issuer,
      client_id: clientId ?? '',
      redirect_uri: here,
      post_logout_redirect_uri: here,
      scope,
      extraQueryParams: { audience },
      ...this.#resource,
      extraTokenParams: this.#resource,
      requestTimeoutInSeconds: TIMEOUT_SECONDS,
      stateStore: new WebStorageStateStore({ store: sessionStorage }),
    });
  }

  async user(): Promise<User | undefined> {
    const saved = sessionStorage.getItem(this.#userKey);
    return saved === null ? undefined : User.fromStorageString(saved);
  }

  async forget(): Promise<void> {
    sessionStorage.removeItem(this.#userKey);
  }

  async leaveToSignIn(): Promise<void> {
    const { url } = await this.#request();
    await leaveFor(url);
  }

  async finish(address: string): Promise<User> {
    const user = await this.#finishOne(address);
    if (this.#lacksConsent(user)) {
      const { url } = await this.#request(CONSENT);
      await leaveFor(url);
    }
    return user;
  }

  async signInAside(): Promise<User | undefined> {
    // The person asks again while another window asks for consent: they have closed it.
    const signedIn = this.#skipConsent?.();
    if (signedIn !== undefined) return signedIn;
    // Before anything else: browsers open windows only during the click.
    const aside = window.open('', '_blank', WINDOW_FEATURES);
    if (aside === null) return undefined;
    // The pages of the provider must not lead the gallery to another address.
    aside.opener = null;
    try {
      const { url, state } = await this.#request();
      const response = responseOf(state.id);
      aside.location.replace(url);
      return await this.#finishAside(await response);
    } finally {
      aside.close();
    }
  }

  async passOn(address: URL): Promise<boolean> {
    const channel = channelOf(address.searchParams.get('state') ?? '');
    const taken = nextMessage(channel, TAKEN_TIMEOUT_MS);
    // oxlint-disable-next-line unicorn/require-post-message-target-origin -- it is a channel, not a window
    channel.postMessage(address.href);
    const isTaken = (await taken) !== undefined;
    const next = isTaken ? await nextMessage(channel, ANSWER_TIMEOUT_MS) : undefined;
    channel.close();
    if (next !== undefined && next !== DONE) await leaveFor(next);
    if (isTaken) window.close();
    return isTaken;
  }

  async renew(): Promise<User> {
    const user = await this.user();
    if (user?.refresh_token === undefined) throw new TypeError('There is no refresh token');
    const { refresh_token, id_token, session_state, scope, profile } = user;
    const state = {
      refresh_token,
      session_state,
      profile,
      ...(id_token !== undefined && { id_token }),
      ...(scope !== undefined && { scope }),
    };
    const request = { state, ...this.#resource, timeoutInSeconds: TIMEOUT_SECONDS };
    const response = await namingBlocked(async () => await this.#client.useRefreshToken(request));
    // A response without a new refresh token leaves the present one.
    return this.#keep(new User(Object.assign(state, response)));
  }

  async canSignOut(): Promise<boolean> {
    return (await this.#client.metadataService.getEndSessionEndpoint()) !== undefined;
  }

  async leaveToSignOut(): Promise<void> {
    const idToken = (await this.user())?.id_token;
    const { url } = await this.#client.createSignoutRequest(
      idToken === undefined ? {} : { id_token_hint: idToken },
    );
    await this.forget();
    await leaveFor(url);
  }

  async #finishAside(response: AsideResponse): Promise<User> {
    try {
      const user = await this.#finishOne(response.address);
      if (!this.#lacksConsent(user)) return user;
      const { url, state } = await this.#request(CONSENT);
      const next = responseOf(state.id);
      response.answer(url);
      return await this.#finishConsent(next, user);
    } finally {
      response.answer(DONE);
    }
  }

  /** The sign-in succeeded before: without the consent it only ends earlier. */
  async #finishConsent(next: Promise<AsideResponse>, user: User): Promise<User> {
    const skipped = new Promise<undefined>((resolve) => {
      this.#skipConsent = () => {
        resolve(undefined);
        return user;
      };
    });
    try {
      const response = await Promise.race([next, skipped]);
      return response === undefined ? user : await this.#finishOne(response.address);
    } catch {
      return user;
    } finally {
      this.#skipConsent = undefined;
      // Also closes a window that responds later.
      void next.then(({ answer }) => answer(DONE));
    }
  }

  /** Keeps the tokens of the response. */
  async #finishOne(address: string): Promise<User> {
    const response = await namingBlocked(async () => await this.#client.processSigninResponse(address));
    requireJwt(response.access_token);
    return this.#keep(new User(response));
  }

  /**
   * Many providers issue a refresh token only after a request with `prompt=consent` (OpenID Connect Core 1.0, section 11). The
   * state of such a request keeps the gallery from sending a second one.
   */
  #lacksConsent({ refresh_token, state }: User): boolean {
    return this.#wantsRefreshToken && refresh_token === undefined && state !== CONSENT.state;
  }

  /** Some providers require a nonce also with PKCE. The library compares it with that of the ID token. */
  async #request(more: Partial<typeof CONSENT> = {}): Promise<SigninRequest> {
    const request = { nonce: randomNonce(), ...more };
    return await namingBlocked(async () => await this.#client.createSigninRequest(request));
  }

  #keep(user: User): User {
    sessionStorage.setItem(this.#userKey, user.toStorageString());
    return user;
  }
}

/** Not `randomUUID`: a page without TLS lacks it, and the library says that sign-in needs TLS. */
function randomNonce(): string {
  return btoa(String.fromCharCode(...crypto.getRandomValues(new Uint8Array(16))));
}

/** Does not resolve: the page ends. */
async function leaveFor(url: string): Promise<void> {
  location.assign(url);
  await new Promise<never>(() => undefined);
}

/** Not `postMessage` to the opener: a provider may separate its windows from their openers. */
function channelOf(state: string): BroadcastChannel {
  return new BroadcastChannel(`image-catalog.sign-in.${state}`);
}

interface AsideResponse {
  /** With which the provider leads back to the gallery, in another window. */
  readonly address: string;
  /** Leads the window on, or closes it. Only the first answer counts. */
  readonly answer: (next: string) => void;
}

async function responseOf(state: string): Promise<AsideResponse> {
  const channel = channelOf(state);
  const address = await nextMessage(channel);
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- it is a channel, not a window
  channel.postMessage(TAKEN);
  let isAnswered = false;
  const answer = (next: string): void => {
    if (isAnswered) return;
    isAnswered = true;
    // oxlint-disable-next-line unicorn/require-post-message-target-origin -- it is a channel, not a window
    channel.postMessage(next);
    channel.close();
  };
  return { address, answer };
}

async function nextMessage(channel: BroadcastChannel): Promise<string>;
/** Resolves to `undefined` after the timeout. */
async function nextMessage(channel: BroadcastChannel, timeoutMs: number): Promise<string | undefined>;
async function nextMessage(channel: BroadcastChannel, timeoutMs?: number): Promise<string | undefined> {
  return await new Promise((resolve) => {
    channel.addEventListener('message', ({ data }: MessageEvent<string>) => resolve(data), { once: true });
    if (timeoutMs !== undefined) setTimeout(() => resolve(undefined), timeoutMs);
  });
}
