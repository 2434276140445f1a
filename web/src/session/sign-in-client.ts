import { loadPart } from '../parts/load-part.ts';
import type { OidcSignIn } from './oidc-sign-in.ts';
import type { SignInClient } from './session.ts';
import { userKey } from './user-key.ts';
import type { WebConfig } from './web-config.ts';

/**
 * Loads oidc-client-ts when it is needed: the page that asks for the first sign-in does without it.
 *
 * @returns `undefined` if the operator has not configured a client
 */
export function createSignInClient(config: WebConfig): SignInClient | undefined {
  if (config.clientId === null) return undefined;
  const key = userKey(config);
  let loading: Promise<OidcSignIn> | undefined;
  const loaded = async (): Promise<OidcSignIn> => {
    loading ??= load(config, key);
    try {
      return await loading;
    } catch (error) {
      loading = undefined;
      throw error;
    }
  };
  return {
    user: async () => (sessionStorage.getItem(key) === null ? undefined : await (await loaded()).user()),
    forget: async () => sessionStorage.removeItem(key),
    leaveToSignIn: async () => await (await loaded()).leaveToSignIn(),
    finish: async (address) => await (await loaded()).finish(address),
    signInAside: async () => await (await loaded()).signInAside(),
    passOn: async (address) => await (await loaded()).passOn(address),
    renew: async () => await (await loaded()).renew(),
    canSignOut: async () => await (await loaded()).canSignOut(),
    leaveToSignOut: async () => await (await loaded()).leaveToSignOut(),
  };
}

async function load(config: WebConfig, key: string): Promise<OidcSignIn> {
  const { OidcSignIn } = await loadPart(() => import('./oidc-sign-in.ts'));
  return new OidcSignIn(config, key);
}
