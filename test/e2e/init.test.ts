import { execFile } from 'node:child_process';
import { chmod, readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect } from 'chai';
import { DEMO_CLIENT } from '../../demo/demo-client.ts';
import { packageWithoutDriver } from '../support/fixtures/package-without-driver.ts';
import { type TemporaryFolder, temporaryFolder } from '../support/fixtures/temporary-folder.ts';
import {
  type Exit,
  NodeProcess,
  PROJECT_FOLDER,
  type RunningIdentityProvider,
  startIdentityProviderProcess,
} from '../support/servers/service-process.ts';
import { WITHOUT_POWERS } from '../support/servers/without-powers.ts';
import { isInstalled } from '../support/skipped/is-installed.ts';
import { skipAloud } from '../support/skipped/skip-aloud.ts';

const PROGRAM = join(PROJECT_FOLDER, 'bin/image-catalog.cjs');

/** The first words of each, behind the space that follows the one before. */
const QUESTION =
  /(?<=^|: )(?:Identity provider:|Its issuer,|The audience:|The gallery's client ID,|systemd, compose)/gm;

let folder: TemporaryFolder;
let provider: RunningIdentityProvider;

/** Types the answers, one in a line. */
async function answer(...answers: readonly string[]): Promise<Exit & { readonly stderr: string }> {
  const typed = answers.map((line) => `${line}\\n`).join('');
  const through = ['sh', '-c', `printf '${typed}' | "$0" "$@"`];
  const init = NodeProcess.start([PROGRAM, 'init'], { cwd: folder.path, through });
  return { ...(await init.exited), stderr: init.stderr };
}

describe('image-catalog init in a process', () => {
  before(async () => {
    folder = await temporaryFolder();
    provider = await startIdentityProviderProcess(folder.path);
  });

  after(async () => {
    await provider.process.stop();
    await folder.remove();
  });

  it('ends with 64 and writes nothing if an answer is missing', async () => {
    const { code, stderr } = await answer('other');

    expect(code).to.equal(64);
    expect(stderr).to.include('init needs an answer, or --issuer');
    expect(await readdir(folder.path)).to.deep.equal([]);
  });

  it('says that a folder cannot be written to', async () => {
    await chmod(folder.path, 0o555);
    const args = ['init', '--yes', '--issuer', provider.issuer, '--audience', DEMO_CLIENT.audience];
    const init = NodeProcess.start([PROGRAM, ...args], { cwd: folder.path, through: WITHOUT_POWERS });
    const { code } = await init.exited;
    await chmod(folder.path, 0o755);

    expect(code).to.equal(78);
    expect(init.stderr).to.match(/^Nothing was written: \S+ is closed to the user .*\n$/);
    expect(await readdir(folder.path)).to.deep.equal([]);
  });

  it('asks five questions, reads the keys of the provider, and doctor finds all well', async () => {
    const { code, stderr } = await answer(
      'none of these',
      'other',
      provider.issuer.replace(/\/$/, ''),
      DEMO_CLIENT.audience,
      'gallery',
      'systemd',
    );
    const doctor = NodeProcess.start([PROGRAM, 'doctor'], { cwd: folder.path });

    expect([code, await doctor.exited]).to.deep.equal([0, { code: 0, signal: null }]);
    expect(stderr.match(QUESTION)).to.deep.equal([
      'Identity provider:',
      'Identity provider:',
      'Its issuer,',
      'The audience:',
      "The gallery's client ID,",
      'systemd, compose',
    ]);
    expect(doctor.stdout).to.match(/^All is well: the service is ready to start\.$/m);
    expect(await readFile(join(folder.path, '.env'), 'utf8')).to.include(`IDP_DOMAIN=${provider.issuer}\n`);
  });

  it('says how README.md installs the package, if npx has only a temporary copy of it', async () => {
    const copy = await temporaryFolder();
    const installed = join(copy.path, '_npx/0/node_modules/image-catalog-service');
    const { program } = await packageWithoutDriver(installed);
    const args = ['--yes', '--offline', '--issuer', provider.issuer, '--audience', DEMO_CLIENT.audience];
    const init = NodeProcess.start([program, 'init', ...args], { cwd: copy.path });
    const { code } = await init.exited;
    const readme = await readFile(join(PROJECT_FOLDER, 'README.md'), 'utf8');
    await copy.remove();

    const next = init.stdout.slice(init.stdout.indexOf('Next:')).split('\n').slice(1);
    expect(code).to.equal(0);
    expect(next).to.have.length(4);
    for (const line of next) expect(readme).to.include(`\n${line.trim()}`);
  });

  it('writes a unit that systemd accepts, with the paths of the package', async function () {
    if (!isInstalled('systemd-analyze')) skipAloud(this, 'systemd-analyze is not installed');
    const unit = join(folder.path, 'image-catalog.service');
    const text = await readFile(unit, 'utf8');

    const { stderr } = await promisify(execFile)('systemd-analyze', ['verify', '--man=no', unit]);

    expect(stderr).to.equal('');
    expect(text).to.include(`\nEnvironmentFile=${join(folder.path, '.env')}\n`);
    expect(text).to.include(`\nExecStart="${process.execPath}" "${PROGRAM}" serve\n`);
    expect(text).to.not.include('/opt/');
  });
});
