import { mkdir, readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from 'chai';
import {
  packageWithoutDriver,
  packageWithoutImageLibrary,
} from '../support/fixtures/package-without-driver.ts';
import { type TemporaryFolder, temporaryFolder } from '../support/fixtures/temporary-folder.ts';
import { PostgresServer } from '../support/servers/postgres-server.ts';
import { ServiceFolder } from '../support/servers/service-folder.ts';
import { type Environment, NodeProcess, whenListening } from '../support/servers/service-process.ts';

const NEEDS_DRIVER = [
  ['serve'],
  ['demo'],
  ['migrate'],
  ['verify'],
  ['reindex'],
  ['sweep'],
  ['rotate-link-key'],
  ['changes'],
  ['webhooks'],
  ['spaces'],
  ['import', '.', '--direct'],
  ['backup', './copy'],
  ['restore', './whole'],
  ['export', './exported', '--direct'],
  ['transfer', '--to-database', 'sqlite:./other.sqlite'],
];

interface Ended {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

describe('Without the binary of sqlite3', () => {
  let folder: ServiceFolder;
  let installed: TemporaryFolder;
  let program: string;
  let driver: string;
  let place: string;

  const run = async (args: readonly string[], env: Environment = {}): Promise<Ended> => {
    const command = NodeProcess.start([program, ...args], {
      cwd: place,
      env: { ...folder.env, HOST: '127.0.0.1', PORT: '0', ...env },
    });
    const { code } = await command.exited;
    return { code, stdout: command.stdout, stderr: command.stderr };
  };

  before(async () => {
    [folder, installed] = await Promise.all([ServiceFolder.open(), temporaryFolder()]);
    ({ program, driver } = await packageWithoutDriver(installed.path));
  });

  after(async () => {
    await Promise.all([folder.close(), installed.remove()]);
  });

  beforeEach(async () => {
    place = join(folder.path, 'place');
    await rm(place, { recursive: true, force: true });
    await mkdir(place);
  });

  for (const args of NEEDS_DRIVER) {
    it(`ends ${args[0]} with 78, the command that mends it, and nothing written`, async () => {
      const { code, stderr } = await run(args);

      expect(stderr).to.include(
        `npm did not run its install script: run npm --prefix ${driver} run install\n`,
      );
      // The demo adds that its service has ended.
      expect(stderr.trim().split('\n')).to.have.length(args[0] === 'demo' ? 2 : 1);
      expect(code).to.equal(78);
      expect(await readdir(place)).to.deep.equal([]);
    });
  }

  it('prints the help, and writes a configuration', async () => {
    const help = await run(['--help']);
    const offline = ['--issuer', folder.issuer, '--audience', 'images', '--yes', '--offline'];
    const init = await run(['init', ...offline]);

    expect([help.code, help.stderr, init.code, init.stderr]).to.deep.equal([0, '', 0, '']);
  });

  it('lets doctor name it beside its other findings', async () => {
    const { code, stdout } = await run(['doctor']);

    expect(stdout).to.match(/PROBLEM {2}DATABASE_URL cannot be used: sqlite3.* has no binary/);
    expect(stdout).to.include(`→ npm --prefix ${driver} run install`).and.include('Decoders');
    expect(code).to.equal(1);
  });

  it('imports into a service', async () => {
    const service = await folder.start();
    const env = { CATALOG_TOKEN: folder.token };
    const { code, stderr } = await run(['import', '.', '--url', service.url, '--dry-run'], env);
    await service.process.stop();

    expect(code, stderr).to.equal(0);
  });

  it('serves a catalog on Postgres', async function () {
    const server = await PostgresServer.shared();
    if (server === undefined) return this.skip();
    const { url } = await server.newCatalog();
    const env = { ...folder.env, HOST: '127.0.0.1', PORT: '0', DATABASE_URL: url };
    const service = await whenListening(NodeProcess.start([program], { cwd: place, env }));

    expect((await service.process.stop()).code).to.equal(0);
  });

  it('says to compile a binary that was made for another machine', async () => {
    const other = await temporaryFolder();
    ({ program, driver } = await packageWithoutDriver(other.path, 'for another machine'));
    const { code, stderr } = await run(['migrate']);
    await other.remove();

    expect(stderr).to.match(/does not fit this machine \(.*node_sqlite3\.node: /);
    expect(stderr).to.include(`: run npm --prefix ${driver} run rebuild, which needs Python 3`);
    expect(code).to.equal(78);
  });
});

describe('Without the binary of sharp', () => {
  it('ends the service with 78 and one sentence, which doctor says too', async () => {
    const [folder, installed] = await Promise.all([ServiceFolder.open(), temporaryFolder()]);
    const { program } = await packageWithoutImageLibrary(installed.path);
    const options = { cwd: folder.path, env: { ...folder.env, HOST: '127.0.0.1', PORT: '0' } };
    const service = NodeProcess.start([program], options);
    const { code } = await service.exited;
    const doctor = NodeProcess.start([program, 'doctor'], options);
    await doctor.exited;
    await Promise.all([folder.close(), installed.remove()]);

    expect(service.stderr).to.match(/^The decoder cannot be used: sharp.* npm install --include=optional\n$/);
    expect(code).to.equal(78);
    expect(doctor.stdout).to.match(
      /PROBLEM {2}No decoder starts: sharp.* npm install --include=optional\.\n/,
    );
  });
});
