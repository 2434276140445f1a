import type { Knex } from 'knex';
import type { TagCount, TagIndex, TagQuery } from '../../domain/ports/tag-index.ts';
import { translatingDatabaseErrors } from './database-errors.ts';
import { dialectOf } from './dialect-of.ts';

/** Behind all texts with a beginning. */
const LAST_CHARACTER = '\u{10FFFF}';

export class SqlTagIndex implements TagIndex {
  /** @param reader a connection for reading */
  constructor(private readonly reader: Knex) {}

  async list({ prefix, order, limit }: TagQuery): Promise<readonly TagCount[]> {
    const rows: ReadonlyArray<{ readonly spelling: string; readonly images: number }> =
      await translatingDatabaseErrors(dialectOf(this.reader), () =>
        this.reader('tags')
          .select('spelling', 'images')
          .modify((query) => {
            if (prefix !== '') void query.whereBetween('fold', [prefix, prefix + LAST_CHARACTER]);
            if (order === 'count') void query.orderBy('images', 'desc');
          })
          .orderBy('fold')
          .limit(limit),
      );
    return rows.map(({ spelling, images }) => ({ tag: spelling, count: images }));
  }
}
