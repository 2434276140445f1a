import type { Context } from 'koa';
import type { Page } from '../../../domain/ports/records/page.ts';
import { jsonStream } from './json-stream.ts';
import { type ListedBody, onePage, type PageView } from './one-page.ts';

interface Listing<Item, Position> extends PageView<Item, Position> {
  /** All items; no batch is empty. */
  readonly batches: () => AsyncGenerator<readonly Item[], void, undefined>;
  /** The parts of a page, in their order. */
  readonly parts: (limit: number) => AsyncIterable<Page<Item, Position>>;
}

/** One page if there is a limit, else all items as a stream. */
export async function pageOrStream<Item, Position>(
  ctx: Context,
  limit: number | undefined,
  { batches, parts, view, cursor }: Listing<Item, Position>,
): Promise<ListedBody> {
  if (limit === undefined) return { body: await jsonStream(ctx, batches(), view), link: undefined };
  return await onePage(ctx, parts(limit), { view, cursor });
}
