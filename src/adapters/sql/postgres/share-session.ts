import type { Client } from 'pg';

/*
 * Replaces `query` of a client of pg (8.23), through which Knex sends all statements. Knex has no hook that changes a statement before
 * it is sent. Unnecessary when Knex has one, or when the pooler keeps settings and prepared statements for each of its clients.
 */

/**
 * For a client whose next transaction may run in another session.
 *
 * @param settings statements that each transaction runs, in the round trip of its `begin`
 */
export function shareSession(client: Client, settings: string): void {
  const query = client.query.bind(client) as (...args: readonly unknown[]) => unknown;
  const shared = (statement: unknown, ...rest: readonly unknown[]): unknown =>
    query(isStatement(statement) ? forAnySession(statement, settings) : statement, ...rest);
  client.query = shared as Client['query'];
}

interface Statement {
  readonly text: string;
  readonly name?: string | undefined;
}

function isStatement(statement: unknown): statement is Statement {
  return typeof statement === 'object' && statement !== null && 'text' in statement;
}

function forAnySession(statement: Statement, settings: string): Statement {
  const unnamed = { ...statement, name: undefined };
  if (!/^begin\b/i.test(statement.text)) return unnamed;
  return { ...unnamed, text: `${statement.text.replace(/;?$/, ';')} ${settings}` };
}
