import { expect } from 'chai';
import type { Response } from 'supertest';
import { TOKENS } from '../../src/infrastructure/tokens.ts';
import { cpuOfThisTree } from '../support/cost/cpu-of-this-tree.ts';
import { nextOf } from '../support/http/next-of.ts';
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
/** Spaces with nothing but keys, before all others. */
const EMPTY_SPACES = 200_000;
/** That a page looks at. */
const CANDIDATES = 50_000;
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

async function addEmptySpaces(service: TestService): Promise<void> {
  const { knex } = service.container.get(TOKENS.database);
  await knex.raw(`insert into spaces (name)
    with recursive numbers (number) as
      (select 1 union all select number + 1 from numbers where number < ${EMPTY_SPACES})
    select 'empty ' || (1000000 + number) from numbers`);
}

async function* pagesOf(service: TestService, limit: number): AsyncGenerator<readonly string[], void> {
  const bearer = service.bearerWith({ scope: ALL_SPACES });
  for (let path: string | undefined = `/api/spaces?limit=${limit}`; path !== undefined; ) {
    const page: Response = await service.anonymous('get', path).set('Authorization', bearer);
    yield (page.body as ReadonlyArray<{ readonly space: string }>).map(({ space }) => space);
    path = nextOf(page);
  }
}

async function listPages(service: TestService): Promise<readonly string[]> {
  const found: string[] = [];
  for await (const names of pagesOf(service, PAGE)) found.push(...names);
  return found;
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

    it(`takes at most ${MAX_MS_PER_PAGE} ms of CPU for a page that finds little among ${EMPTY_SPACES} empty spaces`, async () => {
      await addEmptySpaces(service);
      const sizes: number[] = [];
      const begun = cpuOfThisTree();
      for await (const names of pagesOf(service, 1)) {
        sizes.push(names.length);
        if (names.length > 0) break;
      }
      const ms = ((cpuOfThisTree() - begun) * 1000) / sizes.length;

      console.log(`      ${ms.toFixed(1)} ms a page`);
      expect(sizes).to.deep.equal([...Array.from({ length: EMPTY_SPACES / CANDIDATES }, () => 0), 1]);
      expect(ms).to.be.at.most(MAX_MS_PER_PAGE);
      expect(await listPages(service)).to.have.length(SPACES);
    });
  });
}
