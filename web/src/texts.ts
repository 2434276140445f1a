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
  tags: {
    placeholder: 'Add tags',
    present: (label: string): string => `${label}: present`,
    remove: (tag: string): string => `Remove ${tag}`,
    added: (tags: readonly string[]): string => `Added ${tags.join(', ')}`,
    removed: (tag: string): string => `Removed ${tag}`,
    suggestionsFor: (label: string): string => `${label}: suggestions`,
    suggestions: (count: number): string => `${count} ${count === 1 ? 'suggestion' : 'suggestions'}`,
    problem: {
      'too-long': 'A tag has at most 64 characters.',
      'too-many': 'A picture has at most 100 tags.',
    },
  },
  upload: {},
  search: {},
  header: {},
  notices: {
    close: 'Close',
  },
  shortcuts: {},
} as const;
