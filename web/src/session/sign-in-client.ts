import { Part } from '../base/part.ts';
import type { OidcSignIn } from './oidc-sign-in.ts';
import { readSavedUser } from './saved-user.ts';
import type { SignInClient } from './session.ts';
import { userKey } from './user-key.ts';
import type { WebConfig } from './web-config.ts';

const library = new Part(
  () => import('./oidc-sign-in.ts'),
  ({ OidcSignIn }) => OidcSignIn,
);

/**
 * Loads oidc-client-ts when it is needed: the page that asks for the first sign-in does without it, and so does a session
 * that is continued.
 *
 * @returns `undefined` if the operator has not configured a client
 */
export function createSignInClient(config: WebConfig): SignInClient | undefined {
  if (config.clientId === null) return undefined;
  const key = userKey(config);
  let client: OidcSignIn | undefined;
  const loaded = async (): Promise<OidcSignIn> => {
    await library.load();
    const Client = library.loaded.get();
    if (Client === undefined) throw new TypeError('The library is not loaded');
    client ??= new Client(config, key);
    return client;
  };
  return {
    user: async () => {
      const saved = sessionStorage.getItem(key);
      return saved === null ? undefined : readSavedUser(saved);
    },
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
