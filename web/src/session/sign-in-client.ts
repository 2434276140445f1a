import type { UserManager } from 'oidc-client-ts';
import type { SignInClient } from './session.ts';
import type { SignInSettings } from './user-manager.ts';
import type { WebConfig } from './web-config.ts';

/**
 * Loads oidc-client-ts when it is needed: the page that asks for the first sign-in does without it.
 *
 * @returns `undefined` if the operator has not configured a client
 */
export function createSignInClient(config: WebConfig): SignInClient | undefined {
  const { clientId } = config;
  if (clientId === null) return undefined;
  let loading: Promise<UserManager> | undefined;
  const manager = async (): Promise<UserManager> => {
    loading ??= load({ ...config, clientId });
    try {
      return await loading;
    } catch (error) {
      loading = undefined;
      throw error;
    }
  };
  return {
    getUser: async () => (keepsUser() ? await (await manager()).getUser() : null),
    removeUser: async () => await (await manager()).removeUser(),
    signinPopup: async (args) => await (await manager()).signinPopup(args),
    signinPopupCallback: async (...args) => await (await manager()).signinPopupCallback(...args),
    signinRedirect: async (args) => await (await manager()).signinRedirect(args),
    signinRedirectCallback: async (url) => await (await manager()).signinRedirectCallback(url),
    signinSilent: async (args) => await (await manager()).signinSilent(args),
    signoutRedirect: async (args) => await (await manager()).signoutRedirect(args),
    metadataService: {
      getEndSessionEndpoint: async () => await (await manager()).metadataService.getEndSessionEndpoint(),
    },
  };
}

async function load(settings: SignInSettings): Promise<UserManager> {
  const { createUserManager } = await import('./user-manager.ts');
  return createUserManager(settings);
}

/** The key of `UserManager`. */
function keepsUser(): boolean {
  return Object.keys(sessionStorage).some((key) => key.startsWith('oidc.user:'));
}
