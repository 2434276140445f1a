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
  get,
  type HostileRequest,
  type Ingredients,
  json,
  large,
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
    large('look-alikes', 'the longest metadata, a name, and the images that look like it', (ingredients) =>
      uploadOf(ingredients, `?similar=report&name=${nameOf(ingredients)}`),
    ),
    large('one-word', 'twenty fields beside a known picture', (ingredients) =>
      uploadOf({ ...ingredients, serial: 1 }, '?similar=report', 19),
    ),
  ],
  listImages: LISTINGS,
  timeline: TIMELINES,
  lookUpImages: [
    large('one-word', 'the digest of all, and 999 of none', ({ random }) =>
      json('POST', '/api/images/lookup', {
        sha256: inAnyOrder([COMMON_DIGEST, ...digests(MAX_DIGESTS - 1, (at) => digestOf(-at))], random),
      }),
    ),
    large('one-word', 'one digest a thousand times', () =>
      json('POST', '/api/images/lookup', { sha256: digests(MAX_DIGESTS, () => COMMON_DIGEST) }),
    ),
    large('alike-names', 'a thousand digests', (ingredients) =>
      json('POST', '/api/images/lookup', {
        sha256: inAnyOrder(
          someIds(ingredients, 'alike-names', MAX_DIGESTS).map(digestOf),
          ingredients.random,
        ),
      }),
    ),
  ],
  listChanges: [
    ...(['one-word', 'long-records', 'neighbour'] as const).map((space) =>
      large(space, `a page of ${space} with images`, () =>
        get('/api/changes', { limit: 1000, include: 'image' }),
      ),
    ),
    large('neighbour', 'a wait for a change', () => get('/api/changes', { after: 'latest', wait: 1 })),
    {
      what: 'the stream from its beginning',
      space: 'one-word',
      untilBytes: STREAMED_BYTES,
      make: () => ({ ...get('/api/changes'), headers: { accept: 'text/event-stream' } }),
    },
    plain('the longest cursor', () => get('/api/changes', { after: '~'.repeat(200) })),
  ],
  archiveImages: [
    large('alike-names', '5,000 names that are nearly equal', (ingredients) =>
      json('POST', '/api/images/archive', {
        ids: inAnyOrder(someIds(ingredients, 'alike-names', MAX_ARCHIVED), ingredients.random),
      }),
    ),
    large('alike-names', '4,999 that are missing', (ingredients, id) =>
      json('POST', '/api/images/archive', {
        ids: inAnyOrder([id, ...missing(MAX_ARCHIVED - 1)], ingredients.random),
      }),
    ),
    large('named', 'one image 5,000 times', (_, id) =>
      json('POST', '/api/images/archive', { ids: Array(MAX_ARCHIVED).fill(id) }),
    ),
  ],
  makeLinks: [
    large('one-word', '500 images in eight sizes', (ingredients) =>
      json('POST', '/api/images/links', {
        ids: inAnyOrder(someIds(ingredients, 'one-word', MAX_AT_ONCE), ingredients.random),
        renditions: eightRenditions(),
      }),
    ),
    large('named', '500 names in eight sizes', (ingredients) =>
      json('POST', '/api/images/links', {
        names: inAnyOrder(
          someIds(ingredients, 'named', MAX_AT_ONCE / NAMES_OF_AN_IMAGE).flatMap(plantedNames),
          ingredients.random,
        ),
        renditions: eightRenditions(),
      }),
    ),
    large('one-word', 'a page of a hundred images', (ingredients) =>
      json('POST', '/api/images/links', {
        ids: someIds(ingredients, 'one-word', 100),
        renditions: eightRenditions(),
        page: { title: '😀'.repeat(100) },
      }),
    ),
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
    ...conditional('alike-names', (_, id) => `/api/image/${id}`),
    large('long-records', 'the longest record', (_, id) => get(`/api/image/${id}`)),
  ],
  deleteImage: [
    large('named', 'a hundred names', (_, id) => ({ method: 'DELETE', path: `/api/image/${id}` })),
    large('long-records', 'the longest record', (_, id) => ({ method: 'DELETE', path: `/api/image/${id}` })),
  ],
  getImageFile: [
    ...conditional('alike-names', (_, id) => `/api/image/${id}/file`),
    large('many-parts', 'a clean original of many parts, made for it', (_, id) =>
      get(`/api/image/${id}/file`, { metadata: 'none' }),
    ),
    large('many-parts', 'a cached clean original of many parts', ({ catalogs }) =>
      get(`/api/image/${catalogs['many-parts'].firstId}/file`, { metadata: 'none' }),
    ),
    large('alike-names', 'the largest rendition', (_, id) =>
      get(`/api/image/${id}/file`, { ...LARGEST, format: 'avif' }),
    ),
  ],
  listTrash: [
    large('trash', 'all of it', () => get('/api/trash')),
    large('trash', 'a page', () => get('/api/trash', { limit: 1000 })),
  ],
  restoreImage: [
    large('trash', 'the longest record', (_, id) => ({
      method: 'POST',
      path: `/api/trash/${id}/restore`,
    })),
  ],
  eraseImage: [
    large('trash', 'the longest record', (_, id) => ({ method: 'DELETE', path: `/api/trash/${id}` })),
  ],
  getMetadata: [
    large('long-records', 'the longest record', (_, id) => conditionally(`/api/image/${id}/metadata`)),
  ],
  patchMetadata: [
    large('everything', 'the longest texts', (ingredients, id) => patch(id, longestMetadata(ingredients))),
    large('long-records', 'the longest record is cleared', (_, id) =>
      patch(id, { title: null, description: null, tags: null }),
    ),
    large('everything', 'one text of 64 KiB', (ingredients, id) =>
      patch(id, { description: textOf(ingredients, PATCH_BYTES) }),
    ),
    large('everything', 'a body of 64 KiB of equal tags', (_, id) =>
      patch(id, { tags: Array(16_000).fill('a') }),
    ),
  ],
  editImages: [
    large('one-word', '500 images with as many words as it may have', (ingredients) =>
      edit(ingredients, { description: Array.from({ length: 190 }, (_, at) => word(at)).join(' ') }),
    ),
    large('one-word', '500 images with the longest text', (ingredients) =>
      edit(ingredients, { description: ingredients.text.make(MAX_DESCRIPTION, 0) }),
    ),
    large('one-word', '500 images with a hundred tags that begin alike', (ingredients) =>
      edit(ingredients, otherTags(ingredients)),
    ),
    large('alike-tags', '500 images lose a hundred tags', (ingredients) =>
      json('POST', '/api/images/metadata', {
        ids: someIds(ingredients, 'alike-tags', MAX_AT_ONCE),
        removeTags: alikeTags(ingredients.serial),
      }),
    ),
    large('one-word', '500 times are moved', (ingredients) =>
      edit(ingredients, { shiftTaken: '+P36499DT23H59M59S' }),
    ),
    large('one-word', 'one text of 256 KiB', (ingredients) =>
      edit(ingredients, { description: textOf(ingredients, POST_BYTES) }),
    ),
    large('one-word', 'a body of 256 KiB of the longest tags', (ingredients) =>
      edit(ingredients, { addTags: tagsOf(ingredients, POST_BYTES) }),
    ),
    large('one-word', 'a body of 256 KiB of tags', (ingredients) =>
      edit(ingredients, { removeTags: Array.from({ length: 30_000 }, (_, at) => `${at}`) }),
    ),
  ],
  listTags: [
    ...(['name', 'count'] as const).map((order) =>
      large('alike-tags', `tags that begin alike, by ${order}`, () =>
        get('/api/tags', { limit: 1000, order, prefix: ALIKE_TAG }),
      ),
    ),
    large('alike-tags', 'the longest prefix', ({ text, serial }) =>
      get('/api/tags', { limit: 1000, prefix: text.make(MAX_TAG, serial) }),
    ),
  ],
  listNames: [
    large('named', 'all of them', () => get('/api/names')),
    large('named', 'a page', () => get('/api/names', { limit: 1000, prefix: 'planted-' })),
    large('named', 'from the last one', () => get('/api/names', { after: 'z'.repeat(MAX_NAME) })),
  ],
  getName: [
    large('named', 'the longest name', () => get(`/api/names/${'n'.repeat(MAX_NAME)}`)),
    large('named', 'one of a hundred', (ingredients) => conditionally(`/api/names/${aName(ingredients)}`)),
  ],
  setName: [
    large('named', 'the longest name of an image that has a hundred', (ingredients, id) =>
      json('PUT', `/api/names/${nameOf(ingredients)}`, { id: id }),
    ),
    large('everything', 'the longest name', (ingredients, id) =>
      json('PUT', `/api/names/${nameOf(ingredients)}`, { id: id }),
    ),
  ],
  deleteName: [
    large('named', 'one of a hundred', (ingredients) => ({
      method: 'DELETE',
      path: `/api/names/${aName(ingredients)}`,
    })),
  ],
  getNameFile: conditional('named', (ingredients) => `/api/names/${aName(ingredients)}/file`),
  getUsage: [large('everything', 'a full space', () => get('/api/usage'))],
  listSpaces: [
    plain('all spaces', () => get('/api/spaces')),
    plain('a page after a long name', () => get('/api/spaces', { limit: 1000, after: 'x'.repeat(255) })),
  ],
  setSpaceLimits: [
    large('named', 'the limits of a space with a long name', ({ serial }) =>
      json('PUT', `/api/spaces/limits?space=${'x'.repeat(240)}${serial}`, { bytes: null, images: null }),
    ),
  ],
  listCopies: (['look-alikes', 'everything', 'one-word', 'shared-words'] as const).map((space) =>
    large(space, `copies among ${space}`, () => get('/api/images/copies', { limit: 100 })),
  ),
  findSimilar: (['look-alikes', 'everything', 'one-word'] as const).map((space) =>
    large(space, `all of ${space} look alike`, (_, id) =>
      get(`/api/image/${id}/similar`, { distance: 16, limit: 100 }),
    ),
  ),
};

/** A request whose catalog does not matter. */
function plain(what: string, make: HostileRequest['make']): HostileRequest {
  return { what, space: 'neighbour', make };
}

/** The headers that a read of bytes takes, as long as they may be. */
function conditional(
  space: CatalogName,
  pathOf: (ingredients: Ingredients, id: number) => string,
): readonly HostileRequest[] {
  const lines: ReadonlyArray<readonly [what: string, headers: Readonly<Record<string, string>>]> = [
    ['many conditions and ranges', LONG_HEADERS],
    ['many media types', LONG_ACCEPT],
    ['a long condition', LONG_CONDITION],
  ];
  return lines.map(([what, headers]) =>
    large(space, what, (ingredients, id) => ({ ...get(pathOf(ingredients, id)), headers })),
  );
}

function conditionally(path: string): SentRequest {
  return { ...get(path), headers: LONG_CONDITION };
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
