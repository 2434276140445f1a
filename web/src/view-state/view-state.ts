import type { TimelineQuery } from '@image-catalog/client';
import { MEDIA_TYPES, type MediaType } from '../base/media-types.ts';
import { validTime } from './valid-time.ts';

/** What the address bar says: a view that can be sent to a colleague. The service accepts every view. */
export interface ViewState {
  /** Words; empty if there is no search. */
  readonly q: string;
  readonly tags: readonly string[];
  /** Both are exclusive; RFC 3339 with offset. */
  readonly takenAfter: string | undefined;
  readonly takenBefore: string | undefined;
  readonly mediaType: MediaType | undefined;
  /** Words of the make and model of the camera, and of the lens; empty if there is no such filter. */
  readonly camera: string;
  readonly lens: string;
  /** `false`: pictures without tags. Never together with `tags`, which would leave none. */
  readonly tagged: false | undefined;
  /** `false`: pictures without a capture time. Never together with bounds of it. */
  readonly dated: false | undefined;
  /** `false`: pictures without an alternative text. */
  readonly alt: false | undefined;
  /** The subject of the person who uploaded the pictures; empty if there is no such filter. */
  readonly createdBy: string;
  readonly sort: Sort;
  /** Of a random walk. */
  readonly seed: string | undefined;
  /** The id of the picture that the viewer shows. */
  readonly image: number | undefined;
  /** The ids of pictures that are shown side by side: none, or 2 to 4. */
  readonly compare: readonly number[];
  /** The seed of the order of a slideshow; `undefined` if there is none. */
  readonly slideshow: string | undefined;
  /** What is shown: the pictures, or another page of the gallery. */
  readonly page: (typeof PAGES)[number];
}

const PAGES = ['pictures', 'tags', 'copies', 'published', 'trash'] as const;

/** `taken` is the timeline, newest first; `added` and `first-added` are by `id`, newest and oldest first. */
export type Sort = 'taken' | 'added' | 'first-added' | 'random';

export const SORTS: readonly Sort[] = ['taken', 'added', 'first-added', 'random'];

/** Filters as the service takes them. */
export type ViewFilters = Omit<TimelineQuery, 'by'>;

/** What a view without filters has. */
export const NO_FILTERS = {
  q: '',
  tags: [],
  takenAfter: undefined,
  takenBefore: undefined,
  mediaType: undefined,
  camera: '',
  lens: '',
  tagged: undefined,
  dated: undefined,
  alt: undefined,
  createdBy: '',
} as const satisfies Partial<ViewState>;

/** Code points, as the service counts. */
export const MAX_WORDS_LENGTH = 200;

/** Code points. */
const MAX_CAPTURE_LENGTH = 100;

/** The service takes 100, but an address of so many would exceed its limit on request headers. */
export const MAX_TAGS = 10;

/** Code points. */
const MAX_TAG_LENGTH = 64;

/** Code points. */
const MAX_SUBJECT_LENGTH = 255;

const DEFAULT_SEED = '1';

/** Whatever is ill-formed is left out: a query that was edited by hand leads to the closest valid view. */
export function parseViewState(search: string): ViewState {
  const query = new URLSearchParams(search);
  const sort = SORTS.find((known) => known === query.get('sort')) ?? 'taken';
  const tags = validTags(query.get('tags')?.split(',') ?? []);
  const takenAfter = validTime(query.get('takenAfter'));
  const takenBefore = validTime(query.get('takenBefore'));
  const hasBounds = takenAfter !== undefined || takenBefore !== undefined;
  return {
    q: validWords(query.get('q') ?? ''),
    tags,
    takenAfter,
    takenBefore,
    mediaType: mediaTypeOf(query.get('mediaType')),
    camera: validCapture(query.get('camera') ?? ''),
    lens: validCapture(query.get('lens') ?? ''),
    tagged: tags.length > 0 ? undefined : falseOf(query.get('tagged')),
    dated: hasBounds ? undefined : falseOf(query.get('dated')),
    alt: falseOf(query.get('alt')),
    createdBy: validSubject(query.get('createdBy') ?? ''),
    sort,
    seed: sort === 'random' ? seedOf(query.get('seed')) : undefined,
    image: idOf(query.get('image')),
    compare: comparedIds(query.get('compare')),
    slideshow: query.has('slideshow') ? seedOf(query.get('slideshow')) : undefined,
    page: PAGES.find((known) => known === query.get('view')) ?? 'pictures',
  };
}

/** With a question mark, unless it is empty. */
export function formatViewState(view: ViewState): string {
  const { sort, seed, image, compare, slideshow, page } = view;
  const order = { sort: sort === 'taken' ? undefined : sort, seed };
  const shown = { image, compare, slideshow, view: page === 'pictures' ? undefined : page };
  const values = Object.entries({ ...filtersOf(view), ...order, ...shown }).filter(isSet);
  const query = new URLSearchParams(values.map(([name, value]) => [name, String(value)]));
  return query.size === 0 ? '' : `?${query}`;
}

/** The filters that a listing and the timeline share. */
export function filtersOf(view: ViewState): ViewFilters {
  const names = Object.keys(NO_FILTERS) as (keyof typeof NO_FILTERS)[];
  const filters = names.map((name) => [name, view[name]] as const).filter(isSet);
  return Object.fromEntries(
    filters.map(([name, value]) => [name, Array.isArray(value) ? value.join(',') : value]),
  );
}

export function isFiltered(view: ViewState): boolean {
  return Object.keys(filtersOf(view)).length > 0;
}

/** Neither `undefined` nor an empty text or list. */
function isSet([, value]: readonly [string, unknown]): boolean {
  return value !== undefined && value !== '' && !(Array.isArray(value) && value.length === 0);
}

/** Words of the camera or the lens as the service takes them; empty if the text has no word. */
export function validCapture(text: string): string {
  return validWords(text, MAX_CAPTURE_LENGTH);
}

/** Words as the service takes them; empty if the text has no word. */
export function validWords(text: string, most = MAX_WORDS_LENGTH): string {
  const spaced = text.replace(/\p{White_Space}+/gu, ' ').trim();
  const words = Array.from(spaced).slice(0, most).join('').trim();
  return hasWord(words) ? words : '';
}

/** A word has a letter or a digit; some characters are one only by their compatibility form. */
function hasWord(text: string): boolean {
  return /[\p{L}\p{N}]/u.test(text.normalize('NFKC'));
}

/** A subject is compared exactly. Empty if the service would refuse it. */
function validSubject(text: string): string {
  const isPossible = Array.from(text).length <= MAX_SUBJECT_LENGTH && !text.includes('\0');
  return isPossible ? text : '';
}

/** Trimmed, without repetitions. */
export function validTags(tags: readonly string[]): readonly string[] {
  const bySpelling = new Map<string, string>();
  for (const tag of tags.map((text) => text.trim())) {
    const spelling = tag.normalize('NFKC').toLowerCase();
    if (isTag(tag) && !bySpelling.has(spelling)) bySpelling.set(spelling, tag);
  }
  return [...bySpelling.values()].slice(0, MAX_TAGS);
}

function isTag(text: string): boolean {
  return text !== '' && Array.from(text).length <= MAX_TAG_LENGTH;
}

function mediaTypeOf(text: string | null): ViewState['mediaType'] {
  return MEDIA_TYPES.find((type) => type === text);
}

function falseOf(text: string | null): false | undefined {
  return text === 'false' ? false : undefined;
}

/** 1 to 64 visible ASCII characters. */
function seedOf(text: string | null): string {
  return text !== null && /^[\x21-\x7e]{1,64}$/.test(text) ? text : DEFAULT_SEED;
}

/** More would be too small to compare. */
export const MAX_COMPARED = 4;

function comparedIds(text: string | null): readonly number[] {
  const ids = (text ?? '').split(',').map(idOf);
  const known = [...new Set(ids.filter((id) => id !== undefined))].slice(0, MAX_COMPARED);
  return known.length < 2 ? [] : known;
}

function idOf(text: string | null): number | undefined {
  const id = text !== null && /^[1-9]\d{0,15}$/.test(text) ? Number(text) : undefined;
  return Number.isSafeInteger(id) ? id : undefined;
}
