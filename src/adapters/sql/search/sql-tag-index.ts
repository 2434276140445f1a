import { TAG_MAX_LENGTH } from '../../../domain/image/words/tags.ts';
import type { InSpaces } from '../../../domain/ports/records/in-spaces.ts';
import type { TagIndex } from '../../../domain/ports/records/tag-index.ts';
import type { Space } from '../../../domain/space/space.ts';
import type { CatalogDatabase } from '../database/catalog-database.ts';
import { inSpace } from '../database/in-space.ts';
import { allOf, raw, type SqlFragment, sql } from '../database/sql-fragment.ts';

/** Behind the rest of every tag: more of the last character than a tag can have. */
const BEHIND_ALL = '\u{10FFFF}'.repeat(TAG_MAX_LENGTH + 1);

export class SqlTagIndex implements InSpaces<TagIndex> {
  constructor(private readonly database: CatalogDatabase) {}

  in(space: Space): TagIndex {
    return {
      list: async ({ prefix, order, limit }, turns) => {
        // SQLite would read all tags that begin so, and sort them by their images.
        const fold = raw(order === 'count' ? `${this.database.dialect.unindexed}fold` : 'fold');
        const beginsWith = sql`${fold} >= ${prefix} and ${fold} < ${prefix + BEHIND_ALL}`;
        const where = allOf([inSpace(space, 'tags.space'), prefix === '' ? undefined : beginsWith]);
        const statement = order === 'count' ? mostUsed(where, limit) : inOrder(where, 'fold', limit);
        const rows = await this.database.inTurns(turns).rows<TagRow>(statement);
        return rows.map(({ spelling, images }) => ({ tag: spelling, count: images }));
      },
    };
  }
}

interface TagRow {
  readonly spelling: string;
  readonly images: number;
}

/** The index has both keys in one direction, so the tags with as few images as the last one of the page are read apart. */
function mostUsed(where: SqlFragment, limit: number): SqlFragment {
  const most = inOrder(where, 'images desc', limit);
  const least = sql`(select min(images) from (${most}) most)`;
  const more = inOrder(sql`${where} and images > ${least}`, 'images desc', limit);
  const equal = inOrder(sql`${where} and images = ${least}`, 'fold', limit);
  return sql`select * from (select * from (${more}) part union all select * from (${equal}) part) found
    order by images desc, fold limit ${limit}`;
}

function inOrder(where: SqlFragment, keys: string, limit: number): SqlFragment {
  return sql`select spelling, images, fold from tags where ${where} order by ${raw(keys)} limit ${limit}`;
}
