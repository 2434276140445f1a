import type { Knex } from 'knex';
import type { InSpaces } from '../../../domain/ports/records/in-spaces.ts';
import type { TagCount, TagIndex, TagQuery } from '../../../domain/ports/records/tag-index.ts';
import type { Space } from '../../../domain/space/space.ts';
import { CatalogDatabase } from '../database/catalog-database.ts';
import { inSpace } from '../database/in-space.ts';

export class SqlTagIndex implements InSpaces<TagIndex> {
  private readonly database: CatalogDatabase;

  /** @param reader a connection for reading */
  constructor(reader: Knex) {
    this.database = new CatalogDatabase(reader);
  }

  in(space: Space): TagIndex {
    return { list: async (query) => await this.list(space, query) };
  }

  private async list(space: Space, { prefix, order, limit }: TagQuery): Promise<readonly TagCount[]> {
    const inside = inSpace(space, 'tags.space');
    const rows: ReadonlyArray<{ readonly spelling: string; readonly images: number }> =
      await this.database.run(() =>
        this.database
          .reader('tags')
          .select('spelling', 'images')
          .whereRaw(inside.sql, [...inside.bindings])
          .modify((query) => {
            const end = endOfPrefix(prefix);
            if (prefix !== '') void query.where('fold', '>=', prefix);
            if (end !== undefined) void query.where('fold', '<', end);
            if (order === 'count') void query.orderBy('images', 'desc');
          })
          .orderBy('fold')
          .limit(limit),
      );
    return rows.map(({ spelling, images }) => ({ tag: spelling, count: images }));
  }
}

const LAST_CHARACTER = 0x10ffff;
const [BEFORE_SURROGATES, BEHIND_SURROGATES] = [0xd7ff, 0xe000];

/** The first text behind all that begin with the prefix, in the order of the code points; `undefined` if there is none. */
function endOfPrefix(prefix: string): string | undefined {
  const characters = Array.from(prefix, (character) => character.codePointAt(0) ?? 0);
  while (characters.at(-1) === LAST_CHARACTER) characters.pop();
  const last = characters.pop();
  if (last === undefined) return undefined;
  return String.fromCodePoint(...characters, last === BEFORE_SURROGATES ? BEHIND_SURROGATES : last + 1);
}
