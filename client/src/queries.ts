import type { BulkField, FieldFilters, MetadataPatch } from './fields.ts';
import type { MediaType } from './image-record.ts';

/** All conditions must hold. */
export interface FilterQuery extends FieldFilters {
  readonly mediaType?: MediaType;
  /** Hex. */
  readonly sha256?: string;
  /** Exactly the `createdBy` of the images: 1 to 255 characters. */
  readonly createdBy?: string;
  /** Exclusive. A string is RFC 3339. */
  readonly createdAfter?: Date | string;
  /** Exclusive. A string is RFC 3339. */
  readonly createdBefore?: Date | string;
  /** Words: each is the beginning of a word of the texts of an image. */
  readonly q?: string;
  /** Separated by commas: images that have all of them. */
  readonly tags?: string;
  /** Exclusive. A string is RFC 3339. */
  readonly takenAfter?: Date | string;
  /** Exclusive. A string is RFC 3339. */
  readonly takenBefore?: Date | string;
}

export interface ListQuery extends FilterQuery {
  /** `created`, the default, is by `id`; `random` needs a seed. */
  readonly sort?: 'created' | 'taken' | 'random';
  /** `asc`, the default, is oldest first. */
  readonly order?: 'asc' | 'desc';
  /** 1 to 64 visible ASCII characters. */
  readonly seed?: string;
  /** Where to begin: from the timeline. */
  readonly after?: string;
  /** Records per request, not of the listing: 1 to 1000. */
  readonly limit?: number;
}

export interface PageQuery extends ListQuery {
  /** Asks for `total` too. */
  readonly count?: boolean;
}

/** Without any of these, the original. */
export interface Rendition {
  /** Pixels: one of `links.renditions.widths`. */
  readonly width?: number;
  readonly height?: number;
  /** `cover` crops around the focus of the picture, to exactly the box of both sides. */
  readonly fit?: 'inside' | 'cover' | 'contain';
  readonly format?: 'jpeg' | 'png' | 'webp' | 'avif' | 'auto';
  /** 5, 10, … 100. */
  readonly quality?: number;
  /** `none`: the original without what it says beside the picture, such as place, camera and time. Renditions never have any of it. */
  readonly metadata?: 'keep' | 'none';
}

/** All candidates of one `srcset`. */
export interface SrcsetRendition extends Omit<Rendition, 'width' | 'metadata'> {
  /** Width by height, such as 1 or 4 / 5: crops of the nearest shape that the service has, at most 5 % off. */
  readonly aspectRatio?: number;
}

/** The rendition of a signed link; `{}` is the original, `{ metadata: 'none' }` the original without metadata. */
export interface LinkRendition extends Rendition {
  /** Not `auto`: a link is one file. */
  readonly format?: Exclude<Rendition['format'], 'auto' | undefined>;
  /** Browsers save the file. */
  readonly download?: boolean;
}

/** An edit of many images at once. */
export interface BulkEdit extends Pick<MetadataPatch, BulkField> {
  /** Added after the removals. */
  readonly addTags?: readonly string[] | undefined;
  readonly removeTags?: readonly string[] | undefined;
  /** By which the times are moved: a sign and days, hours, minutes and seconds, as in `-PT1H30M` (ISO 8601). */
  readonly shiftTaken?: string;
}

export interface TagQuery {
  /** The beginning of the tags, without regard to case and accents. */
  readonly prefix?: string;
  /** `name` is the default. */
  readonly order?: 'name' | 'count';
  /** 1 to 1000; 100 is the default. */
  readonly limit?: number;
}

export interface TimelineQuery extends FilterQuery {
  readonly by: 'day' | 'month' | 'year';
}

/** Where to begin, and how many at a time. */
export interface PartQuery {
  readonly after?: string;
  /** Per request, not of the listing: 1 to 1000. */
  readonly limit?: number;
}

export interface NameQuery extends PartQuery {
  /** The beginning of the names: 1 to 128 of the characters of a name. */
  readonly prefix?: string;
  /** Only names that are public, or only others. */
  readonly public?: boolean;
}

/** Whether a name has a public address afterwards; by default it stays as it is. */
export interface NamePublishing {
  readonly public?: boolean | undefined;
}

/** Otherwise nothing is done: 412 `precondition_failed`. */
export interface NameCondition {
  /** The name has this `version`. */
  readonly ifMatch?: number | undefined;
  /** The name is not there. */
  readonly ifNoneMatch?: '*' | undefined;
}

export interface SimilarQuery {
  /** 0 to 16; 10 is the default. */
  readonly distance?: number;
  /** 1 to 100; 20 is the default. */
  readonly limit?: number;
}

type QueryValue = string | number | boolean | Date | undefined;

/** With a question mark, unless it is empty. */
export function searchOf<Query extends { readonly [Name in keyof Query]: QueryValue }>(query: Query): string {
  const search = new URLSearchParams();
  for (const [name, value] of Object.entries<QueryValue>(query)) {
    if (value !== undefined) search.set(name, value instanceof Date ? value.toISOString() : String(value));
  }
  return search.size === 0 ? '' : `?${search}`;
}
