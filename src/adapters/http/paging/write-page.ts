import type { Context } from 'koa';
import type { Page } from '../../../domain/ports/records/page.ts';
import { type EncodedJson, JsonWriter } from '../response/json-writer.ts';
import { codingFor } from '../response/send-json.ts';

/** The JSON of a page at most, in bytes. A page has at least one item, whose record is bounded by the limits of its texts. */
const MAX_PAGE_BYTES = 4 * 1024 * 1024;

/** What stands behind the items of a feed: a cursor and a word. */
const TAIL_BYTES = 1024;

interface PageForm<Item, Position> {
  readonly view: (item: Item) => unknown;
  /** By default the page is an array. */
  readonly head?: string;
  readonly tail?: (next: Position | undefined, isCut: boolean) => string;
}

interface WrittenPage<Position> {
  readonly body: Buffer | EncodedJson;
  /** Where the listing goes on; `undefined` at its end. */
  readonly next: Position | undefined;
}

/**
 * Ends the page in front of the item with which its JSON would pass 4 MiB. Parts behind it are not read.
 *
 * @param parts of the page, in their order
 */
export async function writePage<Item, Position>(
  ctx: Context,
  parts: AsyncIterable<Page<Item, Position>>,
  { view, head = '[', tail = () => ']' }: PageForm<Item, Position>,
): Promise<WrittenPage<Position>> {
  const json = new JsonWriter(() => codingFor(ctx));
  try {
    json.add(head);
    const { next, isCut } = await writeItems(json, parts, view);
    json.add(tail(next, isCut));
    return { body: await json.end(), next };
  } catch (error) {
    json.destroy();
    throw error;
  }
}

interface PageEnd<Position> {
  readonly next: Position | undefined;
  readonly isCut: boolean;
}

async function writeItems<Item, Position>(
  json: JsonWriter,
  parts: AsyncIterable<Page<Item, Position>>,
  view: (item: Item) => unknown,
): Promise<PageEnd<Position>> {
  let left = MAX_PAGE_BYTES - TAIL_BYTES;
  let last: Position | undefined;
  let next: Position | undefined;
  for await (const part of parts) {
    for (const { item, position } of part.items) {
      const text = JSON.stringify(view(item));
      left -= Buffer.byteLength(text) + 1;
      if (left < 0 && last !== undefined) return { next: last, isCut: true };
      json.add(last === undefined ? text : `,${text}`);
      last = position;
      if (json.isDue) await json.encode();
    }
    ({ next } = part);
  }
  return { next, isCut: false };
}

/**
 * The parts of a page that are read one after the other, each behind the one before it.
 *
 * @param limit of the items of the page
 * @param size of a part
 */
export async function* partsOf<Item, Position>(
  read: (after: Position | undefined, limit: number) => Promise<Page<Item, Position>>,
  {
    after,
    limit,
    size,
  }: { readonly after: Position | undefined; readonly limit: number; readonly size: number },
): AsyncGenerator<Page<Item, Position>, void, undefined> {
  let [position, left] = [after, limit];
  do {
    const part = await read(position, Math.min(left, size));
    yield part;
    left -= part.items.length;
    position = part.next;
  } while (left > 0 && position !== undefined);
}
