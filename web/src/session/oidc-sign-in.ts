import { OidcClient, type SigninRequest, User, WebStorageStateStore } from 'oidc-client-ts';
import { namingBlocked } from './blocked-by-policy.ts';
import type { SignInClient } from './session.ts';
import type { WebConfig } from './web-config.ts';

const TIMEOUT_SECONDS = 10;
const TAKEN_TIMEOUT_MS = 2000;
const TAKEN = 'taken';
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

  /** @param userKey where the session storage of the tab has its tokens */
  constructor({ issuer, clientId, audience, scope, resource }: WebConfig, userKey: string) {
    const here = new URL('./', location.href).href;
    this.#userKey = userKey;
    this.#resource = resource === null ? {} : { resource };
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
    return this.#keep(
      new User(await namingBlocked(async () => await this.#client.processSigninResponse(address))),
    );
  }

  async signInAside(): Promise<User | undefined> {
    // Before anything else: browsers open windows only during the click.
    const aside = window.open('', '_blank', WINDOW_FEATURES);
    if (aside === null) return undefined;
    // The pages of the provider must not lead the gallery to another address.
    aside.opener = null;
    try {
      const { url, state } = await this.#request();
      const response = responseOf(state.id);
      aside.location.replace(url);
      return await this.finish(await response);
    } finally {
      aside.close();
    }
  }

  async passOn(address: URL): Promise<boolean> {
    const channel = channelOf(address.searchParams.get('state') ?? '');
    const taken = new Promise<boolean>((resolve) => {
      channel.addEventListener('message', () => resolve(true), { once: true });
      setTimeout(() => resolve(false), TAKEN_TIMEOUT_MS);
    });
    // oxlint-disable-next-line unicorn/require-post-message-target-origin -- it is a channel, not a window
    channel.postMessage(address.href);
    const isTaken = await taken;
    channel.close();
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

  async #request(): Promise<SigninRequest> {
    return await namingBlocked(async () => await this.#client.createSigninRequest({}));
  }

  #keep(user: User): User {
    sessionStorage.setItem(this.#userKey, user.toStorageString());
    return user;
  }
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

/** The address with which the provider leads back to the gallery, in another window. */
async function responseOf(state: string): Promise<string> {
  const channel = channelOf(state);
  const { data } = await new Promise<MessageEvent<string>>((resolve) =>
    channel.addEventListener('message', resolve, { once: true }),
  );
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- it is a channel, not a window
  channel.postMessage(TAKEN);
  channel.close();
  return data;
}
