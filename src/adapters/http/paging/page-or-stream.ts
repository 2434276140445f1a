import type { Context } from 'koa';
import type { Page } from '../../../domain/ports/records/page.ts';
import type { JsonText } from '../response/send-json.ts';
import { jsonStream } from './json-stream.ts';
import { writePage } from './write-page.ts';

interface Listing<Item, Position> {
  /** All items; no batch is empty. */
  readonly batches: () => AsyncGenerator<readonly Item[], void, undefined>;
  /** The parts of a page, in their order. */
  readonly parts: (limit: number) => AsyncIterable<Page<Item, Position>>;
  readonly view: (item: Item) => unknown;
  readonly cursor: (position: Position) => string;
}

interface ListedBody {
  readonly body: JsonText;
  /** The next page (RFC 8288). */
  readonly link: string | undefined;
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

export async function onePage<Item, Position>(
  ctx: Context,
  parts: AsyncIterable<Page<Item, Position>>,
  { view, cursor }: Pick<Listing<Item, Position>, 'view' | 'cursor'>,
): Promise<ListedBody> {
  const { body, next } = await writePage(ctx, parts, { view });
  return { body, link: next === undefined ? undefined : nextLink(ctx, cursor(next)) };
}

/** The same request, behind this cursor. */
function nextLink(ctx: Context, cursor: string): string {
  const parameters = new URLSearchParams(ctx.querystring);
  parameters.set('after', cursor);
  return `<${ctx.path}?${parameters.toString()}>; rel="next"`;
}
