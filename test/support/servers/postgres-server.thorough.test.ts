import { execFileSync } from 'node:child_process';
import { cpSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect } from 'chai';
import { type TemporaryFolder, temporaryFolder } from '../fixtures/temporary-folder.ts';
import { skipAloud } from '../skipped/skip-aloud.ts';
import { installedBinaries, PostgresServer } from './postgres-server.ts';

describe('A Postgres server for tests, in a folder that only root may access', function () {
  let folder: TemporaryFolder;
  /** A folder below it. */
  let binaries: string;
  let server: PostgresServer | undefined;
  const { TMPDIR } = process.env;

  before(async function () {
    if (process.getuid?.() !== 0) {
      skipAloud(this, 'only root can make a folder that the server may not enter');
    }
    const installed = installedBinaries() ?? skipAloud(this, 'there is no Postgres server for this machine');
    folder = await temporaryFolder();
    const native = join(folder.path, 'native');
    cpSync(dirname(installed), native, { recursive: true, verbatimSymlinks: true });
    binaries = join(native, 'bin');
  });

  afterEach(() => {
    setTemporaryFolder(TMPDIR);
    server?.remove();
    server = undefined;
  });

  after(async () => {
    await folder?.remove();
  });

  async function expectServerRuns(): Promise<void> {
    server = await PostgresServer.startOwn(binaries);

    expect(await server?.run('select 1 as one')).to.deep.equal([{ one: 1 }]);
  }

  it('runs from a copy', async () => {
    await expectServerRuns();
  });

  it('runs with TMPDIR in that folder', async () => {
    setTemporaryFolder(folder.path);

    await expectServerRuns();
  });

  it('runs under umask 077', async () => {
    execFileSync('chmod', ['-R', 'go=', dirname(binaries)]);
    const umask = process.umask(0o077);
    try {
      await expectServerRuns();
    } finally {
      process.umask(umask);
    }
  });
});

function setTemporaryFolder(path: string | undefined): void {
  if (path === undefined) delete process.env.TMPDIR;
  else process.env.TMPDIR = path;
}
