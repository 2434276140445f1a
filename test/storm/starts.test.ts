import { once } from 'node:events';
import { watch } from 'node:fs';
import { expect } from 'chai';
import { migrationSource } from '../../migrations/migration-source.ts';
import { randomNumbers } from '../support/fixtures/random-numbers.ts';
import { noise } from '../support/http/busy-clients.ts';
import { uploadedId } from '../support/http/catalog-client.ts';
import { describeOnPostgres, type TestDatabase } from '../support/servers/postgres-server.ts';
import { ServiceFolder } from '../support/servers/service-folder.ts';
import type { Environment, RunningService } from '../support/servers/service-process.ts';
import { hangGuard } from '../support/time/hang-guard.ts';

const STARTS = 10;
/** Generous, for busy machines. */
const random = randomNumbers(4);

describe(`${STARTS} services that start at once`, () => {
  let folder: ServiceFolder;

  beforeEach(async () => {
    folder = await ServiceFolder.open();
  });

  afterEach(() => folder.close());

  async function startAll(env: Environment = {}): Promise<readonly RunningService[]> {
    return await Promise.all(Array.from({ length: STARTS }, () => folder.start(env)));
  }

  /** Each upload to one of them has a unique id, and all of them list it. */
  async function expectOneCatalog(services: readonly RunningService[]): Promise<void> {
    const ids = await Promise.all(services.map((service) => uploadTo(service)));

    expect(new Set(ids).size).to.equal(STARTS);
    for (const service of services) {
      const listed = await folder.client(service).list();
      expect(listed.map(({ id }) => id)).to.have.members(ids);
    }
  }

  async function uploadTo(service: RunningService): Promise<number> {
    const { bytes, name } = await noise(random);
    const response = await folder.client(service).upload(bytes, name);
    expect(response.status).to.equal(201);
    return uploadedId(response);
  }

  it('in an empty folder share one catalog', async () => {
    await expectOneCatalog(await startAll());
  });

  describeOnPostgres('on Postgres', (server) => {
    let database: TestDatabase;

    beforeEach(async () => {
      database = await server().newDatabase();
    });

    afterEach(async () => {
      await folder.stopAll();
      await database.drop();
    });

    it('on an empty database share one catalog', async () => {
      await expectOneCatalog(await startAll({ DATABASE_URL: database.url, DATABASE_POOL_MAX: '2' }));
    });

    it('find a schema that was migrated once by as many commands', async () => {
      const env = { DATABASE_URL: database.url };
      const results = await Promise.all(
        Array.from({ length: STARTS }, () => folder.runProcess(['migrate'], env)),
      );

      expect(results.map(({ code, stderr }) => [code, stderr])).to.deep.equal(results.map(() => [0, '']));
      const ran = results.flatMap(
        ({ stdout }) => (JSON.parse(stdout) as { readonly migrations: readonly string[] }).migrations,
      );
      const all = (await migrationSource.getMigrations([])).map(({ name }) => name);
      expect(ran.toSorted()).to.deep.equal(all);
    });
  });
});

describe('a service that starts', () => {
  for (const changes of [1, 4, 8]) {
    it(`after another one was killed at change no. ${changes} in the database folder accepts uploads`, async () => {
      const folder = await ServiceFolder.open();
      try {
        const killed = folder.spawn();
        await changesIn(folder.path, changes);
        expect(await killed.stop('SIGKILL')).to.deep.equal({ code: null, signal: 'SIGKILL' });

        const client = folder.client(await folder.start());

        const { bytes, name } = await noise(random);
        expect(uploadedId(await client.upload(bytes, name))).to.equal(1);
      } finally {
        await folder.close();
      }
    });
  }
});

async function changesIn(path: string, count: number): Promise<void> {
  const watcher = watch(path);
  try {
    for (let change = 0; change < count; change += 1) {
      await once(watcher, 'change', { signal: hangGuard() });
    }
  } finally {
    watcher.close();
  }
}
