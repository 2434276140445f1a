import type { Context } from 'koa';

/** The routes of a listener, as metrics and traces name them. */
export interface RouteTable {
  readonly routes: ReadonlyArray<{ readonly method: string; readonly name: string }>;
  /** `undefined` for an unknown path. */
  nameOf(ctx: Context): string | undefined;
}
