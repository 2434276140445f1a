import type { User } from 'oidc-client-ts';

/** Whose tokens the tab has. */
export type SessionUser = Pick<User, 'access_token' | 'refresh_token' | 'expires_in' | 'profile' | 'scope'>;

/** Of `toStorageString` of oidc-client-ts, without the library: a page whose person is signed in needs it only later. */
export function readSavedUser(saved: string): SessionUser {
  const user = JSON.parse(saved) as Omit<User, 'expires_in'>;
  return {
    ...user,
    get expires_in() {
      return user.expires_at === undefined ? undefined : user.expires_at - Math.floor(Date.now() / 1000);
    },
  };
}
