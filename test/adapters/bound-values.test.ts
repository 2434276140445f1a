import { expect } from 'chai';
import { openForReading } from '../../src/adapters/sql/sqlite/open-sqlite-database.ts';
import { MESSAGE, requireBound } from '../contracts/bound-values.ts';
import { MAX_BOUND_VALUES } from '../support/servers/bound-values.ts';
import { newSqliteCatalog } from '../support/servers/sqlite-catalog.ts';

const TOO_MANY = Array.from({ length: MAX_BOUND_VALUES + 1 }, (_, at) => at);

describe('A statement of the tests that binds more than 10,000 values', () => {
  it('fails on SQLite', async () => {
    const { knex, tearDown } = await newSqliteCatalog();
    await requireBound(knex);
    await tearDown();
  });

  it('fails on a connection without Knex', async () => {
    const { path, tearDown } = await newSqliteCatalog();
    const database = await openForReading(path);
    const text = `select 1 in (${TOO_MANY.map(() => '?').join(', ')})`;
    const error = await new Promise((resolve) => database.all(text, TOO_MANY, resolve));

    expect(error).to.have.property('message', MESSAGE);
    await new Promise((resolve) => database.close(resolve));
    await tearDown();
  });
});
