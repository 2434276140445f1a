import type { Knex } from 'knex';
import { dialectOf } from '../database/dialect-of.ts';
import { raw, rowsOf, sql } from '../database/sql-fragment.ts';

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

/** Ids of the term and of the image, and the values of the link. */
export type TermLink = readonly [number, number, ...number[]];

export interface Term {
  readonly id: number;
  readonly space: number;
  readonly term: string;
  /** The first one that the space had; that of a word is the word. */
  readonly spelling: string;
  readonly images: number;
}

/** By `keyOf`. */
export type Terms = ReadonlyMap<string, Term>;

/** The caller holds the lock of `SqlDialect.lockChanges`. */
export class IndexedTerms {
  constructor(private readonly tables: TermTables) {}

  /** Resolves to all of them. */
  async count(transaction: Knex, counts: ReadonlyMap<string, TermCount>): Promise<Terms> {
    if (counts.size === 0) return new Map();
    const { terms, columns } = this.tables;
    const [table, key, spelling] = [raw(terms), raw(columns[0]), raw(columns.at(-1) ?? '')];
    const texts = columns.map((_, at) => `value ->> ${at + 1}`).join(', ');
    const rows = [...counts.values()].map(({ space, texts: values, by }) => [space, ...values, by]);
    const found = await rowsOf<Term>(
      transaction,
      sql`insert into ${table} (space, ${raw(columns.join(', '))}, images)
      select cast(value ->> 0 as integer), ${raw(texts)}, cast(value ->> ${raw(String(columns.length + 1))} as integer)
      from ${dialectOf(transaction).jsonRows(rows)} where true
      on conflict (space, ${key}) do update set images = ${table}.images + excluded.images
      returning id, space, ${key} as term, ${spelling} as spelling, images`,
    );
    return new Map(found.map((term) => [keyOf(term.space, term.term), term]));
  }

  /** A link that is there already gets the values. */
  async link(transaction: Knex, links: readonly TermLink[]): Promise<void> {
    if (links.length === 0) return;
    const { links: table, linkedBy, values } = this.tables;
    const columns = [linkedBy, 'image_id', ...values];
    const cells = columns.map((_, at) => `cast(value ->> ${at} as bigint)`).join(', ');
    const updates = values.map((name) => `${name} = excluded.${name}`).join(', ');
    const change = raw(updates === '' ? 'nothing' : `update set ${updates}`);
    await rowsOf(
      transaction,
      sql`insert into ${raw(table)} (${raw(columns.join(', '))}) select ${raw(cells)}
      from ${dialectOf(transaction).jsonRows(links)} where true on conflict (${raw(linkedBy)}, image_id) do ${change}`,
    );
  }

  async unlink(transaction: Knex, links: readonly TermLink[]): Promise<void> {
    if (links.length === 0) return;
    const { links: table, linkedBy } = this.tables;
    await rowsOf(
      transaction,
      sql`delete from ${raw(table)} where (${raw(linkedBy)}, image_id) in
      (select cast(value ->> 0 as bigint), cast(value ->> 1 as bigint) from ${dialectOf(transaction).jsonRows(links)})`,
    );
  }

  /** Removes those that no image has any more. */
  async removeUnused(transaction: Knex, counted: Terms): Promise<void> {
    const unused = [...counted.values()].flatMap(({ id, images }) => (images <= 0 ? [id] : []));
    if (unused.length === 0) return;
    const those = dialectOf(transaction).isAmong('id', unused);
    await rowsOf(transaction, sql`delete from ${raw(this.tables.terms)} where ${those}`);
  }
}

export function keyOf(space: number, term: string): string {
  return `${space} ${term}`;
}
