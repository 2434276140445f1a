import type { Knex } from 'knex';
import type { SqlDialect } from '../database/sql-dialect.ts';
import { rowsOf, sql } from '../database/sql-fragment.ts';

/** Words or tags: a table of them with the number of their images, and one with the images of each. */
interface TermTables {
  readonly terms: 'words' | 'tags';
  /** Of a term, behind `space` and `images`. The first one is unique in the space. */
  readonly columns: readonly [string, ...string[]];
  readonly links: 'image_words' | 'image_tags';
  readonly linkedBy: string;
  /** Columns of a link behind the image. */
  readonly values: readonly string[];
}

export const WORDS: TermTables = {
  terms: 'words',
  columns: ['word'],
  links: 'image_words',
  linkedBy: 'word_id',
  values: [],
};

export const TAGS: TermTables = {
  terms: 'tags',
  columns: ['fold', 'spelling'],
  links: 'image_tags',
  linkedBy: 'tag_id',
  values: ['taken_sort'],
};

/** Of how many more images of a space it is. */
export interface TermCount {
  readonly space: number;
  /** In the order of `TermTables.columns`. */
  readonly texts: readonly [string, ...string[]];
  by: number;
}

/** Id of the space, term, id of the image, and the values of the link. */
export type TermLink = readonly [number, string, number, ...number[]];

export interface Term {
  readonly space: number;
  readonly term: string;
  /** The first one that the space had; that of a word is the word. */
  readonly spelling: string;
}

/** The caller holds the lock of `SqlDialect.lockChanges`. */
export class IndexedTerms {
  /** Joins rows whose first values are a space and a term. */
  private readonly isTerm: string;

  constructor(
    private readonly dialect: SqlDialect,
    private readonly tables: TermTables,
  ) {
    const { terms, columns } = tables;
    this.isTerm = `${terms}.space = cast(value ->> 0 as integer) and ${terms}.${columns[0]} = value ->> 1`;
  }

  /** Resolves to all of them. */
  async count(transaction: Knex, counts: ReadonlyMap<string, TermCount>): Promise<readonly Term[]> {
    const { terms, columns } = this.tables;
    const { jsonRows } = this.dialect;
    const rows = new Map([...counts].map(([key, { space, texts, by }]) => [key, [space, ...texts, by]]));
    const by = `cast(value ->> ${columns.length + 1} as integer)`;
    const returned = `returning space, ${columns[0]} as term, ${columns.at(-1)} as spelling`;
    // An upsert would use up an id for each term that is there already.
    const known = await this.run<Term>(
      transaction,
      `update ${terms} set images = ${terms}.images + ${by} from ${jsonRows} where ${this.isTerm} ${returned}`,
      [...rows.values()],
    );
    for (const { space, term } of known) rows.delete(keyOf(space, term));
    if (rows.size === 0) return known;
    const texts = columns.map((_, at) => `value ->> ${at + 1}`).join(', ');
    const made = await this.run<Term>(
      transaction,
      `insert into ${terms} (space, ${columns.join(', ')}, images)
      select cast(value ->> 0 as integer), ${texts}, ${by} from ${jsonRows} where true ${returned}`,
      [...rows.values()],
    );
    return [...known, ...made];
  }

  /** A link that is there already gets the values. */
  async link(transaction: Knex, links: readonly TermLink[]): Promise<void> {
    if (links.length === 0) return;
    const { terms, links: table, linkedBy, values } = this.tables;
    const columns = ['image_id', ...values];
    const cells = columns.map((_, at) => `cast(value ->> ${at + 2} as bigint)`).join(', ');
    const updates = values.map((name) => `${name} = excluded.${name}`).join(', ');
    await this.run(
      transaction,
      `insert into ${table} (${linkedBy}, ${columns.join(', ')})
      select ${terms}.id, ${cells} from ${this.dialect.jsonRows} join ${terms} on ${this.isTerm} where true
      on conflict (${linkedBy}, image_id) do ${updates === '' ? 'nothing' : `update set ${updates}`}`,
      links,
    );
  }

  /** Removes terms that no image has any more as well. */
  async unlink(transaction: Knex, links: readonly TermLink[]): Promise<void> {
    if (links.length === 0) return;
    const { terms, columns, links: table, linkedBy } = this.tables;
    const { jsonRows } = this.dialect;
    await this.run(
      transaction,
      `delete from ${table} where (${linkedBy}, image_id) in
      (select ${terms}.id, cast(value ->> 2 as bigint) from ${jsonRows} join ${terms} on ${this.isTerm})`,
      links,
    );
    await this.run(
      transaction,
      `delete from ${terms} where images <= 0 and (space, ${columns[0]}) in
      (select cast(value ->> 0 as integer), value ->> 1 from ${jsonRows})`,
      links,
    );
  }

  private async run<Row>(
    transaction: Knex,
    statement: string,
    rows: ReadonlyArray<readonly unknown[]>,
  ): Promise<readonly Row[]> {
    return await rowsOf<Row>(transaction, sql(statement, JSON.stringify(rows)));
  }
}

export function keyOf(space: number, term: string): string {
  return `${space} ${term}`;
}
