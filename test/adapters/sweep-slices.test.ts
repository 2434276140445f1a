import { expect } from 'chai';
import { sqlPorts } from '../support/fixtures/sql-ports.ts';
import { newSqliteCatalog } from '../support/servers/sqlite-catalog.ts';

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
