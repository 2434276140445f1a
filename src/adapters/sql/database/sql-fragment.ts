import type { Knex } from 'knex';

/** A statement, or a part of one, with its parameters. */
export class SqlFragment {
  constructor(
    readonly sql: string,
    readonly bindings: readonly Knex.RawBinding[],
  ) {}
}

/** A tag: fragments are put in with their parameters, every other value is a parameter. */
export function sql(
  texts: readonly string[],
  ...values: ReadonlyArray<SqlFragment | Knex.RawBinding>
): SqlFragment {
  let text = texts[0] ?? '';
  const bindings: Knex.RawBinding[] = [];
  for (const [at, value] of values.entries()) {
    const isFragment = value instanceof SqlFragment;
    text += (isFragment ? value.sql : '?') + (texts[at + 1] ?? '');
    if (isFragment) bindings.push(...value.bindings);
    else bindings.push(value);
  }
  return new SqlFragment(text, bindings);
}

/** Text of the program: names of tables and columns, keywords. Never what a client has sent. */
export function raw(text: string): SqlFragment {
  return new SqlFragment(text, []);
}

export function join(parts: readonly SqlFragment[], separator: string): SqlFragment {
  const text = parts.map((part) => part.sql).join(separator);
  return new SqlFragment(
    text,
    parts.flatMap(({ bindings }) => bindings),
  );
}

/** Parameters with commas between them. */
export function listOf(values: readonly Knex.RawBinding[]): SqlFragment {
  return new SqlFragment(values.map(() => '?').join(', '), values);
}

/** Of those that are there. */
export function allOf(conditions: ReadonlyArray<SqlFragment | undefined>): SqlFragment {
  const stated = conditions.filter((condition) => condition !== undefined);
  return stated.length === 0 ? raw('1 = 1') : join(stated, ' and ');
}

/** Keys with one direction. */
export function orderBy(keys: readonly string[], order: 'asc' | 'desc'): SqlFragment {
  return raw(`order by ${keys.map((key) => `${key} ${order}`).join(', ')}`);
}

export interface RowReader {
  rows<Row>(statement: SqlFragment): Promise<readonly Row[]>;
}

type Result<Row> = readonly Row[] | { readonly rows: readonly Row[] };

export async function rowsOf<Row>(connection: Knex, statement: SqlFragment): Promise<readonly Row[]> {
  const bindings = [...statement.bindings];
  const result =
    connection.isTransaction === true
      ? await resultIn<Row>(connection.client as ClientOfTransaction, { sql: statement.sql, bindings })
      : await connection.raw<Result<Row>>(statement.sql, bindings);
  return 'rows' in result ? result.rows : result;
}

/** What Knex itself calls for each statement of a transaction. */
interface ClientOfTransaction {
  acquireConnection(): Promise<object>;
  query(connection: object, query: object): Promise<{ readonly response: unknown }>;
  emit(event: 'query-response', response: unknown, query: object): void;
}

/** Knex would build a statement that is complete already: a third of the time that a small one takes in a transaction. */
async function resultIn<Row>(client: ClientOfTransaction, query: object): Promise<Result<Row>> {
  const done = await client.query(await client.acquireConnection(), { ...query, method: 'raw' });
  client.emit('query-response', done.response, done);
  return done.response as Result<Row>;
}
