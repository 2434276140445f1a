import { Readable } from 'node:stream';
import type { Context } from 'koa';

/** No batch is empty. */
type Batches<T> = AsyncGenerator<readonly T[], void, undefined>;

/** Of a chunk, in UTF-16 units. */
const CHUNK_LENGTH = 64 * 1024;

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
  let text = '[';
  let separator = '';
  for (let batch = first; batch.done !== true; batch = await rest.next()) {
    for (const item of batch.value) {
      text += separator + JSON.stringify(view(item));
      separator = ',';
      if (text.length < CHUNK_LENGTH) continue;
      yield text;
      text = '';
    }
  }
  yield `${text}]`;
}
