import type { Name } from '../../name/name.ts';
import type { Space } from '../../space/space.ts';
import type { InSpaces } from './in-spaces.ts';

/** A change, or the start of the feed. */
export interface ChangePosition {
  /** Rises in the order of the commits. */
  readonly number: number;
  /** Random: another one at the same number shows that the catalog was restored. */
  readonly mark: number;
}

export type ChangeType =
  | 'image.created'
  | 'image.updated'
  | 'image.deleted'
  | 'image.trashed'
  | 'image.restored'
  /** The name points to the image. */
  | 'name.set'
  /** It pointed to the image. */
  | 'name.removed';

export interface Change {
  /** Of the image. */
  readonly space: Space;
  readonly position: ChangePosition;
  readonly type: ChangeType;
  readonly imageId: number;
  /** Of the metadata; of `image.updated` alone. */
  readonly version?: number | undefined;
  /** Of `name.set` and `name.removed` alone. */
  readonly name?: Name | undefined;
  /** Whether the name was public after the change; of `name.set` alone, and not of changes that earlier versions recorded. */
  readonly isPublic?: boolean | undefined;
  /** Number of the name, by which caches know it; `undefined` if the name was removed with its space. Read with the page. */
  readonly nameNumber?: number | undefined;
  readonly at: Date;
  /** Null if it is not known, or no client has asked for the change. */
  readonly by: string | null;
}

export interface ChangePage {
  /** Where it was read from. */
  readonly start: ChangePosition;
  readonly changes: readonly Change[];
  /** Behind all that was read, the start if nothing was. */
  readonly next: ChangePosition;
  /** Whether there were changes behind `next`. */
  readonly more: boolean;
}

/**
 * Every committed change of an image, once, in the order of the commits; in a space, those of its images. The positions are the same
 * in all spaces: `next` moves on with the whole catalog. Every method throws `StorageUnavailable`.
 */
export interface ChangeFeed extends InSpaces<Pick<ChangeFeed, 'readPage'>> {
  /** The newest change, or the start of a feed without changes. */
  latest(): Promise<ChangePosition>;

  /**
   * `undefined` if the catalog does not hold the position: it was removed, or the catalog was restored.
   *
   * @param after by default the start of the feed, before the oldest change that is kept
   * @param limit of changes, 1 or more
   */
  readPage(after: ChangePosition | undefined, limit: number): Promise<ChangePage | undefined>;
}

/** Every method throws `StorageUnavailable`. */
export interface ChangeRetention {
  /**
   * Removes the oldest changes, as long as the change behind each is older. Resolves to their number, and removes at most as many
   * as one short transaction can.
   */
  removeOlder(time: Date): Promise<number>;

  /**
   * Removes some of the numbers of changes that no longer count against a limit. Resolves to how many numbers it has removed; 0 if none is
   * left.
   */
  removeOldCounts(now: Date): Promise<number>;
}

export interface ChangeRecords extends ChangeFeed, ChangeRetention {}
