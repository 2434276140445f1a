import { expect } from 'chai';
import type { Knex } from 'knex';
import type { ClaimRequest, KeyRecords } from '../../src/domain/ports/records/idempotency-keys.ts';
import { COMMON_SPACE } from '../../src/domain/space/space.ts';
import { claimed } from '../contracts/idempotency-keys.contract.ts';
import { rejection } from '../support/fixtures/rejection.ts';
import { sqlPorts } from '../support/fixtures/sql-ports.ts';
import { newSqliteCatalog, type SqliteCatalog } from '../support/servers/sqlite-catalog.ts';
import { eventually } from '../support/time/eventually.ts';
import { VirtualTimers } from '../support/time/virtual-timers.ts';

const REQUEST: ClaimRequest = { space: COMMON_SPACE, scope: 'alice', key: 'a key', sha256: 'b'.repeat(64) };
/** Of a release that has failed. */
const RETRY_AFTER_MS = 500;

describe('SqlIdempotencyKeys on SQLite', () => {
  let catalog: SqliteCatalog;
  let knex: Knex;
  let mine: KeyRecords;
  let others: KeyRecords;

  beforeEach(async () => {
    catalog = await newSqliteCatalog();
    knex = catalog.knex;
    [mine, others] = [keysOf('mine'), keysOf('other')];
  });

  afterEach(() => catalog.tearDown());

  /** The keys as one process uses them. */
  function keysOf(self: string): KeyRecords {
    return sqlPorts(knex, { processes: { self, isGone: () => false } }).keys;
  }

  it('releases a claim later if the database was unavailable', async () => {
    const claim = await claimed(mine, REQUEST);
    await knex.schema.renameTable('idempotency_keys', 'away');
    const time = new VirtualTimers();
    await time.use(() => rejection(mine.release(claim)));
    await knex.schema.renameTable('away', 'idempotency_keys');
    time.pass(RETRY_AFTER_MS);

    const { state } = await eventually(
      () => others.claim(REQUEST),
      (result) => result.state === 'claimed',
    );

    expect(state).to.equal('claimed');
  });

  it('releases a claim later if the response of the database was lost', async () => {
    knex.once('query-response', () => {
      throw new Error('The response was lost');
    });
    const time = new VirtualTimers();
    await time.use(() => rejection(mine.claim(REQUEST)));
    expect((await others.claim(REQUEST)).state).to.equal('in_use');
    time.pass(RETRY_AFTER_MS);

    const { state } = await eventually(
      () => others.claim(REQUEST),
      (result) => result.state === 'claimed',
    );

    expect(state).to.equal('claimed');
  });

  it('removes a thousand old keys at a time, the oldest first: writers wait for a short statement alone', async () => {
    await knex.raw(`insert into idempotency_keys (space, scope, key, sha256, claimed_at)
      with recursive numbers(n) as (select 1 union all select n + 1 from numbers where n < 2500)
      select 0, 'alice', 'key ' || n, '', n from numbers`);
    const remove = (): Promise<number> => mine.removeClaimedBefore(new Date(2_400));

    expect(await remove()).to.equal(1_000);
    expect(await knex('idempotency_keys').min('claimed_at as oldest')).to.deep.equal([{ oldest: 1_001 }]);
    expect([await remove(), await remove(), await remove()]).to.deep.equal([1_000, 399, 0]);
    expect(await mine.removeClaimedBefore(new Date(3_000))).to.equal(101);
  });
});
