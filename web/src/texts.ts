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
    readOnly: 'The catalog is read-only at present: it can be viewed, but not changed.',
    forbidden: (scope: string | undefined) =>
      scope === undefined
        ? 'You have no permission for this. Ask the operator of the catalog.'
        : `You have no permission for this. Ask the operator for the scope ${scope}.`,
    refused: (message: string) => `The catalog does not accept your sign-in: ${message}.`,
    failed: (message: string, requestId: string | undefined) =>
      requestId === undefined ? `${message}.` : `${message}. Request ${requestId}.`,
  },
  grid: {},
  scrubber: {},
  selection: {
    label: 'Selected pictures',
    selected: (count: number): string => (count === 1 ? 'picture selected' : 'pictures selected'),
    clear: 'Clear the selection',
    actions: { tag: 'Tag', download: 'Download', delete: 'Delete' },
    tagsOf: (count: number): string => `Tags of ${pictures(count)}`,
    add: 'Add tags',
    remove: 'Remove tags',
    removeTag: (tag: string, count: number): string =>
      `Remove ${tag}, which ${pictures(count)} ${count === 1 ? 'has' : 'have'}`,
    present: 'Tags of these pictures',
    apply: 'Apply',
    cancel: 'Cancel',
    progress: (done: number, count: number): string => `${done.toLocaleString('en')} of ${pictures(count)}`,
    tagged: ({ updated, missing, refused, left }: TagCounts): string =>
      [
        updated.length > 0 ? `Tags of ${pictures(updated.length)} changed.` : '',
        missing.length > 0
          ? `${pictures(missing.length)} ${missing.length === 1 ? 'has' : 'have'} been deleted.`
          : '',
        refused.length > 0
          ? `${pictures(refused.length)} would have more than 100 tags and ${refused.length === 1 ? 'stays' : 'stay'} selected.`
          : '',
        left.length > 0
          ? `${pictures(left.length)} could not be changed and ${left.length === 1 ? 'stays' : 'stay'} selected.`
          : '',
      ]
        .filter((sentence) => sentence !== '')
        .join(' '),
    tooManyDownloads: (limit: number): string =>
      `Select at most ${limit} pictures to download them together.`,
    downloading: (count: number): string =>
      `Downloading ${pictures(count)}, one after another. Allow it if the browser asks.`,
    missing: (count: number): string => `${pictures(count)} ${count === 1 ? 'has' : 'have'} been deleted.`,
  },
  viewer: {},
  panel: {},
  deletion: {
    deleted: (count: number): string => (count === 1 ? 'Picture deleted' : `${pictures(count)} deleted`),
    undo: 'Undo',
    undone: (count: number): string => (count === 1 ? 'Picture restored' : `${pictures(count)} restored`),
    failed: (count: number, reason: string): string => `${pictures(count)} could not be deleted. ${reason}`,
    unreachable: 'The service cannot be reached.',
    signedOut: 'Your session has ended.',
  },
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
  search: {
    label: 'Search',
    placeholder: 'Search words, tags, dates…',
    open: 'Search',
    close: 'Close search',
    clear: 'Clear the search',
    suggestionsLabel: 'Filters',
    suggestions: (count: number) =>
      count === 0 ? 'No suggestions' : `${count} ${count === 1 ? 'suggestion' : 'suggestions'}`,
    kinds: { tag: 'Tag', date: 'Date', type: 'File type' },
    words: (words: string) => `“${words}”`,
    filters: 'Filters',
    remove: (filter: string) => `Remove ${filter}`,
    removed: (filter: string) => `Removed ${filter}`,
    added: (filter: string) => `Filtered by ${filter}`,
    clearAll: 'Clear all',
    noMatches: 'No pictures match.',
    clearFilters: 'Clear filters',
    pictures: (count: number) => `${count.toLocaleString('en')} ${count === 1 ? 'picture' : 'pictures'}`,
    sort: 'Sort by',
    sorts: {
      taken: 'Date taken',
      added: 'Recently added',
      'first-added': 'First added',
      random: 'Random walk',
    },
    shuffle: 'Shuffle again',
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

interface TagCounts {
  readonly updated: readonly number[];
  readonly missing: readonly number[];
  readonly refused: readonly number[];
  readonly left: readonly number[];
}

function pictures(count: number): string {
  return count === 1 ? '1 picture' : `${count.toLocaleString('en')} pictures`;
}
