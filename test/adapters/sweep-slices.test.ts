import { expect } from 'chai';
import { behavesLikeSweepSlices } from '../contracts/sweep-slices.contract.ts';
import { InMemorySweepSlices } from '../support/doubles/in-memory-sweep-slices.ts';
import { sqlPorts } from '../support/fixtures/sql-ports.ts';
import { newSqliteCatalog } from '../support/servers/sqlite-catalog.ts';
import { ManualClock } from '../support/time/manual-clock.ts';

behavesLikeSweepSlices('InMemorySweepSlices', async () => {
  // Its time goes on with every look.
  const clock = new ManualClock();
  const now = (): Date => {
    clock.advance(1);
    return clock.now();
  };
  const slices = new InMemorySweepSlices({ now });
  return { processes: [slices, slices], tearDown: async () => {} };
});

describe('A slice whose times lie ahead, because the clock of the database was set back', () => {
  for (const column of ['swept_at', 'lease_until']) {
    it(`is due, whatever ${column} says`, async () => {
      const { knex, tearDown } = await newSqliteCatalog();
      await knex('sweep_slices').update({ [column]: Date.parse('2100-01-01') });
      const slice = await sqlPorts(knex).sweepSlices.takeDue('a', 1_000, 60_000);
      await tearDown();

      expect(slice).to.include({ prefix: '00' });
    });
  }
});
