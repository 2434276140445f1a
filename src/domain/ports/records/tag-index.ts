import type { Turns } from '../process/turns.ts';

export interface TagCount {
  readonly tag: string;
  /** Images; 1 or more. */
  readonly count: number;
}

export interface TagQuery {
  /** Literal; folded by the use case. Empty for all tags. */
  readonly prefix: string;
  /** `name`: by fold. `count`: highest first, then by fold. */
  readonly order: 'name' | 'count';
  /** 1 or more. */
  readonly limit: number;
}

/** Every method throws `StorageUnavailable`. */
export interface TagIndex {
  /** @throws {Overloaded} by the turns */
  list(query: TagQuery, turns: Turns): Promise<readonly TagCount[]>;
}
