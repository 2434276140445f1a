import { fileURLToPath } from 'node:url';
import { expect } from 'chai';
import { randomNumbers } from '../support/fixtures/random-numbers.ts';
import { noise } from '../support/http/busy-clients.ts';
import { describeOnPostgres, PostgresServer, type TestDatabase } from '../support/servers/postgres-server.ts';
import { ServiceFolder } from '../support/servers/service-folder.ts';
import { type RunningService, startScript } from '../support/servers/service-process.ts';
import { skipAloud } from '../support/skipped/skip-aloud.ts';

const random = randomNumbers(11);

describeOnPostgres('The built service on Postgres', (server) => {
  let folder: ServiceFolder;
  let database: TestDatabase;
  let env: { readonly DATABASE_URL: string };

  beforeEach(async () => {
    folder = await ServiceFolder.open();
    database = await server().newDatabase();
    env = { DATABASE_URL: database.url };
  });

  afterEach(async () => {
    await folder.close();
    await database.drop();
  });

  async function uploadTo(service: RunningService): Promise<number> {
    const { bytes, name } = await noise(random);
    return (await folder.images(service).upload(new File([bytes], name))).id;
  }

  it('starts after another one was killed between migration and commit', async () => {
    const script = fileURLToPath(new URL('../support/servers/half-migration-main.ts', import.meta.url));
    const killed = startScript(script, [], { cwd: folder.path, env });
    expect(await killed.exited, killed.output).to.deep.equal({ code: null, signal: 'SIGKILL' });
    const newest = "select from pg_tables where tablename = 'sweep_slices'";
    expect(await server().run(newest, database.connection.database)).to.deep.equal([]);

    expect(await uploadTo(await folder.start(env))).to.equal(1);
  });

  it('runs with a role that may not create or alter tables once they exist', async () => {
    await folder.run(['migrate'], env);
    const { database: name } = database.connection;
    const role = `${name}_service`;
    await server().run(`create role ${role} login password 'secret'`);
    await server().run(
      `grant select, insert, update, delete on all tables in schema public to ${role};
       grant select, usage, update on all sequences in schema public to ${role}`,
      name,
    );
    const url = new URL(database.url);
    url.username = role;
    url.password = 'secret';

    const service = await folder.start({ DATABASE_URL: url.href });
    expect(await uploadTo(service)).to.equal(1);

    await service.process.stop('SIGTERM');
    await server().run(`drop owned by ${role}`, name);
    await server().run(`drop role ${role}`);
  });

  it('verifies and sweeps', async () => {
    const service = await folder.start(env);
    await uploadTo(service);
    await service.process.stop('SIGTERM');

    expect(await folder.run(['verify', '--format', 'json'], env)).to.include({ code: 0, stdout: '' });
    const swept = await folder.run(['sweep'], { ...env, SWEEP_GRACE_SECONDS: '0' });
    expect(swept.code, swept.stderr).to.equal(0);
    expect(JSON.parse(swept.stdout)).to.include({ blobs: 0 });
  });

  it('does not back up and names the tool that does', async () => {
    const service = await folder.start(env);
    await service.process.stop('SIGTERM');

    const { code, stderr } = await folder.run(['backup', `${folder.path}/copy`], env);

    expect(code).to.equal(78);
    expect(stderr).to.match(/^backup copies files, [^]*\n  pg_dump /);
  });

  it('does not start on a database whose encoding cannot store all names', async () => {
    const { database: name } = database.connection;
    await server().run(`drop database ${name}`);
    await server().run(`create database ${name} template template0 encoding 'LATIN1' locale 'C'`);
    const process = folder.spawn(env);

    expect(await process.exited).to.deep.equal({ code: 78, signal: null });
    expect(process.stderr).to.match(/^DATABASE_URL cannot be used: .*UTF8.*LATIN1/);
  });

  const WRONG: ReadonlyArray<readonly [string, (url: URL) => void]> = [
    ['a wrong password', (url) => void (url.password = 'secret-but-wrong')],
    ['a missing database', (url) => void (url.pathname = '/secret_but_wrong')],
    ['a port without a listener', (url) => void (url.port = '1')],
    ['missing certificates', (url) => url.searchParams.set('sslrootcert', '/nowhere.pem')],
    ['TLS that the server does not support', (url) => url.searchParams.set('sslmode', 'require')],
  ];
  for (const [what, change] of WRONG) {
    it(`does not start with ${what} and names DATABASE_URL without the password`, async () => {
      const url = new URL(database.url);
      change(url);
      const process = folder.spawn({ DATABASE_URL: url.href });

      expect(await process.exited).to.deep.equal({ code: 78, signal: null });
      expect(process.stderr).to.match(/^DATABASE_URL cannot be used: \S/);
      expect(process.output).to.not.include(url.password);
    });
  }
});

describe('The built service with READ_ONLY', () => {
  let server: PostgresServer | undefined;
  let folder: ServiceFolder;

  before(async function () {
    server =
      (await PostgresServer.startOwn()) ?? skipAloud(this, 'there is no Postgres server for this machine');
    folder = await ServiceFolder.open();
  });

  after(async () => {
    await folder?.close();
    server?.remove();
  });

  it('starts on a standby', async () => {
    const { url } = await (server as PostgresServer).newCatalog();
    const env = { DATABASE_URL: url };
    await folder.run(['migrate'], env);
    const writing = await folder.start(env);
    await writing.process.stop();
    await server?.restartAsStandby();

    const service = await folder.start({ ...env, READ_ONLY: 'true' });

    expect(await folder.records(service)).to.deep.equal([]);
  });
});
