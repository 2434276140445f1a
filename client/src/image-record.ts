import type { RecordField, WrittenFields } from './fields.ts';

export type MediaType = 'image/jpeg' | 'image/png' | 'image/webp' | 'image/gif';

/** What the service says about an image. Later versions of the service may add fields. */
export interface ImageRecord extends Pick<WrittenFields, RecordField> {
  /** 1 or more; never reused. */
  readonly id: number;
  readonly filename: string;
  /** The name of the uploaded file. */
  readonly originalName: string;
  readonly mediaType: MediaType;
  /** Bytes. */
  readonly size: number;
  /** Pixels as a viewer shows the picture. */
  readonly width: number;
  readonly height: number;
  /** Of an animation; 1 of every other image. */
  readonly frames: number;
  /** Lower-case hex. */
  readonly sha256: string;
  /** Base64; see `thumbhashDataUrl`. */
  readonly thumbhash: string;
  /** RFC 3339, UTC. */
  readonly createdAt: string;
  /** Who has uploaded it; `null` if that is not known. */
  readonly createdBy: string | null;
  readonly links: ImageLinks;
}

export interface ImagePage {
  readonly records: readonly ImageRecord[];
  /** For `after` of the next page, which may be there although this one is short or empty; `undefined` if this page is the last one. */
  readonly next: string | undefined;
  /** Images that the query leaves; `undefined` unless the query has `count`, and if counting would take too long. */
  readonly total: number | undefined;
  /** Where the feed of changes was before the page was read: for `changes`. Services of earlier versions have none. */
  readonly changesCursor?: string | undefined;
}

/** Later versions of the service may add types and fields. */
export interface Change {
  /** For `after`. */
  readonly cursor: string;
  /**
   * `image.created`, `image.updated` or `image.deleted`; `image.trashed`, `image.restored`, `name.set` or `name.removed`, the last
   * before the image of the name goes.
   */
  readonly type: string;
  /** Of the image; that to which the name points, or has pointed. */
  readonly id: number;
  /** RFC 3339, UTC. */
  readonly at: string;
  /** Who has made it; `null` if that is not known. */
  readonly by: string | null;
  /** Of `image.updated`: that of the metadata. */
  readonly version?: number;
  /** Of `name.set` and `name.removed`. */
  readonly name?: string;
  /** Of `name.set`: whether the name is public afterwards. */
  readonly public?: boolean;
  /** Of a name that the catalog still knows: caches know it by `name-<number>`. */
  readonly number?: number;
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
  /** Similar images. */
  readonly similar: string;
  readonly renditions: {
    /** URI template, RFC 6570. */
    readonly template: string;
    /** Pixels, ascending. */
    readonly widths: readonly number[];
  };
}

/** What people and the file say about an image. */
export interface ImageMetadata extends MetadataVersion, WrittenFields {
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
  /** If they were asked for: by name, as `images`. Each follows its name. */
  readonly names?: Readonly<Record<string, readonly string[]>>;
  readonly missingNames?: readonly string[];
}

/** A name, and the image to which it points. */
export interface NamedImage {
  /** 1 to 128 of `[A-Za-z0-9._-]`, not beginning with a dot. */
  readonly name: string;
  /** Of the name; never reused. */
  readonly number: number;
  /** Of the image. */
  readonly id: number;
  /** For `ifMatch`; rises whenever the name changes. */
  readonly version: number;
  /** RFC 3339, UTC. */
  readonly updatedAt: string;
  /** Whether everyone may see the image. */
  readonly public: boolean;
  /** Its public address, see `publicUrl`; null if there is none. */
  readonly url: string | null;
}

export interface TrashedImage {
  /** As it was when it was deleted. */
  readonly image: ImageRecord;
  /** RFC 3339, UTC. */
  readonly trashedAt: string;
  /** Who has deleted it; `null` if that is not known. */
  readonly trashedBy: string | null;
  /** When it will be erased: RFC 3339, UTC. */
  readonly erasedAt: string;
}

/** URLs that take one upload each, without a token. */
export interface UploadTickets {
  /** RFC 3339. */
  readonly expiresAt: string;
  readonly urls: readonly string[];
}

/** What is shown of an image to the holder of a ticket. */
export type UploadedImage = Pick<
  ImageRecord,
  'id' | 'mediaType' | 'size' | 'width' | 'height' | 'sha256' | 'thumbhash' | 'createdAt'
>;

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

export interface CopyGroup {
  /** Oldest first, 2 to 100; each is a copy of the oldest. */
  readonly images: readonly ImageRecord[];
}

export interface SimilarImage {
  readonly image: ImageRecord;
  /** Bits of the perceptual hash that differ. */
  readonly distance: number;
  /** `burst`: of one series; `copy`: the same picture. */
  readonly kind: 'burst' | 'copy' | 'similar';
}
