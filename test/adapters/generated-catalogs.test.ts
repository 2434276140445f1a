import { join } from 'node:path';
import { expect } from 'chai';
import * as fc from 'fast-check';
import type { Knex } from 'knex';
import { migrationSource } from '../../migrations/migration-source.ts';
import { migrate } from '../../src/adapters/sql/migrate.ts';
import { openPostgresDatabase } from '../../src/adapters/sql/postgres-database.ts';
import { SqlImageSearch } from '../../src/adapters/sql/sql-image-search.ts';
import { openSqliteDatabase } from '../../src/adapters/sql/sqlite-database.ts';
import type { ImageSearch } from '../../src/domain/ports/image-search.ts';
import { inMemoryFinding, sqlFinding } from '../support/doubles/finding-ports.ts';
import { ManualClock } from '../support/doubles/manual-clock.ts';
import { compareCatalogs, generatedCatalog } from '../support/fixtures/generated-catalogs.ts';
import { type TemporaryFolder, temporaryFolder } from '../support/fixtures/temporary-folder.ts';
import { describeOnPostgres, type TestDatabase } from '../support/servers/postgres-server.ts';

const NUMBER_OF_CATALOGS = Number(process.env.GENERATED_CATALOGS ?? 15);
const SEED = Number(process.env.GENERATED_SEED ?? 4);

const TABLES = ['image_words', 'image_tags', 'tags', 'timeline_days', 'image_metadata', 'images'];

/** A small catalog takes the ways of a large one. */
const SMALL_LIMITS = { fewHits: 2, words: 2, tested: 3, positions: 4 };

function underBothLimits(knex: Knex): ImageSearch {
  const [usual, small] = [new SqlImageSearch(knex), new SqlImageSearch(knex, SMALL_LIMITS)];
  return {
    findPage: async (query) => {
      const page = await usual.findPage(query);
      expect(await small.findPage(query)).to.deep.equal(page);
      return page;
    },
    count: (filter) => small.count(filter),
    highestId: () => usual.highestId(),
  };
}

describeOnPostgres('Generated catalogs', (server) => {
  let folder: TemporaryFolder;
  let sqlite: Knex;
  let database: TestDatabase;
  let postgres: Knex;

  before(async () => {
    folder = await temporaryFolder();
    sqlite = openSqliteDatabase(join(folder.path, 'catalog.sqlite'));
    await migrate(sqlite, migrationSource);
    await sqlite.raw('PRAGMA synchronous = OFF');
    database = await server().newCatalog();
    postgres = openPostgresDatabase(database.connection);
  });

  after(async () => {
    await sqlite.destroy();
    await folder.remove();
    await postgres.destroy();
    await database.drop();
  });

  async function empty(): Promise<void> {
    await postgres.raw(`truncate ${TABLES.join(', ')} restart identity`);
    for (const table of TABLES) await sqlite(table).delete();
    await sqlite('sqlite_sequence').delete();
  }

  it('give the same results in memory, on SQLite and on Postgres, page by page', async function () {
    this.timeout(NUMBER_OF_CATALOGS * 10_000);
    const property = fc.asyncProperty(generatedCatalog, async (generated) => {
      await empty();
      const clock = new ManualClock();
      await compareCatalogs(generated, [
        inMemoryFinding(clock),
        ...[sqlite, postgres].map((knex) => ({ ...sqlFinding(knex, clock), search: underBothLimits(knex) })),
      ]);
    });
    await fc.assert(property, { numRuns: NUMBER_OF_CATALOGS, seed: SEED });
  });
});
