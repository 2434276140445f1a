import { ImageCatalog } from '@image-catalog/client';
import { UserManager } from 'oidc-client-ts';

// The defaults are those of the demo. They end up in the page, so there is no secret among them.
const {
  VITE_CATALOG_URL = 'http://127.0.0.1:3000/',
  VITE_ISSUER = 'http://127.0.0.1:3001/',
  VITE_CLIENT_ID = 'image-catalog-gallery',
  VITE_SCOPE = 'openid images:publish',
} = import.meta.env;

const users = new UserManager({
  authority: VITE_ISSUER,
  client_id: VITE_CLIENT_ID,
  redirect_uri: `${location.origin}/`, // Registered at the provider, exactly like this.
  scope: VITE_SCOPE,
});

export const signIn = () => users.signinRedirect();
export const images = new ImageCatalog({ url: VITE_CATALOG_URL, getToken });

/** Whether a person is signed in. Completes the sign-in if the provider has just redirected to this page. */
export async function isSignedIn() {
  if (new URLSearchParams(location.search).has('state')) {
    const query = location.href;
    history.replaceState(null, '', '/'); // A reload must not use the code twice.
    await users.signinCallback(query);
  }
  const user = await users.getUser();
  return user !== null && !user.expired;
}

/** @param refused the token that the catalog did not accept, for example because it has expired */
async function getToken(refused) {
  const user = refused === undefined ? await users.getUser() : await users.signinSilent();
  return user.access_token;
}
