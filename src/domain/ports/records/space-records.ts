import type { Amount, Limits, Space, Usage } from '../../space/space.ts';
import type { Page } from './page.ts';

export interface SpaceStatus extends Usage {
  readonly space: Space;
}

/** Limits for one space: null is no limit, `default` the limit of the settings. Without a value a limit stays. */
export type LimitChange = { readonly [Name in keyof Limits]?: number | null | 'default' | undefined };

export interface SpacePageQuery {
  /** The page begins after this name, which may be unknown. */
  readonly after?: Space | undefined;
  readonly limit: number;
}

/** Counters of a space, and what a count says. */
export interface Recount {
  readonly space: Space;
  /** What was counted: the images of the space, or those in its trash. */
  readonly of: 'images' | 'trash';
  readonly counted: Amount;
  readonly recorded: Amount;
}

/** Every method throws `StorageUnavailable`. */
export interface SpaceUsage {
  /** Its cost does not depend on the number of images. */
  find(space: Space): Promise<Usage>;
}

/** Every method throws `StorageUnavailable`. */
export interface SpaceRecords extends SpaceUsage {
  /** By name, in the order of the code points: those that have an image or a limit of their own. */
  findAll(): Promise<readonly SpaceStatus[]>;

  /** A part of what `findAll` resolves to, in the same order. The page ends early if most spaces after `after` are not listed. */
  findPage(query: SpacePageQuery): Promise<Page<SpaceStatus, Space>>;

  /** `undefined` unless the space has an image, also in the trash, or a limit of its own. */
  findStatus(space: Space): Promise<SpaceStatus | undefined>;

  /** In force for all processes when it resolves. */
  setLimits(space: Space, limits: LimitChange): Promise<SpaceStatus>;

  /**
   * Gives a space another name, in one transaction. `false` if there is no such space.
   *
   * @throws {SpaceInUse} if there is something in the space of the other name
   */
  rename(from: Space, to: Space): Promise<boolean>;

  /** Removes keys and limits of a space without images and trash, and forgets it. `false` if it has some, or has got some. */
  forget(space: Space): Promise<boolean>;

  /** Those whose counters are wrong. */
  recount(): Promise<readonly Recount[]>;

  /** Sets the counters of a space right, in one transaction. Resolves to what was wrong. */
  repair(space: Space): Promise<readonly Recount[]>;
}
