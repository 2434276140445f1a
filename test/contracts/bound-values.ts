import { expect } from 'chai';
import type { Knex } from 'knex';
import { rejection } from '../support/fixtures/rejection.ts';
import { MAX_BOUND_VALUES } from '../support/servers/bound-values.ts';

const MOST = Array.from({ length: MAX_BOUND_VALUES }, (_, at) => at);
const TOO_MANY = [...MOST, 0];
export const MESSAGE = 'A statement binds 10001 values';

/** By the query builder, as raw SQL and within a transaction. */
export async function requireBound(knex: Knex): Promise<void> {
  const ways = [
    async (ids: readonly number[]) => await knex('images').whereIn('id', [...ids]),
    async (ids: readonly number[]) =>
      await knex.raw(`select 1 from images where id in (${ids.map(() => '?').join()})`, [...ids]),
    async (ids: readonly number[]) =>
      await knex.transaction(
        async (transaction) =>
          await transaction('images')
            .delete()
            .whereIn('id', [...ids]),
      ),
  ];
  for (const send of ways) {
    await send(MOST);
    expect(await rejection(send(TOO_MANY)))
      .to.have.property('message')
      .that.includes(MESSAGE);
  }
}
