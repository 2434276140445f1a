import { type User, UserManager, WebStorageStateStore } from 'oidc-client-ts';
import { Store } from '../store.ts';
import type { WebConfig } from './web-config.ts';

export type SessionState =
  | { readonly kind: 'signed-in'; readonly name: string | undefined }
  | { readonly kind: 'signed-out' }
  /** The provider does not renew the token any more. */
  | { readonly kind: 'ended' }
  /** The operator has not configured a client. */
  | { readonly kind: 'no-client' };

/** A call of the API without a session. */
export class SignedOut extends Error {
  override readonly name = 'SignedOut';
}

/** Code + PKCE. Tokens stay in the session storage of the tab. */
export class Session {
  readonly state: Store<SessionState>;
  readonly #manager: UserManager | undefined;

  constructor({ issuer, clientId, audience, scope }: WebConfig) {
    const here = new URL('./', location.href).href;
    this.state = new Store<SessionState>({ kind: clientId === null ? 'no-client' : 'signed-out' });
    if (clientId === null) return;
    this.#manager = new UserManager({
      authority: issuer,
      client_id: clientId,
      redirect_uri: here,
      post_logout_redirect_uri: here,
      scope,
      extraQueryParams: { audience },
      automaticSilentRenew: false,
      monitorSession: false,
      userStore: new WebStorageStateStore({ store: sessionStorage }),
      stateStore: new WebStorageStateStore({ store: sessionStorage }),
    });
  }

  /** Finishes a sign-in that returns from the provider, or continues the session of the tab. */
  async begin(): Promise<void> {
    if (this.#manager === undefined) return;
    const search = new URLSearchParams(location.search);
    if (search.has('state') && (search.has('code') || search.has('error'))) {
      const user = await this.#manager.signinCallback();
      history.replaceState(null, '', `./${typeof user?.url_state === 'string' ? user.url_state : ''}`);
    }
    this.#enter(await this.#manager.getUser());
  }

  async signIn(): Promise<void> {
    await this.#manager?.signinRedirect({ url_state: location.search });
  }

  async signOut(): Promise<void> {
    await this.#manager?.signoutRedirect();
  }

  /** @param refused a token that the service has refused */
  readonly getToken = async (refused?: string): Promise<string> => {
    const user = await this.#manager?.getUser();
    if (user === null || user === undefined) throw new SignedOut();
    if (user.access_token !== refused && !isNearlyOver(user)) return user.access_token;
    const renewed = await this.#manager?.signinSilent();
    if (renewed === null || renewed === undefined) throw new SignedOut();
    return renewed.access_token;
  };

  #enter(user: User | null): void {
    if (user !== null) this.state.set({ kind: 'signed-in', name: user.profile.name ?? user.profile.email });
  }
}

function isNearlyOver({ expires_in }: User): boolean {
  return expires_in !== undefined && expires_in < 10;
}
