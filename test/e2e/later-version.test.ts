import { expect } from 'chai';
import type { Knex } from 'knex';
import { openPostgresDatabase } from '../../src/adapters/sql/postgres/open-postgres-database.ts';
import { openSqliteDatabase } from '../../src/adapters/sql/sqlite/open-sqlite-database.ts';
import { COMMANDS } from '../../src/infrastructure/commands/commands.ts';
import { DEVELOPMENT, makeDevelopmentCatalog } from '../support/fixtures/development-catalog.ts';
import { contractAsLater, expandAsLater, LATER } from '../support/fixtures/later-version.ts';
import { randomNumbers } from '../support/fixtures/random-numbers.ts';
import { noise } from '../support/http/busy-clients.ts';
import { type CatalogClient, uploadedId } from '../support/http/catalog-client.ts';
import { describeOnPostgres } from '../support/servers/postgres-server.ts';
import { ServiceFolder } from '../support/servers/service-folder.ts';
import { databaseFile, type Environment } from '../support/servers/service-process.ts';

/** The storage of a catalog that a service of this version has made. */
interface Catalog {
  readonly env: Environment;
  readonly knex: Knex;
  readonly remove: () => Promise<void>;
}

const random = randomNumbers(5);

describe('On SQLite', () => {
  laterVersion(async ({ path }) => {
    const knex = openSqliteDatabase(databaseFile(path));
    return { env: {}, knex, remove: async () => await knex.destroy() };
  });
});

describeOnPostgres('On Postgres', (server) => {
  laterVersion(async () => {
    const database = await server().newDatabase();
    const knex = openPostgresDatabase(database.connection);
    const remove = async (): Promise<void> => {
      await knex.destroy();
      await database.drop();
    };
    return { env: { DATABASE_URL: database.url }, knex, remove };
  });
});

function laterVersion(open: (folder: ServiceFolder) => Promise<Catalog>): void {
  let folder: ServiceFolder;
  let catalog: Catalog;

  beforeEach(async () => {
    folder = await ServiceFolder.open();
    catalog = await open(folder);
  });

  afterEach(async () => {
    await folder.stopAll();
    await catalog.remove();
    await folder.close();
  });

  const REFUSED = [
    ['a later version has migrated', contractAsLater, LATER],
    ['a development version has made', makeDevelopmentCatalog, DEVELOPMENT],
  ] as const;
  for (const [what, make, sentence] of REFUSED) {
    it(`a catalog that ${what} is refused by every command, with one sentence`, async () => {
      await folder.run(['migrate'], catalog.env);
      await make(catalog.knex);
      await expectRefused(sentence);
    });
  }

  async function expectRefused(sentence: string): Promise<void> {
    for (const [name, args] of Object.entries(callsOf(folder))) {
      const run = name === 'serve' ? folder.runProcess.bind(folder) : folder.run.bind(folder);
      const env = { ...folder.env, ...catalog.env };
      const { code, stdout, stderr } = await run([name, ...args], env);

      expect(stderr.trim().split('\n'), name).to.have.length(1);
      expect(stderr, name).to.include(sentence);
      expect(code, name).to.equal(78);
      if (name === 'doctor') expect(stdout).to.include(`PROBLEM  ${sentence}`);
    }
  }

  it('a catalog to which a later version has only added is used and migrated as before', async () => {
    const first = await folder.start(catalog.env);
    await expandAsLater(catalog.knex);
    const second = await folder.start(catalog.env);

    for (const service of [first, second]) {
      const { bytes, name } = await noise(random);
      expect((await folder.client(service).upload(bytes, name)).status).to.equal(201);
    }
    expect((await folder.run(['verify'], catalog.env)).code).to.equal(0);
    expect((await folder.run(['migrate'], catalog.env)).stdout).to.equal('{"migrations":[]}');
  });

  it('a service that runs on while a later version migrates refuses requests with 503, and ends', async () => {
    const service = await folder.start(catalog.env);
    const client = folder.client(service);
    const picture = await noise(random);
    const id = uploadedId(await client.upload(picture.bytes, picture.name));
    const reads: Requests = {
      record: () => client.get(id),
      file: () => client.file(id),
      rendition: () => client.file(id, '?width=32'),
      list: () => client.read('api/images'),
      search: () => client.read('api/images?q=nosuch'),
      lookUp: () => client.read('api/images/lookup', lookUp(picture.sha256)),
      name: () => client.read('api/names/front'),
    };
    const writes: Requests = {
      patch: () => client.patch(id, { title: 'new' }),
      upload: () => client.upload(picture.bytes, picture.name),
      delete: () => client.delete(id),
    };
    const before = await answersTo(reads);

    await contractAsLater(catalog.knex);

    for (let ended = false; !ended; ) {
      for (const [name, answer] of await answersTo({ ...reads, ...writes })) {
        if (answer === NONE) ended = true;
        // Until the service knows, a statement that is still valid says what is true.
        else expect(answer, name).to.be.oneOf([UNAVAILABLE, before.get(name)]);
      }
    }
    expect(await service.process.exited).to.deep.equal({ code: 78, signal: null });
    expect(service.process.stderr).to.equal(`${LATER}\n`);
    expect(service.process.stdout).to.include(`"level":50`).and.include(LATER);
  });
}

type Requests = Readonly<Record<string, () => Promise<Response>>>;

const UNAVAILABLE =
  '503 {"code":"storage_unavailable","message":"The storage is not available at the moment"}';
const NONE = 'none';

async function answersTo(requests: Requests): Promise<ReadonlyMap<string, string>> {
  const answers = Object.entries(requests).map(async ([name, send]) => {
    // Also if the service ends between the head and the body.
    const answer = send().then(async (response) => `${response.status} ${await response.text()}`);
    return [name, await answer.catch(() => NONE)] as const;
  });
  return new Map(await Promise.all(answers));
}

function lookUp(sha256: string): Parameters<CatalogClient['read']>[1] {
  return {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ sha256: [sha256] }),
  };
}

/** One of each command. */
function callsOf({ path }: ServiceFolder): Readonly<Record<string, readonly string[]>> {
  const args: Readonly<Record<string, readonly string[]>> = {
    spaces: ['set', 'team', '--max-images', '1'],
    import: ['.', '--direct'],
    backup: ['copy'],
    export: ['there', '--direct'],
    transfer: ['--to-blobs', `file:${path}/there`],
  };
  // Of what restore reads there is another test, demo starts what serve starts, and init reads no catalog.
  const names = Object.keys(COMMANDS).filter((name) => !['restore', 'demo', 'init'].includes(name));
  return Object.fromEntries(names.map((name) => [name, args[name] ?? []]));
}
