import { Readable } from 'node:stream';
import type { CatalogImage } from '../../../domain/image/image.ts';
import type { ViewImage } from '../image/image-view.ts';

type Batches = AsyncGenerator<readonly CatalogImage[], void, undefined>;

/** Resolves after the first batch, so that an unavailable database is an error response and not one that breaks off. */
export async function jsonStream(batches: Batches, view: ViewImage): Promise<Readable> {
  const first = await batches.next();
  return Readable.from(jsonArray(first, batches, view), { highWaterMark: 1 });
}

async function* jsonArray(
  first: IteratorResult<readonly CatalogImage[], void>,
  rest: Batches,
  view: ViewImage,
): AsyncGenerator<string, void, undefined> {
  if (first.done === true) {
    yield '[]';
    return;
  }
  yield `[${jsonItems(first.value, view)}`;
  for await (const batch of rest) yield `,${jsonItems(batch, view)}`;
  yield ']';
}

function jsonItems(images: readonly CatalogImage[], view: ViewImage): string {
  return images.map((image) => JSON.stringify(view(image))).join(',');
}
