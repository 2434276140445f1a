import { expect } from 'chai';
import { migrationSource } from '../../migrations/migration-source.ts';
import { SCHEMA } from '../../src/adapters/sql/database/require-schema.ts';
import { refusesLaterSchemas } from '../contracts/later-schema.contract.ts';
import { newSqliteCatalog } from '../support/servers/sqlite-catalog.ts';

describe('The last migration', () => {
  it('has the number of SCHEMA: raise it in require-schema.ts', async () => {
    const last = (await migrationSource.getMigrations([])).at(-1) as { readonly name: string };

    expect(Number(last.name.slice(0, 4))).to.equal(SCHEMA);
  });
});

describe('A process on a SQLite file that a later version migrates', () => {
  refusesLaterSchemas(() => newSqliteCatalog(2));
});
