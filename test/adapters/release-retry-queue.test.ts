import { expect } from 'chai';
import { ReleaseRetryQueue } from '../../src/adapters/sql/records/release-retry-queue.ts';
import type { IdempotencyClaim } from '../../src/domain/ports/records/idempotency-keys.ts';
import { settled } from '../support/time/gate.ts';
import { VirtualTimers } from '../support/time/virtual-timers.ts';

const MAX_PENDING = 1_000;
const RETRY_MS = 500;

describe('ReleaseRetryQueue', () => {
  it('keeps a thousand claims while the database is unavailable, and releases them when it is back', async () => {
    const timers = new VirtualTimers();
    const end = timers.useEverywhere();
    const released: string[] = [];
    let isAvailable = false;
    const queue = new ReleaseRetryQueue(async ({ token }) => {
      if (!isAvailable) throw new Error('The database is unavailable');
      released.push(token);
    });
    try {
      for (let number = 0; number < MAX_PENDING + 5; number += 1) queue.add(claimOf(number));
      timers.pass(RETRY_MS);
      await settled();
      expect(released).to.deep.equal([]);
      isAvailable = true;
      timers.pass(RETRY_MS);
      await settled();
      expect(released).to.deep.equal(Array.from({ length: MAX_PENDING }, (_, number) => `token ${number}`));
      expect(timers.size).to.equal(0);
    } finally {
      end();
    }
  });
});

function claimOf(number: number): IdempotencyClaim {
  return { scope: 'a scope', key: `key ${number}`, token: `token ${number}` } as unknown as IdempotencyClaim;
}
