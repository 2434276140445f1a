import type { Knex } from 'knex';
import { dialectOf } from './dialect-of.ts';

/** Works in one transaction, as the only process that migrates. */
export async function whileMigrating<T>(
  knex: Knex,
  work: (transaction: Knex.Transaction) => Promise<T>,
): Promise<T> {
  const dialect = dialectOf(knex);
  return await knex.transaction(async (transaction) => {
    await dialect.lockMigrations(transaction);
    return await work(transaction);
  }, dialect.transactions);
}
