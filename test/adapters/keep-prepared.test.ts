import { promisify } from 'node:util';
import { expect } from 'chai';
import sqlite3, { type Database } from 'sqlite3';
import { allRows } from '../../src/adapters/sql/sqlite/all-rows.ts';
import { keepPrepared } from '../../src/adapters/sql/sqlite/keep-prepared.ts';
import { rejection } from '../support/fixtures/rejection.ts';

const ROWS = [{ n: 1 }];

describe('A SQLite connection that keeps its statements prepared', () => {
  let database: Database;
  let prepared: string[];

  beforeEach(() => {
    database = new sqlite3.Database(':memory:');
    prepared = [];
    const prepare = database.prepare.bind(database);
    database.prepare = (text: string) => {
      prepared.push(text);
      return prepare(text);
    };
    keepPrepared(database);
  });

  afterEach(() => new Promise<void>((resolve) => database.close(() => resolve())));

  async function all(sql: string, ...bindings: number[]): Promise<readonly unknown[]> {
    return await allRows(database, { sql, bindings });
  }

  it('prepares a text once, whatever its values', async () => {
    expect(await all('select ? as n', 1)).to.deep.equal(ROWS);
    expect(await all('select ? as n', 2)).to.deep.equal([{ n: 2 }]);
    expect(prepared).to.have.lengthOf(1);
  });

  it('executes a text several times at once, again and again', async () => {
    const repeated = async (n: number): Promise<void> => {
      for (let left = 5; left > 0; left -= 1) expect(await all('select ? as n', n)).to.deep.equal([{ n }]);
    };
    await Promise.all([1, 2, 3, 4].map(repeated));
    expect(prepared).to.have.lengthOf(4);
  });

  it('prepares a text again after it has failed', async () => {
    await all('create table numbers (n integer primary key)');
    const insert = 'insert into numbers values (?) returning n';
    expect(await all(insert, 1)).to.deep.equal(ROWS);
    expect(await rejection(all(insert, 1))).to.have.property('code', 'SQLITE_CONSTRAINT');
    expect(await all(insert, 2)).to.deep.equal([{ n: 2 }]);
    expect(prepared.filter((text) => text === insert)).to.have.lengthOf(2);
  });

  it('takes a transaction that SQLite has rolled back by itself for rolled back', async () => {
    await all('create table numbers (n integer primary key)');
    await all('BEGIN');
    await all('insert into numbers values (1)');
    await rejection(all('insert or rollback into numbers values (1)'));

    expect(await all('ROLLBACK')).to.deep.equal([]);
    expect(await all('select n from numbers')).to.deep.equal([]);
  });

  it('rejects a text that cannot be prepared', async () => {
    expect(await rejection(all('select n from numbers'))).to.have.property('code', 'SQLITE_ERROR');
  });

  it('reads a table that was changed since it was prepared', async () => {
    await all('create table numbers (n)');
    await all('insert into numbers values (1)');
    await all('select * from numbers');
    await all('alter table numbers add column m');
    expect(await all('select * from numbers')).to.deep.equal([{ n: 1, m: null }]);
  });

  it('does not keep a text with a parameter for each of many values', async () => {
    const text = `select count(*) as n from (values ${Array(1_000).fill('(?)').join(', ')})`;
    for (const _ of [1, 2]) await all(text, ...Array<number>(1_000).fill(0));
    expect(prepared).to.have.lengthOf(2);
  });

  it('keeps a bounded number of statements', async () => {
    for (let n = 0; n < 200; n += 1) await all(`select ${n}`);
    await all('select 0');
    expect(prepared).to.have.lengthOf(201);
  });

  it('closes with all that it has kept, and with what is under way', async () => {
    await all('select 1 as n');
    void all('select 2 as n');
    await promisify((done: (error: Error | null) => void) => database.close(done))();
    expect(await rejection(all('select 1 as n'))).to.have.property('code', 'SQLITE_MISUSE');
  });
});
