import { writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { expect } from 'chai';
import type { Knex } from 'knex';
import { openSqliteDatabase } from '../../src/adapters/sql/sqlite/open-sqlite-database.ts';
import { StorageUnavailable } from '../../src/domain/errors.ts';
import type { ClaimRequest, KeyRecords } from '../../src/domain/ports/records/idempotency-keys.ts';
import { COMMON_SPACE } from '../../src/domain/space/space.ts';
import { claimed } from '../contracts/idempotency-keys.contract.ts';
import { rejection } from '../support/fixtures/rejection.ts';
import { sqlPorts } from '../support/fixtures/sql-ports.ts';
import { newSqliteCatalog, type SqliteCatalog } from '../support/servers/sqlite-catalog.ts';
import { eventually } from '../support/time/eventually.ts';
import { ManualClock } from '../support/time/manual-clock.ts';
import { VirtualTimers } from '../support/time/virtual-timers.ts';

const REQUEST: ClaimRequest = { space: COMMON_SPACE, scope: 'alice', key: 'a key', sha256: 'b'.repeat(64) };
/** Of a release that has failed. */
const RETRY_AFTER_MS = 500;

const gone = new Set<string>();
let catalog: SqliteCatalog;
let knex: Knex;
let clock: ManualClock;
let mine: KeyRecords;
let others: KeyRecords;

function useDatabase(): void {
  beforeEach(async () => {
    catalog = await newSqliteCatalog();
    knex = catalog.knex;
    clock = new ManualClock();
    gone.clear();
    [mine, others] = [keysOf('mine'), keysOf('other')];
  });

  afterEach(async () => {
    await catalog.tearDown();
  });
}

async function expireLeases(through: Knex): Promise<void> {
  await through('idempotency_keys').update({ lease_until: 1 });
}

/** The keys as one process uses them. */
function keysOf(self: string, through = knex): KeyRecords {
  const processes = { self, isGone: (name: string): boolean => gone.has(name) };
  return sqlPorts(through, { clock, processes }).keys;
}

describe('SqlIdempotencyKeys on SQLite', () => {
  useDatabase();

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
});

describe('SqlIdempotencyKeys on SQLite after two minutes', () => {
  useDatabase();

  it('takes over a key that any process has held for more than two minutes', async () => {
    await claimed(others, REQUEST);
    await claimed(mine, { ...REQUEST, key: 'held by itself' });
    await expireLeases(knex);

    expect((await mine.claim(REQUEST)).state).to.equal('claimed');
    expect((await mine.claim({ ...REQUEST, key: 'held by itself' })).state).to.equal('claimed');
  });

  it('holds a key for another two minutes after taking it over', async () => {
    await claimed(others, REQUEST);
    await expireLeases(knex);
    await claimed(mine, REQUEST);

    expect((await keysOf('third').claim(REQUEST)).state).to.equal('in_use');
    gone.add('other');
    expect((await keysOf('third').claim(REQUEST)).state).to.equal('in_use');
  });

  it('lets one of many callers take over a key', async () => {
    await claimed(others, REQUEST);
    gone.add('other');

    const states = await Promise.all(
      Array.from({ length: 10 }, async (_, index) => (await keysOf(`process-${index}`).claim(REQUEST)).state),
    );

    expect(states.filter((state) => state === 'claimed')).to.have.length(1);
  });
});

describe('The removal of thousands of idempotency keys', () => {
  useDatabase();

  it('removes a thousand at a time, the oldest first: writers wait for a short statement alone', async () => {
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

describe('SqlIdempotencyKeys on SQLite without a database', () => {
  useDatabase();

  describe('with a file that is not a database', () => {
    const CALLS: ReadonlyArray<readonly [string, (keys: KeyRecords) => Promise<unknown>]> = [
      ['claim', (keys) => keys.claim(REQUEST)],
      ['release', (keys) => keys.release({ ...REQUEST, token: 'a token' })],
      ['removeClaimedBefore', (keys) => keys.removeClaimedBefore(new Date())],
      ['find', (keys) => keys.find(REQUEST)],
    ];
    for (const [method, call] of CALLS) {
      it(`${method} rejects with StorageUnavailable`, async () => {
        const path = join(dirname(catalog.path), 'broken.sqlite');
        await writeFile(path, 'not a database at all, but long enough for a header'.repeat(100));
        const broken = openSqliteDatabase(path);
        try {
          const error = await rejection(call(keysOf('mine', broken)));

          expect(error).to.be.instanceOf(StorageUnavailable);
        } finally {
          await broken.destroy();
        }
      });
    }
  });
});
