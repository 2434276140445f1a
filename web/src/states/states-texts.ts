import { roomTexts } from '../languages/texts.ts';

export const statesTexts = roomTexts('states', {
  title: 'Catalog',
  loadingFailed: 'The gallery cannot be loaded',
  loadingFailedHint: 'Check the connection. The gallery tries again when the device is online.',
  storageRefused:
    'The browser refuses to store anything for this page. Allow its cookies and data, then try again.',
  /** After three seconds, and after fifteen. */
  stillLoading: 'Still loading…',
  slow: 'This takes unusually long. The connection may be slow, or the catalog busy.',
  leave: 'Back',
  broken: 'This part of the gallery has failed.',
  reloadPage: 'Reload the page',
  signedOut: 'Sign in to see the pictures',
  signedOutHint: 'The pictures of this catalog are private.',
  signIn: 'Sign in',
  signInAgain: 'Sign in again',
  ended: 'Your session has ended. Sign in again to continue where you were.',
  noClient: 'Sign-in is not set up',
  noClientHint: 'The operator of the catalog sets WEB_CLIENT_ID on the service.',
  problem: {
    denied: 'You are not signed in: access was denied.',
    ended: 'Your session has ended. Sign in again to continue.',
    lost: 'The sign-in was interrupted. Sign in again.',
    unreachable: 'The identity provider cannot be reached. Try again in a moment.',
    blocked: (origin: string) =>
      `The policy of this page blocks the sign-in: it allows no requests to ${origin}. For the operator: add it to WEB_CONNECT_ORIGINS.`,
    insecure: 'Sign-in needs a secure connection. Open the gallery with https://.',
    opaque:
      'The identity provider issued an opaque access token, which the catalog cannot check. For the operator: the provider must issue JWT access tokens for this catalog. Some do so only if WEB_RESOURCE is set.',
    refused: (message: string) => `The identity provider refused the sign-in: ${message}.`,
  },
  updated: 'The gallery was updated.',
  reload: 'Reload',
  offline: 'You are offline. The gallery continues when the connection is back.',
  unreachable: 'The catalog cannot be reached.',
  busy: 'The catalog is busy.',
  storage: (requestId: string | undefined) =>
    `The storage of the catalog is full or cannot be reached. For the operator: storage_unavailable${requestId === undefined ? '' : `, request ${requestId}`}.`,
  provider: 'Your session cannot be renewed: the identity provider cannot be reached.',
  retryIn: (seconds: number) => `Next try in ${seconds} s`,
  retrying: 'Trying…',
  retryNow: 'Try now',
  readOnly: 'The catalog is read-only at present: it can be viewed, but not changed.',
  tooManyChanges: (until: string) =>
    `You have changed as much as is allowed in a day: changes are refused until ${until}.`,
  spaceMissing: 'This account has no space in the catalog',
  spaceMissingHint:
    'The sign-in has worked, but it does not say which space is yours. Ask the operator of the catalog: the token needs the claim that SPACE_CLAIM names on the service. Then sign in again.',
  forbidden: (scope: string | undefined) =>
    scope === undefined
      ? 'You have no permission for this. Ask the operator of the catalog.'
      : `You have no permission for this. Ask the operator for the scope ${scope}.`,
  refused: (message: string) => `The catalog does not accept your sign-in: ${message}.`,
  /** Of errors of the service. */
  codes: {
    image_not_found: 'The picture is not there any more',
    internal_error: 'The catalog had an error',
    unexpected_response: 'The catalog sent an unexpected response',
    precondition_failed: 'The picture has been changed meanwhile',
    quota_exceeded: 'The space is full',
    request_too_large: 'That is too much at a time',
    link_expired: 'The link has expired',
    cursor_expired: 'The list is too old',
    token_too_long:
      'The token of your sign-in is too long for the catalog. For the operator: let the provider put less into it, or raise --max-http-header-size of the service',
  },
  said: (message: string) => message,
  failed: (message: string, requestId: string | undefined) =>
    requestId === undefined ? `${message}.` : `${message}. Request ${requestId}.`,
  back: 'Back to the pictures',
  signOut: 'Sign out',
});
