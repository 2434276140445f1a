import { ALIKE_TAG, type CatalogName, SHARED_WORDS } from './hostile-catalogs.ts';
import { get, type HostileRequest, type Ingredients, LONG_PARAMETER, large } from './hostile-request.ts';

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
  search('one-word', 'a word of all images', () => ({ q: 'same' })),
  search('one-word', 'words of all, and one that none has', () => ({ q: 'same s sa sam zz' })),
  search('shared-words', 'words that many have, and none all', () => ({ q: SHARED_WORDS.join(' ') })),
  search('shared-words', 'initials of words', () => ({ q: 'b c d f g' })),
  search('long-records', 'a hundred initials of 5,000 words', () => ({ q: INITIALS })),
  search('long-records', 'the longest q', ({ text, serial }) => ({ q: text.make(MAX_Q, serial) })),
  search('alike-tags', 'a hundred tags that begin alike', () => ({
    tags: Array.from({ length: MAX_TAGS }, (_, at) => ALIKE_TAG + String(at).padStart(6, '0')).join(','),
  })),
  search('one-word', 'the tag of all', () => ({ tags: 'same', q: 'same', camera: 'canon' })),
  search('everything', 'the longest camera and lens', ({ text, serial }) => ({
    camera: text.make(MAX_CAMERA, serial),
    lens: text.make(MAX_CAMERA, serial),
  })),
  search('everything', 'the lens of all', () => ({ lens: 'canon', camera: 'canon' })),
  search('one-word', 'what none lacks', () => ({ tagged: 'false', dated: 'false' })),
  search('one-word', 'the digest of all, with all other filters', () => ({
    q: 's',
    sha256: 'C'.repeat(64),
    mediaType: 'image/png',
    createdAfter: '2026-01-31T11:59:59Z',
    createdBefore: '2026-01-31T12:00:01Z',
    takenAfter: '2026-01-31T11:59:59Z',
    takenBefore: '2026-01-31T12:00:01Z',
  })),
];

const SORTS: readonly Query[] = [
  { sort: 'taken' },
  { sort: 'taken', order: 'desc' },
  { order: 'desc' },
  { sort: 'random', seed: '~'.repeat(64) },
];

function search(space: CatalogName, what: string, filter: Search['filter']): Search {
  return { what, space, filter };
}

function listing({ what, space, filter }: Search): HostileRequest {
  return large(space, what, (ingredients) => {
    const sort = SORTS[Math.floor(ingredients.random() * SORTS.length)];
    return get('/api/images', { limit: 1000, ...sort, ...filter(ingredients) });
  });
}

function counted({ what, space, filter }: Search): HostileRequest {
  return large(space, `${what}, counted`, (ingredients) =>
    get('/api/images', { limit: 1, count: 'true', ...filter(ingredients) }),
  );
}

export const LISTINGS: readonly HostileRequest[] = [
  ...SEARCHES.map(listing),
  ...SEARCHES.map(counted),
  ...(['one-word', 'long-records', 'everything'] as const).map((space) =>
    large(space, `all of ${space}`, () => get('/api/images')),
  ),
  large('one-word', 'all by a seed', ({ serial }) =>
    get('/api/images', { sort: 'random', seed: `s${serial}` }),
  ),
  large('long-records', 'a page of the longest records', () => get('/api/images', { limit: 1000 })),
  large('neighbour', 'a long unknown parameter', () => get(`/api/images?${LONG_PARAMETER}`)),
  large('one-word', 'the longest cursor', ({ text, serial }) =>
    get('/api/images', { limit: 1000, after: text.make(1_000, serial) }),
  ),
];

const OF_ALL_DAYS = search('shared-words', 'a day for each image', () => ({}));

export const TIMELINES: readonly HostileRequest[] = [...SEARCHES, OF_ALL_DAYS].map(
  ({ what, space, filter }) =>
    large(space, what, (ingredients) => get('/api/images/timeline', { by: 'day', ...filter(ingredients) })),
);
