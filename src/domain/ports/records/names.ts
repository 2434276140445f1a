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

export interface NameListQuery {
  /** Literal; empty for all names. */
  readonly prefix: string;
  /** Behind this name, which may be gone by now. */
  readonly after?: Name | undefined;
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
   * When it resolves, the change survives a power cut. Nothing changes if the name points to the image already. Of several at once,
   * none passes `MAX_NAMES_OF_IMAGE`.
   *
   * @throws {ImageNotFound | NameChanged | QuotaExceeded | TooManyChanges} in this order
   */
  set(name: Name, imageId: number, change: NameChange): Promise<SetName>;

  /**
   * Counts as a change of its author, and is never refused for their number.
   *
   * @throws {NameNotFound | NameChanged}
   */
  remove(name: Name, change: NameChange): Promise<void>;

  /** By code point. */
  list(query: NameListQuery): Promise<readonly NamedImage[]>;
}

/** A name that is gone points to no image. */
export interface RecordedName extends Omit<NamedImage, 'imageId'> {
  readonly imageId: number | undefined;
}

/** Every method throws `StorageUnavailable`. */
export interface AllNames {
  /** Where the name points to now, whatever its space, also of a name that is gone. */
  findByNumber(number: number): Promise<RecordedName | undefined>;
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
