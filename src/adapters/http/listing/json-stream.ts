import { Readable } from 'node:stream';
import type { Context } from 'koa';

/** No batch is empty. */
type Batches<T> = AsyncGenerator<readonly T[], void, undefined>;

/**
 * Resolves after the first batch, so that an unavailable database is an error response and not one that breaks off. `HEAD` reads
 * nothing.
 */
export async function jsonStream<T>(
  ctx: Context,
  batches: Batches<T>,
  view: (item: T) => unknown,
): Promise<Readable> {
  if (ctx.method === 'HEAD') return Readable.from([]);
  const first = await batches.next();
  return Readable.from(jsonArray(first, batches, view), { highWaterMark: 1 });
}

async function* jsonArray<T>(
  first: IteratorResult<readonly T[], void>,
  rest: Batches<T>,
  view: (item: T) => unknown,
): AsyncGenerator<string, void, undefined> {
  if (first.done === true) {
    yield '[]';
    return;
  }
  yield `[${jsonItems(first.value, view)}`;
  for await (const batch of rest) yield `,${jsonItems(batch, view)}`;
  yield ']';
}

function jsonItems<T>(items: readonly T[], view: (item: T) => unknown): string {
  return items.map((item) => JSON.stringify(view(item))).join(',');
}
