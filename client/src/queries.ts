export interface ListQuery {
  /** Words that begin words of the title, the description, the tags, the name or the camera. */
  readonly q?: string;
  /** Images that have all of them. */
  readonly tags?: readonly string[];
  /** By id unless given. */
  readonly sort?: 'created' | 'taken' | 'random';
  /** For `random`. */
  readonly seed?: string;
  /** Exclusive. A string is RFC 3339. */
  readonly takenAfter?: Date | string;
  /** Exclusive. A string is RFC 3339. */
  readonly takenBefore?: Date | string;
  /** `asc`, the default, is oldest first. */
  readonly order?: 'asc' | 'desc';
  readonly mediaType?: 'image/jpeg' | 'image/png';
  /** Hex. */
  readonly sha256?: string;
  /** Exclusive. A string is RFC 3339. */
  readonly createdAfter?: Date | string;
  /** Exclusive. A string is RFC 3339. */
  readonly createdBefore?: Date | string;
  /** Records per request, not of the listing: 1 to 1000. */
  readonly limit?: number;
}

/** Without any of these, the original. */
export interface Rendition {
  /** Pixels: one of `links.renditions.widths`. */
  readonly width?: number;
  readonly height?: number;
  readonly fit?: 'inside' | 'cover' | 'contain';
  readonly format?: 'jpeg' | 'png' | 'webp' | 'avif' | 'auto';
  /** 5, 10, … 100. */
  readonly quality?: number;
}

/** What people say about an image. `null` clears a field. */
export interface MetadataPatch {
  readonly title?: string | null;
  readonly description?: string | null;
  readonly tags?: readonly string[] | null;
  /** RFC 3339 with seconds, with or without an offset. */
  readonly takenAt?: string | null;
}

type QueryValue = string | number | boolean | Date | readonly string[] | undefined;

/** With a question mark, unless it is empty. */
export function searchOf(query: Readonly<Record<string, QueryValue>>): string {
  const search = new URLSearchParams();
  for (const [name, value] of Object.entries(query)) {
    // Arrays become lists with commas.
    if (value !== undefined) search.set(name, value instanceof Date ? value.toISOString() : String(value));
  }
  return search.size === 0 ? '' : `?${search}`;
}
