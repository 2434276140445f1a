import { ALIKE_TAG, type CatalogName, SHARED_WORDS } from './hostile-catalogs.ts';
import { get, type HostileRequest, type Ingredients } from './hostile-request.ts';

const MAX_Q = 200;
const MAX_CAMERA = 100;
const MAX_TAGS = 100;

type Query = Readonly<Record<string, string | number>>;

interface Search {
  readonly what: string;
  readonly space: CatalogName;
  readonly filter: (ingredients: Ingredients) => Query;
}

const INITIALS = Array.from({ length: MAX_Q / 2 }, (_, at) => 'abcdefghij'[at % 10]).join(' ');

/** The filters that listings and the timeline have in common. */
const SEARCHES: readonly Search[] = [
  { what: 'a word of all images', space: 'one-word', filter: () => ({ q: 'same' }) },
  {
    what: 'words of all, and one that none has',
    space: 'one-word',
    filter: () => ({ q: 'same s sa sam zz' }),
  },
  {
    what: 'words that many have, and none all',
    space: 'shared-words',
    filter: () => ({ q: SHARED_WORDS.join(' ') }),
  },
  { what: 'initials of words', space: 'shared-words', filter: () => ({ q: 'b c d f g' }) },
  { what: 'a hundred initials of 5,000 words', space: 'long-records', filter: () => ({ q: INITIALS }) },
  {
    what: 'the longest q',
    space: 'long-records',
    filter: ({ text, serial }) => ({ q: text.make(MAX_Q, serial) }),
  },
  {
    what: 'a hundred tags that begin alike',
    space: 'alike-tags',
    filter: () => ({
      tags: Array.from({ length: MAX_TAGS }, (_, at) => ALIKE_TAG + String(at).padStart(6, '0')).join(','),
    }),
  },
  { what: 'the tag of all', space: 'one-word', filter: () => ({ tags: 'same', q: 'same', camera: 'canon' }) },
  {
    what: 'the longest camera and lens',
    space: 'everything',
    filter: ({ text, serial }) => ({
      camera: text.make(MAX_CAMERA, serial),
      lens: text.make(MAX_CAMERA, serial),
    }),
  },
  { what: 'the lens of all', space: 'everything', filter: () => ({ lens: 'canon', camera: 'canon' }) },
  { what: 'what none lacks', space: 'one-word', filter: () => ({ tagged: 'false', dated: 'false' }) },
  {
    what: 'the digest of all, with all other filters',
    space: 'one-word',
    filter: () => ({
      q: 's',
      sha256: 'C'.repeat(64),
      mediaType: 'image/png',
      createdAfter: '2026-01-31T11:59:59Z',
      createdBefore: '2026-01-31T12:00:01Z',
      takenAfter: '2026-01-31T11:59:59Z',
      takenBefore: '2026-01-31T12:00:01Z',
    }),
  },
];

const SORTS: readonly Query[] = [
  { sort: 'taken' },
  { sort: 'taken', order: 'desc' },
  { order: 'desc' },
  { sort: 'random', seed: '~'.repeat(64) },
];

function listing({ what, space, filter }: Search): HostileRequest {
  return {
    what,
    space,
    make: (ingredients) => {
      const sort = SORTS[Math.floor(ingredients.random() * SORTS.length)];
      return get('/api/images', { limit: 1000, ...sort, ...filter(ingredients) });
    },
  };
}

function counted({ what, space, filter }: Search): HostileRequest {
  return {
    what: `${what}, counted`,
    space,
    make: (ingredients) => get('/api/images', { limit: 1, count: 'true', ...filter(ingredients) }),
  };
}

export const LISTINGS: readonly HostileRequest[] = [
  ...SEARCHES.map(listing),
  ...SEARCHES.map(counted),
  ...(['one-word', 'long-records', 'everything'] as const).map((space) => ({
    what: `all of ${space}`,
    space,
    make: () => get('/api/images'),
  })),
  {
    what: 'all by a seed',
    space: 'one-word',
    make: ({ serial }) => get('/api/images', { sort: 'random', seed: `s${serial}` }),
  },
  {
    what: 'a page of the longest records',
    space: 'long-records',
    make: () => get('/api/images', { limit: 1000 }),
  },
  {
    what: 'the longest cursor',
    space: 'one-word',
    make: ({ text, serial }) => get('/api/images', { limit: 1000, after: text.make(1_000, serial) }),
  },
];

const OF_ALL_DAYS: Search = { what: 'a day for each image', space: 'shared-words', filter: () => ({}) };

export const TIMELINES: readonly HostileRequest[] = [...SEARCHES, OF_ALL_DAYS].map(
  ({ what, space, filter }) => ({
    what,
    space,
    make: (ingredients) => get('/api/images/timeline', { by: 'day', ...filter(ingredients) }),
  }),
);
