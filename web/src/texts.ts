/** Every text of the gallery. A section per folder. */
export const texts = {
  app: {
    title: 'Catalog',
    loading: 'Loading the gallery…',
    failed: 'The gallery could not be loaded. Reload the page to try again.',
  },
  states: {
    signedOut: 'Sign in to see the pictures.',
    signIn: 'Sign in',
    ended: 'Your session has ended. Sign in again to continue where you were.',
    noClient: 'Sign-in is not configured. Set WEB_CLIENT_ID on the service.',
  },
  grid: {},
  scrubber: {},
  selection: {},
  viewer: {},
  panel: {},
  deletion: {},
  tags: {},
  upload: {},
  search: {
    since: (date: string) => `Since ${date}`,
    until: (date: string) => `Until ${date}`,
    after: (time: string) => `After ${time}`,
    before: (time: string) => `Before ${time}`,
    between: (first: string, last: string) => `${first} – ${last}`,
  },
  header: {},
  notices: {
    close: 'Close',
  },
  shortcuts: {},
} as const;
