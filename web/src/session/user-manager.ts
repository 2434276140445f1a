import { UserManager, WebStorageStateStore } from 'oidc-client-ts';
import type { WebConfig } from './web-config.ts';

const TIMEOUT_SECONDS = 10;

export interface SignInSettings extends WebConfig {
  readonly clientId: string;
}

export function createUserManager({ issuer, clientId, audience, scope }: SignInSettings): UserManager {
  const here = new URL('./', location.href).href;
  const store = new WebStorageStateStore({ store: sessionStorage });
  return new UserManager({
    authority: issuer,
    client_id: clientId,
    redirect_uri: here,
    popup_redirect_uri: here,
    post_logout_redirect_uri: here,
    scope,
    extraQueryParams: { audience },
    // `Renewal` renews. Frames are not allowed by the Content-Security-Policy.
    automaticSilentRenew: false,
    monitorSession: false,
    requestTimeoutInSeconds: TIMEOUT_SECONDS,
    silentRequestTimeoutInSeconds: TIMEOUT_SECONDS,
    userStore: store,
    stateStore: store,
  });
}
