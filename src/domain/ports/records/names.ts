import type { CatalogImage } from '../../image/image.ts';
import type { Name, NameCondition, NamedImage } from '../../name/name.ts';
import type { Space } from '../../space/space.ts';
import type { Author } from './author.ts';
import type { InSpaces } from './in-spaces.ts';

/** Condition and author of a change. */
export interface NameChange extends Author {
  /** Judged in the transaction; by default there is none. */
  readonly matches?: NameCondition | undefined;
}

/** What a change makes of a name, besides its image. */
export interface NamePublishing {
  /** By default the name stays as it is; a new one, or one that was removed, is not public. */
  readonly isPublic?: boolean | undefined;
  /** Whether the client may make a public name of it, or leave it public. By default it may not. */
  readonly mayPublish?: boolean | undefined;
}

export interface NameSetting extends NameChange, NamePublishing {}

export interface NameListQuery {
  /** Literal; empty for all names. */
  readonly prefix: string;
  /** Behind this name, which may be gone by now. */
  readonly after?: Name | undefined;
  /** Only names that are public, or only names that are not; by default all. */
  readonly isPublic?: boolean | undefined;
  /** 1 or more. */
  readonly limit: number;
}

export interface SetName {
  readonly named: NamedImage;
  /** The name was not there before. */
  readonly isNew: boolean;
}

/** With the record of the image. */
export interface FoundImage extends NamedImage {
  readonly image: CatalogImage;
}

/** The names of one space. Every method throws `StorageUnavailable`. */
export interface Names {
  /** With the image, in one read. */
  find(name: Name): Promise<FoundImage | undefined>;

  /**
   * When it resolves, the change survives a power cut. Nothing changes if the name is like this already. Of several at once, none passes
   * `MAX_NAMES_OF_IMAGE`. A change that ends the publication of the name counts as a change of its author, and is never refused for their
   * number.
   *
   * @throws {ImageNotFound | NameChanged | PublishingRefused | QuotaExceeded | TooManyChanges} in this order
   */
  set(name: Name, imageId: number, change: NameSetting): Promise<SetName>;

  /**
   * Counts as a change of its author, and is never refused for their number.
   *
   * @throws {NameNotFound | NameChanged}
   */
  remove(name: Name, change: NameChange): Promise<void>;

  /** By code point. */
  list(query: NameListQuery): Promise<readonly NamedImage[]>;
}

/** A name that is gone points to no image, and is not public. */
export interface RecordedName extends Omit<NamedImage, 'imageId'> {
  readonly imageId: number | undefined;
}

/** Every method throws `StorageUnavailable`. */
export interface AllNames {
  /** Where the name points to now, whatever its space, also of a name that is gone. */
  findByNumber(number: number): Promise<RecordedName | undefined>;

  /** A public name with the image that it points to now, in one read. */
  findPublic(number: number): Promise<FoundImage | undefined>;
}

/** Every method throws `StorageUnavailable`. */
export interface NameExpiry {
  /**
   * Forgets some of the names that were removed up to this time and of which the feed has no change any more. Resolves to how many; 0 if
   * there is none left.
   */
  forgetRemoved(time: Date): Promise<number>;
}

/** Every method throws `StorageUnavailable`. */
export interface NameNumbers {
  /** The highest number ever given, restored or reserved; 0 if there is none. */
  highestNumber(): Promise<number>;

  /** Makes later numbers higher. */
  reserveNumbers(upTo: number): Promise<void>;
}

/** A name that points to no image of its space. */
export interface DanglingName extends Pick<NamedImage, 'name' | 'imageId'> {
  readonly space: Space;
  /** Whether the image is in another space; otherwise it is not there. */
  readonly isElsewhere: boolean;
}

/** Every method throws `StorageUnavailable`. */
export interface NameCheck {
  /** By number. */
  findDangling(): Promise<readonly DanglingName[]>;
}

export interface NameRecords extends InSpaces<Names>, AllNames, NameExpiry, NameNumbers, NameCheck {}
