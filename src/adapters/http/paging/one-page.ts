import type { Context } from 'koa';
import type { Page } from '../../../domain/ports/records/page.ts';
import type { JsonText } from '../response/send-json.ts';
import { writePage } from './write-page.ts';

export interface PageView<Item, Position> {
  readonly view: (item: Item) => unknown;
  readonly cursor: (position: Position) => string;
}

export interface ListedBody {
  readonly body: JsonText;
  /** The next page (RFC 8288). */
  readonly link: string | undefined;
}

export async function onePage<Item, Position>(
  ctx: Context,
  parts: AsyncIterable<Page<Item, Position>>,
  { view, cursor }: PageView<Item, Position>,
): Promise<ListedBody> {
  const { body, next } = await writePage(ctx, parts, { view });
  return { body, link: next === undefined ? undefined : nextLink(ctx, cursor(next)) };
}

/**
 * The same request, from this cursor on. A relative reference also holds behind a proxy that serves the API below a path (RFC 3986,
 * section 5.4).
 */
function nextLink(ctx: Context, cursor: string): string {
  const parameters = new URLSearchParams(ctx.querystring);
  parameters.set('after', cursor);
  return `<?${parameters.toString()}>; rel="next"`;
}
