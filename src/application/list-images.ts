import type { Image } from '../domain/image/image.ts';
import type {
  ImageFilter,
  ImageOrder,
  ImagePageQuery,
  ImageRepository,
} from '../domain/ports/image-repository.ts';

/** Bounds memory, not the response. */
const BATCH_SIZE = 100;

export interface ImagePage {
  readonly images: readonly Image[];
  readonly hasMore: boolean;
}

export interface ListingQuery {
  readonly filter: ImageFilter;
  readonly order: ImageOrder;
  readonly after?: number | undefined;
}

export class ListImages {
  constructor(private readonly images: Pick<ImageRepository, 'count' | 'findPage'>) {}

  async page(query: ImagePageQuery): Promise<ImagePage> {
    const found = await this.images.findPage({ ...query, limit: query.limit + 1 });
    return { images: found.slice(0, query.limit), hasMore: found.length > query.limit };
  }

  /**
   * Concurrent changes cause no repeated and no skipped images. A listing from the oldest ends at the image that was newest
   * when it began, so uploads do not make it endless.
   */
  async *batches(query: ListingQuery): AsyncGenerator<readonly Image[], void, undefined> {
    const [newest] =
      query.order === 'asc' ? await this.images.findPage({ filter: {}, order: 'desc', limit: 1 }) : [];
    let after = query.after;
    for (;;) {
      const batch = await this.images.findPage({ ...query, after, limit: BATCH_SIZE });
      if (batch.length > 0) yield batch;
      after = batch.at(-1)?.id;
      const isPastNewest = after !== undefined && newest !== undefined && after >= newest.id;
      if (batch.length < BATCH_SIZE || isPastNewest) return;
    }
  }

  async count(filter: ImageFilter): Promise<number> {
    return await this.images.count(filter);
  }
}
