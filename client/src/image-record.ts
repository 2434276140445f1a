/** What the service says about an image. Later versions of the service may add fields. */
export interface ImageRecord {
  /** 1 or more; never reused. */
  readonly id: number;
  readonly filename: string;
  /** The name of the uploaded file. */
  readonly originalName: string;
  readonly mediaType: 'image/jpeg' | 'image/png';
  /** Bytes. */
  readonly size: number;
  /** Pixels as a viewer shows the picture. */
  readonly width: number;
  readonly height: number;
  /** Lower-case hex. */
  readonly sha256: string;
  /** Base64; see `thumbhashDataUrl`. */
  readonly thumbhash: string;
  /** RFC 3339, UTC. */
  readonly createdAt: string;
  readonly title: string | null;
  readonly tags: readonly string[];
  /** RFC 3339, without an offset if that of the camera is unknown. */
  readonly takenAt: string | null;
  /** Who has uploaded it; `null` if that is not known. */
  readonly createdBy: string | null;
  readonly links: ImageLinks;
}

export interface ImagePage {
  readonly records: readonly ImageRecord[];
  /** For `after` of the next page; `undefined` if this page is the last one. */
  readonly next: string | undefined;
  /** Images that the query leaves; `undefined` unless the query has `count`. */
  readonly total: number | undefined;
  /** Where the feed of changes was before the page was read: for `changes`. Services of earlier versions have none. */
  readonly changesCursor?: string | undefined;
}

/** Later versions of the service may add types and fields. */
export interface Change {
  /** For `after`. */
  readonly cursor: string;
  /** `image.created`, `image.updated` or `image.deleted`. */
  readonly type: string;
  /** Of the image. */
  readonly id: number;
  /** RFC 3339, UTC. */
  readonly at: string;
  /** Who has made it; `null` if that is not known. */
  readonly by: string | null;
  /** Of `image.updated`: that of the metadata. */
  readonly version?: number;
  /** With `include: 'image'`: the record as it was when the change was read; `null` if the image was gone. */
  readonly image?: ImageRecord | null;
}

export interface ChangePage {
  readonly changes: readonly Change[];
  readonly next: string;
}

/** Paths on the service. */
export interface ImageLinks {
  readonly self: string;
  readonly file: string;
  readonly metadata: string;
  /** Look-alikes. */
  readonly similar: string;
  readonly renditions: {
    /** URI template, RFC 6570. */
    readonly template: string;
    /** Pixels, ascending. */
    readonly widths: readonly number[];
  };
}

/** What people and the camera say about an image. */
export interface ImageMetadata extends MetadataVersion {
  readonly title: string | null;
  readonly description: string | null;
  readonly tags: readonly string[];
  /** RFC 3339, with the offset of the camera if it is known. */
  readonly takenAt: string | null;
  /** From the file. */
  readonly capture: Readonly<Record<string, string | number | null>>;
  /** RFC 3339; `null` before the first change. */
  readonly updatedAt: string | null;
}

export interface MetadataVersion {
  /** For `ifMatch` of `edit`. */
  readonly etag: string;
}

/** Ids in the order of the request, each once. */
export interface EditedImages {
  readonly updated: readonly number[];
  readonly missing: readonly number[];
}

/** URLs that need no token. */
export interface SignedLinks {
  /** RFC 3339. */
  readonly expiresAt: string;
  /** By id: one for each rendition, in the order of the request. */
  readonly images: Readonly<Record<string, readonly string[]>>;
  readonly missing: readonly number[];
  /** If it was asked for: the address of a page that shows the images, null if all of them are missing. */
  readonly page?: string | null;
}

export interface TagCount {
  readonly tag: string;
  /** Images. */
  readonly count: number;
}

/** What the space of the token holds. */
export interface Usage extends Amount {
  readonly trashed: Amount;
  /** They count what is in the trash, too; `null` if there is none. */
  readonly limits: { readonly [Part in keyof Amount]: Amount[Part] | null };
}

export interface Amount {
  readonly images: number;
  /** Of the originals. */
  readonly bytes: number;
}

export interface PeriodCount {
  /** As in 2026-11-22, 2026-11 or 2026. */
  readonly period: string;
  /** Images. */
  readonly count: number;
  /** For `list` with `sort: 'taken'`, `order: 'desc'` and the same filters: begins at this period. */
  readonly after: string;
}

export interface SimilarImage {
  readonly image: ImageRecord;
  /** Bits of the perceptual hash that differ. */
  readonly distance: number;
  /** `burst`: of one series; `copy`: the same picture. */
  readonly kind: 'burst' | 'copy' | 'similar';
}
