import { expect } from 'chai';
import type { Response } from 'supertest';
import { TOKENS } from '../../src/infrastructure/tokens.ts';
import { cpuOfThisTree } from '../support/cost/cpu-of-this-tree.ts';
import { TestService } from '../support/http/test-service.ts';
import {
  type OpenRecords,
  openFiles,
  openPostgres,
  openSqlite,
  storageOf,
} from '../support/http/test-storage.ts';
import { PostgresServer } from '../support/servers/postgres-server.ts';
import { skipAloud } from '../support/skipped/skip-aloud.ts';

const ALL_SPACES = 'images:all-spaces';
const SPACES = 10_000;
const PAGE = 1_000;
const BATCH = 500;
const ROUNDS = 3;
/** Of this process, which is also the client, and of the database. */
const MAX_MS_PER_PAGE = 100;

/** Every second row is that of a space with nothing but keys, which is not listed. */
async function fill(service: TestService): Promise<void> {
  const { knex } = service.container.get(TOKENS.database);
  for (let begin = 0; begin < 2 * SPACES; begin += BATCH) {
    const rows = Array.from({ length: BATCH }, (_, at) => {
      const number = begin + at;
      const images = number % 2;
      return { name: `space ${String(number).padStart(8, '0')} 🐈`, images, bytes: images * 240_512 };
    });
    await knex('spaces').insert(rows);
  }
}

async function listPages(service: TestService): Promise<readonly string[]> {
  const bearer = service.bearerWith({ scope: ALL_SPACES });
  const names: string[] = [];
  for (let search: string | undefined = `?limit=${PAGE}`; search !== undefined; ) {
    const page: Response = await service
      .anonymous('get', `/api/spaces${search}`)
      .set('Authorization', bearer);
    names.push(...(page.body as ReadonlyArray<{ readonly space: string }>).map(({ space }) => space));
    search = /<([^>]*)>; rel="next"/.exec(String(page.headers['link']))?.[1];
  }
  return names;
}

for (const [database, openRecords] of [
  ['SQLite', openSqlite],
  ['Postgres', openPostgres],
] as ReadonlyArray<readonly [string, OpenRecords]>) {
  describe(`The usage of ${SPACES} spaces on ${database}`, () => {
    let service: TestService;

    before(async function () {
      if (database === 'Postgres' && (await PostgresServer.shared()) === undefined) {
        return skipAloud(this, 'there is no Postgres for this machine');
      }
      service = await TestService.start({
        openStorage: storageOf(openRecords, openFiles),
        spaceClaim: 'org',
        scopes: { allSpaces: ALL_SPACES },
      });
      await fill(service);
    });

    after(() => service?.stop());

    it(`takes at most ${MAX_MS_PER_PAGE} ms of CPU for a page of ${PAGE}`, async () => {
      expect(await listPages(service)).to.have.length(SPACES);
      const begun = cpuOfThisTree();
      for (let round = 0; round < ROUNDS; round += 1) await listPages(service);
      const ms = ((cpuOfThisTree() - begun) * 1000) / (ROUNDS * (SPACES / PAGE));

      console.log(`      ${ms.toFixed(1)} ms a page`);
      expect(ms).to.be.at.most(MAX_MS_PER_PAGE);
    });

    it('lists all of them in one response, by code point', async () => {
      const bearer = service.bearerWith({ scope: ALL_SPACES });
      const { body } = await service.anonymous('get', '/api/spaces').set('Authorization', bearer);
      const names = (body as ReadonlyArray<{ readonly space: string }>).map(({ space }) => space);

      expect(names).to.have.length(SPACES);
      expect(names).to.deep.equal(names.toSorted());
    });
  });
}
