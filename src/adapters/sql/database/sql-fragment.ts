import type { Knex } from 'knex';

/** A part of a statement with its parameters. */
export interface SqlFragment {
  readonly sql: string;
  readonly bindings: readonly Knex.RawBinding[];
}

export function sql(text: string, ...bindings: readonly Knex.RawBinding[]): SqlFragment {
  return { sql: text, bindings };
}

export function join(parts: readonly SqlFragment[], separator: string): SqlFragment {
  return {
    sql: parts.map((part) => part.sql).join(separator),
    bindings: parts.flatMap((part) => part.bindings),
  };
}

export function allOf(conditions: readonly SqlFragment[]): SqlFragment {
  return conditions.length === 0 ? sql('1 = 1') : join(conditions, ' and ');
}

/** Keys with one direction. */
export function orderBy(keys: readonly string[], order: 'asc' | 'desc'): string {
  return `order by ${keys.map((key) => `${key} ${order}`).join(', ')}`;
}

export interface RowReader {
  rows<Row>(statement: SqlFragment): Promise<readonly Row[]>;
}

export async function rowsOf<Row>(connection: Knex, statement: SqlFragment): Promise<readonly Row[]> {
  const result = await connection.raw<readonly Row[] | { readonly rows: readonly Row[] }>(statement.sql, [
    ...statement.bindings,
  ]);
  return 'rows' in result ? result.rows : result;
}
