import { FORM_TYPE, fieldPart, filePart, multipart } from '../../support/fixtures/multipart.ts';
import { tinyPng } from '../../support/fixtures/tiny-pictures.ts';
import {
  ALIKE_TAG,
  type CatalogName,
  COMMON_DIGEST,
  digestOf,
  NAMES_OF_AN_IMAGE,
} from './hostile-catalogs.ts';
import {
  anId,
  get,
  type HostileRequest,
  type Ingredients,
  json,
  type SentRequest,
  someIds,
} from './hostile-request.ts';
import { LISTINGS, TIMELINES } from './hostile-searches.ts';
import { inAnyOrder } from './hostile-texts.ts';

const MAX_TAGS = 100;
const MAX_TAG = 64;
const MAX_TITLE = 200;
const MAX_DESCRIPTION = 5_000;
const MAX_NAME = 128;
const MAX_ARCHIVED = 5_000;
const MAX_AT_ONCE = 500;
const MAX_DIGESTS = 1_000;
/** Of one header: all headers together have 16 KB. */
const MAX_HEADER = 12_000;
/** Of the bodies of PATCH and of POST, without the other fields. */
const PATCH_BYTES = 65_000;
const POST_BYTES = 255_000;
const STREAMED_BYTES = 64 * 1024;

/** All media types, the longest conditions and ranges. */
const LONG_HEADERS: Readonly<Record<string, string>> = {
  'if-none-match': Array.from({ length: 60 }, (_, at) => `"${digestOf(at)}"`).join(', '),
  range: `bytes=${Array.from({ length: 900 }, (_, at) => `${at}-${at}`).join(',')}`.slice(0, 5_000),
};
const LONG_CONDITION = { 'if-none-match': `${'"a", '.repeat(MAX_HEADER / 5)}"b"` };
const LONG_ACCEPT = { accept: `${'image/x;q=0.1, '.repeat(MAX_HEADER / 15)}*/*;q=0.01` };
const LARGEST = { width: 3840, height: 3840, fit: 'contain', quality: 100 };

/** The largest requests of each operation of the OpenAPI document, by its id. */
export const HOSTILE_REQUESTS: Readonly<Record<string, readonly HostileRequest[]>> = {
  greet: [plain('a greeting', () => get('/'))],
  describeApi: [
    plain('the document', () => get('/api/openapi.json')),
    plain('a long condition', () => ({ ...get('/api/openapi.json'), headers: LONG_CONDITION })),
  ],
  uploadImage: [
    {
      what: 'the longest metadata, a name, and the images that look like it',
      space: 'look-alikes',
      make: (ingredients) => uploadOf(ingredients, `?similar=report&name=${nameOf(ingredients)}`),
    },
    {
      what: 'twenty fields beside a known picture',
      space: 'one-word',
      make: (ingredients) => uploadOf({ ...ingredients, serial: 1 }, '?similar=report', 19),
    },
  ],
  listImages: LISTINGS,
  timeline: TIMELINES,
  lookUpImages: [
    {
      what: 'the digest of all, and 999 of none',
      space: 'one-word',
      make: ({ random }) =>
        json('POST', '/api/images/lookup', {
          sha256: inAnyOrder([COMMON_DIGEST, ...digests(MAX_DIGESTS - 1, (at) => digestOf(-at))], random),
        }),
    },
    {
      what: 'one digest a thousand times',
      space: 'one-word',
      make: () => json('POST', '/api/images/lookup', { sha256: digests(MAX_DIGESTS, () => COMMON_DIGEST) }),
    },
    {
      what: 'a thousand digests',
      space: 'alike-names',
      make: (ingredients) =>
        json('POST', '/api/images/lookup', {
          sha256: inAnyOrder(
            someIds(ingredients, 'alike-names', MAX_DIGESTS).map(digestOf),
            ingredients.random,
          ),
        }),
    },
  ],
  listChanges: [
    ...(['one-word', 'long-records', 'neighbour'] as const).map((space) => ({
      what: `a page of ${space} with images`,
      space,
      make: () => get('/api/changes', { limit: 1000, include: 'image' }),
    })),
    {
      what: 'a wait for a change',
      space: 'neighbour',
      make: () => get('/api/changes', { after: 'latest', wait: 1 }),
    },
    {
      what: 'the stream from its beginning',
      space: 'one-word',
      untilBytes: STREAMED_BYTES,
      make: () => ({ ...get('/api/changes'), headers: { accept: 'text/event-stream' } }),
    },
    plain('the longest cursor', () => get('/api/changes', { after: '~'.repeat(200) })),
  ],
  archiveImages: [
    {
      what: '5,000 names that are nearly equal',
      space: 'alike-names',
      make: (ingredients) =>
        json('POST', '/api/images/archive', {
          ids: inAnyOrder(someIds(ingredients, 'alike-names', MAX_ARCHIVED), ingredients.random),
        }),
    },
    {
      what: '4,999 that are missing',
      space: 'alike-names',
      make: (ingredients) =>
        json('POST', '/api/images/archive', {
          ids: inAnyOrder(
            [anId(ingredients, 'alike-names'), ...missing(MAX_ARCHIVED - 1)],
            ingredients.random,
          ),
        }),
    },
    {
      what: 'one image 5,000 times',
      space: 'named',
      make: (ingredients) =>
        json('POST', '/api/images/archive', { ids: Array(MAX_ARCHIVED).fill(anId(ingredients, 'named')) }),
    },
  ],
  makeLinks: [
    {
      what: '500 images in eight sizes',
      space: 'one-word',
      make: (ingredients) =>
        json('POST', '/api/images/links', {
          ids: inAnyOrder(someIds(ingredients, 'one-word', MAX_AT_ONCE), ingredients.random),
          renditions: eightRenditions(),
        }),
    },
    {
      what: '500 names in eight sizes',
      space: 'named',
      make: (ingredients) =>
        json('POST', '/api/images/links', {
          names: inAnyOrder(
            someIds(ingredients, 'named', MAX_AT_ONCE / NAMES_OF_AN_IMAGE).flatMap(plantedNames),
            ingredients.random,
          ),
          renditions: eightRenditions(),
        }),
    },
    {
      what: 'a page of a hundred images',
      space: 'one-word',
      make: (ingredients) =>
        json('POST', '/api/images/links', {
          ids: someIds(ingredients, 'one-word', 100),
          renditions: eightRenditions(),
          page: { title: '😀'.repeat(100) },
        }),
    },
  ],
  makeTickets: [
    plain('a hundred with the longest metadata', ({ text, serial }) =>
      json('POST', '/api/uploads/tickets', {
        count: 100,
        metadata: { title: text.make(100, serial), description: text.make(400, serial) },
      }),
    ),
  ],
  getImage: [
    ...conditional('alike-names', (ingredients) => `/api/image/${anId(ingredients, 'alike-names')}`),
    {
      what: 'the longest record',
      space: 'long-records',
      make: (ingredients) => get(`/api/image/${anId(ingredients, 'long-records')}`),
    },
  ],
  deleteImage: [
    {
      what: 'a hundred names',
      space: 'named',
      make: (ingredients) => ({ method: 'DELETE', path: `/api/image/${anId(ingredients, 'named')}` }),
    },
    {
      what: 'the longest record',
      space: 'long-records',
      make: (ingredients) => ({ method: 'DELETE', path: `/api/image/${anId(ingredients, 'long-records')}` }),
    },
  ],
  getImageFile: [
    ...conditional('alike-names', (ingredients) => `/api/image/${anId(ingredients, 'alike-names')}/file`),
    {
      what: 'the largest rendition',
      space: 'alike-names',
      make: (ingredients) =>
        get(`/api/image/${anId(ingredients, 'alike-names')}/file`, { ...LARGEST, format: 'avif' }),
    },
  ],
  listTrash: [
    { what: 'all of it', space: 'trash', make: () => get('/api/trash') },
    { what: 'a page', space: 'trash', make: () => get('/api/trash', { limit: 1000 }) },
  ],
  restoreImage: [
    {
      what: 'the longest record',
      space: 'trash',
      make: (ingredients) => ({ method: 'POST', path: `/api/trash/${anId(ingredients, 'trash')}/restore` }),
    },
  ],
  eraseImage: [
    {
      what: 'the longest record',
      space: 'trash',
      make: (ingredients) => ({ method: 'DELETE', path: `/api/trash/${anId(ingredients, 'trash')}` }),
    },
  ],
  getMetadata: [
    {
      what: 'the longest record',
      space: 'long-records',
      make: (ingredients) => ({
        ...get(`/api/image/${anId(ingredients, 'long-records')}/metadata`),
        headers: LONG_CONDITION,
      }),
    },
  ],
  patchMetadata: [
    {
      what: 'the longest texts',
      space: 'everything',
      make: (ingredients) => patch(anId(ingredients, 'everything'), longestMetadata(ingredients)),
    },
    {
      what: 'the longest record is cleared',
      space: 'long-records',
      make: (ingredients) =>
        patch(anId(ingredients, 'long-records'), { title: null, description: null, tags: null }),
    },
    {
      what: 'one text of 64 KiB',
      space: 'everything',
      make: (ingredients) =>
        patch(anId(ingredients, 'everything'), { description: textOf(ingredients, PATCH_BYTES) }),
    },
    {
      what: 'a body of 64 KiB of equal tags',
      space: 'everything',
      make: (ingredients) => patch(anId(ingredients, 'everything'), { tags: Array(16_000).fill('a') }),
    },
  ],
  editImages: [
    {
      what: '500 images with as many words as it may have',
      space: 'one-word',
      make: (ingredients) =>
        edit(ingredients, { description: Array.from({ length: 190 }, (_, at) => word(at)).join(' ') }),
    },
    {
      what: '500 images with the longest text',
      space: 'one-word',
      make: (ingredients) => edit(ingredients, { description: ingredients.text.make(MAX_DESCRIPTION, 0) }),
    },
    {
      what: '500 images with a hundred tags that begin alike',
      space: 'one-word',
      make: (ingredients) => edit(ingredients, otherTags(ingredients)),
    },
    {
      what: '500 images lose a hundred tags',
      space: 'alike-tags',
      make: (ingredients) => ({
        ...json('POST', '/api/images/metadata', {
          ids: someIds(ingredients, 'alike-tags', MAX_AT_ONCE),
          removeTags: alikeTags(ingredients.serial),
        }),
      }),
    },
    {
      what: '500 times are moved',
      space: 'one-word',
      make: (ingredients) => edit(ingredients, { shiftTaken: '+P36499DT23H59M59S' }),
    },
    {
      what: 'one text of 256 KiB',
      space: 'one-word',
      make: (ingredients) => edit(ingredients, { description: textOf(ingredients, POST_BYTES) }),
    },
    {
      what: 'a body of 256 KiB of the longest tags',
      space: 'one-word',
      make: (ingredients) => edit(ingredients, { addTags: tagsOf(ingredients, POST_BYTES) }),
    },
    {
      what: 'a body of 256 KiB of tags',
      space: 'one-word',
      make: (ingredients) =>
        edit(ingredients, { removeTags: Array.from({ length: 30_000 }, (_, at) => `${at}`) }),
    },
  ],
  listTags: [
    ...(['name', 'count'] as const).map((order) => ({
      what: `tags that begin alike, by ${order}`,
      space: 'alike-tags' as const,
      make: () => get('/api/tags', { limit: 1000, order, prefix: ALIKE_TAG }),
    })),
    {
      what: 'the longest prefix',
      space: 'alike-tags',
      make: ({ text, serial }) => get('/api/tags', { limit: 1000, prefix: text.make(MAX_TAG, serial) }),
    },
  ],
  listNames: [
    { what: 'all of them', space: 'named', make: () => get('/api/names') },
    { what: 'a page', space: 'named', make: () => get('/api/names', { limit: 1000, prefix: 'planted-' }) },
    {
      what: 'from the last one',
      space: 'named',
      make: () => get('/api/names', { after: 'z'.repeat(MAX_NAME) }),
    },
  ],
  getName: [
    { what: 'the longest name', space: 'named', make: () => get(`/api/names/${'n'.repeat(MAX_NAME)}`) },
    {
      what: 'one of a hundred',
      space: 'named',
      make: (ingredients) => ({ ...get(`/api/names/${aName(ingredients)}`), headers: LONG_CONDITION }),
    },
  ],
  setName: [
    {
      what: 'the longest name of an image that has a hundred',
      space: 'named',
      make: (ingredients) =>
        json('PUT', `/api/names/${nameOf(ingredients)}`, { id: anId(ingredients, 'named') }),
    },
    {
      what: 'the longest name',
      space: 'everything',
      make: (ingredients) =>
        json('PUT', `/api/names/${nameOf(ingredients)}`, { id: anId(ingredients, 'everything') }),
    },
  ],
  deleteName: [
    {
      what: 'one of a hundred',
      space: 'named',
      make: (ingredients) => ({ method: 'DELETE', path: `/api/names/${aName(ingredients)}` }),
    },
  ],
  getNameFile: conditional('named', (ingredients) => `/api/names/${aName(ingredients)}/file`),
  getUsage: [{ what: 'a full space', space: 'everything', make: () => get('/api/usage') }],
  findSimilar: (['look-alikes', 'everything', 'one-word'] as const).map((space) => ({
    what: `all of ${space} look alike`,
    space,
    make: (ingredients: Ingredients) =>
      get(`/api/image/${anId(ingredients, space)}/similar`, { distance: 16, limit: 100 }),
  })),
};

/** A request whose catalog does not matter. */
function plain(what: string, make: HostileRequest['make']): HostileRequest {
  return { what, space: 'neighbour', make };
}

/** The headers that a read of bytes takes, as long as they may be. */
function conditional(
  space: CatalogName,
  pathOf: (ingredients: Ingredients) => string,
): readonly HostileRequest[] {
  return [
    { what: 'many conditions and ranges', headers: LONG_HEADERS },
    { what: 'many media types', headers: LONG_ACCEPT },
    { what: 'a long condition', headers: LONG_CONDITION },
  ].map(({ what, headers }) => ({
    what,
    space,
    make: (ingredients) => ({ method: 'GET', path: pathOf(ingredients), headers }),
  }));
}

function uploadOf(ingredients: Ingredients, query: string, fields = 0): SentRequest {
  const parts = [
    fieldPart('metadata', JSON.stringify(longestMetadata(ingredients))),
    ...Array.from({ length: fields }, (_, at) => fieldPart(`${'a[b]'.repeat(5)}${at}`, 'x')),
    filePart(tinyPng(ingredients.serial), `${'x'.repeat(251)}.png`),
  ];
  return {
    method: 'POST',
    path: `/api/upload${query}`,
    headers: { 'content-type': FORM_TYPE },
    body: multipart(parts),
  };
}

/** All texts at their limits. */
function longestMetadata({ text, serial }: Ingredients): object {
  return {
    title: text.make(MAX_TITLE, serial),
    description: text.make(MAX_DESCRIPTION, serial),
    tags: Array.from({ length: MAX_TAGS }, (_, at) =>
      text.make(MAX_TAG, serial * MAX_TAGS + at).replaceAll(',', ' '),
    ),
    takenAt: '0001-01-02T00:00:00.000+14:00',
  };
}

function alikeTags(serial: number): readonly string[] {
  return Array.from(
    { length: MAX_TAGS - 1 },
    (_, at) => ALIKE_TAG + String(serial * MAX_TAGS + at).padStart(6, '0'),
  );
}

/** In place of those of earlier requests. */
function otherTags({ serial }: Ingredients): object {
  const removeTags = ['same', ...alikeTags((serial + 1) % 3), ...alikeTags((serial + 2) % 3)];
  return { addTags: alikeTags(serial % 3), removeTags };
}

function edit(ingredients: Ingredients, change: object): SentRequest {
  const ids = inAnyOrder(someIds(ingredients, 'one-word', MAX_AT_ONCE), ingredients.random);
  return json('POST', '/api/images/metadata', { ids, ...change });
}

function patch(id: number, change: object): SentRequest {
  return json('PATCH', `/api/image/${id}/metadata`, change, 'application/merge-patch+json');
}

/** Nearly as many bytes as a body may have. */
function textOf({ text, serial }: Ingredients, bytes: number): string {
  return text.make(Math.floor((bytes / jsonBytesOf(text.make(100, serial))) * 100), serial);
}

function tagsOf({ text, serial }: Ingredients, bytes: number): readonly string[] {
  const length = Math.floor(bytes / (jsonBytesOf(text.make(MAX_TAG, serial)) + 1));
  return Array.from({ length }, (_, at) => text.make(MAX_TAG, serial * length + at).replaceAll(',', ' '));
}

function jsonBytesOf(text: string): number {
  return Buffer.byteLength(JSON.stringify(text));
}

/** A word of two letters, another for each number. */
function word(at: number): string {
  return String.fromCharCode(0x61 + (at % 26), 0x61 + (Math.floor(at / 26) % 26));
}

function nameOf({ serial }: Ingredients): string {
  return 'n'.repeat(MAX_NAME - 8) + String(serial).padStart(8, '0');
}

function plantedNames(id: number): readonly string[] {
  return Array.from({ length: NAMES_OF_AN_IMAGE }, (_, at) => `planted-${id}-${at + 1}`);
}

/** A name of one of the later images: those at the beginning are deleted first. */
function aName(ingredients: Ingredients): string {
  const { firstId, count } = ingredients.catalogs.named;
  const { serial } = ingredients;
  return `planted-${firstId + count - 1 - (serial % count)}-${(serial % NAMES_OF_AN_IMAGE) + 1}`;
}

function digests(length: number, digest: (at: number) => string): readonly string[] {
  return Array.from({ length }, (_, at) => digest(at));
}

function missing(length: number): readonly number[] {
  return Array.from({ length }, (_, at) => 1_000_000_000 + at);
}

function eightRenditions(): readonly object[] {
  return [16, 32, 48, 64, 96, 128, 256, 320].map((width) => ({
    width,
    height: width,
    fit: 'cover',
    format: 'webp',
    quality: 100,
    download: true,
  }));
}
