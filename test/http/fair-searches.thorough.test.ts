import { expect } from 'chai';
import { TOKENS } from '../../src/infrastructure/tokens.ts';
import { addInSql, FREQUENT_WORDS } from '../support/fixtures/add-in-sql.ts';
import { TestService } from '../support/http/test-service.ts';
import {
  type OpenRecords,
  openFiles,
  openPostgres,
  openSqlite,
  storageOf,
} from '../support/http/test-storage.ts';
import { PostgresServer } from '../support/servers/postgres-server.ts';

const IMAGES = 200_060;
const SEARCHERS = 24;
const SEARCHES_OF_OTHERS = 5;
/** For each. A subject has three places of four, and its searches take as long as that of the other. */
const MAX_SEARCHES_MEANWHILE = 8;

/** Each word is one of most images, and no image has all of them. */
const SEARCH = `/api/images?limit=50&q=${FREQUENT_WORDS.join('+')}`;

const DATABASES: ReadonlyArray<readonly [string, OpenRecords]> = [
  ['SQLite', openSqlite],
  ['Postgres', openPostgres],
];

for (const [database, openRecords] of DATABASES) {
  describe(`${SEARCHERS} searches of one subject among ${IMAGES} images on ${database}`, function () {
    let service: TestService;
    const stopped = new AbortController();
    let searches: number;
    let searchers: ReadonlyArray<Promise<void>>;

    before(async function () {
      if (database === 'Postgres' && (await PostgresServer.shared()) === undefined) this.skip();
      service = await TestService.start({ openStorage: storageOf(openRecords, openFiles) });
      await addInSql(service.container.get(TOKENS.database).knex, IMAGES);
      searches = 0;
      searchers = Array.from({ length: SEARCHERS }, searchOn);
    });

    after(async () => {
      stopped.abort();
      await Promise.all(searchers ?? []);
      await service?.stop();
    });

    async function searchOn(): Promise<void> {
      while (!stopped.signal.aborted) {
        await get(SEARCH, 'alice');
        searches += 1;
      }
    }

    async function get(path: string, sub: string): Promise<number> {
      const response = await fetch(service.url + path, {
        headers: { Authorization: service.bearerWith({ sub }) },
      });
      await response.arrayBuffer();
      return response.status;
    }

    it('do not delay searches of others', async () => {
      const before = searches;
      for (let search = 0; search < SEARCHES_OF_OTHERS; search += 1) {
        expect(await get(SEARCH, 'bob')).to.equal(200);
      }

      expect((searches - before) / SEARCHES_OF_OTHERS).to.be.at.most(MAX_SEARCHES_MEANWHILE);
    });

    it('do not delay other requests', async () => {
      for (const path of ['/api/images?limit=5', '/api/changes?limit=5', '/api/tags', '/api/usage']) {
        const before = searches;

        expect(await get(path, 'bob'), path).to.equal(200);

        expect(searches - before, path).to.be.at.most(MAX_SEARCHES_MEANWHILE);
      }
    });
  });
}
