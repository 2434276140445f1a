import { execFile } from 'node:child_process';
import { mkdir, readFile, symlink, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { expect } from 'chai';
import { type TemporaryFolder, temporaryFolder } from '../support/fixtures/temporary-folder.ts';
import { PROJECT_FOLDER } from '../support/servers/service-process.ts';
import { isInstalled } from '../support/skipped/is-installed.ts';
import { describeIf } from '../support/skipped/skip-aloud.ts';

const PROFILE = join(PROJECT_FOLDER, 'deploy/seccomp-oci.json');
const EPERM = '1';
/** By their numbers on x86-64; see image.test.ts. `chroot` needs a capability. */
const FORBIDDEN = { shmget: 29, semget: 64, msgget: 68, ptrace: 101, chroot: 161, process_vm_readv: 310 };
const CALLS = `for n in ${Object.values(FORBIDDEN).join(' ')}; do
  perl -e 'print syscall($ARGV[0] + 0, 0, 0, 0, 0, 0, 0) < 0 ? $! + 0 : "done"; print " "' $n
done`;

const isPossible = process.arch === 'x64' && process.getuid?.() === 0 && isInstalled('runc');

/** runc gets the profile as it is, which containerd does too. Podman would convert it. */
describeIf(isPossible, 'needs root, runc and x86-64')('deploy/seccomp-oci.json, as runc reads it,', () => {
  let folder: TemporaryFolder;

  beforeEach(async () => {
    folder = await temporaryFolder();
  });

  afterEach(() => folder.remove());

  it('forbids calls on other processes and calls that need a capability, and lets decoders be frozen', async () => {
    const doctor = `/node ${join(PROJECT_FOLDER, 'bin/image-catalog.cjs')} doctor`;

    const printed = await runConfined(folder.path, `${CALLS}; echo; ${doctor}`);

    expect(printed.split('\n')[0]?.trim().split(' ')).to.deep.equal(
      Object.values(FORBIDDEN).map(() => EPERM),
    );
    expect(printed).to.include('Decoders are frozen').and.include('run as the user of the service');
  });
});

/** Runs a script as the pods of deploy/kubernetes do: as the user 1000, read-only, without capabilities. */
async function runConfined(folder: string, script: string): Promise<string> {
  const root = join(folder, 'rootfs');
  for (const path of ['usr', 'proc', 'dev', 'tmp', 'data', PROJECT_FOLDER]) {
    await mkdir(join(root, path), { recursive: true });
  }
  for (const link of ['bin', 'lib', 'lib64']) await symlink(`usr/${link}`, join(root, link));
  await writeFile(join(root, 'node'), '');
  await writeFile(join(folder, 'config.json'), JSON.stringify(await bundle(script)));
  const name = folder.slice(dirname(folder).length + 1);
  const run = promisify(execFile)('runc', ['--root', join(folder, 'state'), 'run', '--bundle', folder, name]);
  // doctor finds no identity provider, and ends with 1.
  return await run.then(
    ({ stdout }) => stdout,
    ({ stdout, stderr }: { readonly stdout: string; readonly stderr: string }) => `${stdout}${stderr}`,
  );
}

async function bundle(script: string): Promise<object> {
  const readOnly = (source: string, destination = source): object => ({
    source,
    destination,
    type: 'bind',
    options: ['rbind', 'ro'],
  });
  const inMemory = (destination: string): object => ({ destination, type: 'tmpfs', source: 'tmpfs' });
  return {
    ociVersion: '1.0.2',
    process: {
      user: { uid: 1000, gid: 1000 },
      args: ['/bin/sh', '-c', script],
      env: [
        'PATH=/usr/sbin:/usr/bin:/sbin:/bin',
        'IDP_DOMAIN=http://127.0.0.1:1/',
        'IDP_AUDIENCE=https://images.example.com/',
      ],
      cwd: '/',
      capabilities: {},
      noNewPrivileges: true,
    },
    root: { path: 'rootfs', readonly: true },
    mounts: [
      { destination: '/proc', type: 'proc', source: 'proc' },
      inMemory('/dev'),
      inMemory('/tmp'),
      inMemory('/data'),
      readOnly('/usr'),
      readOnly(process.execPath, '/node'),
      readOnly(PROJECT_FOLDER),
    ],
    linux: {
      namespaces: ['pid', 'ipc', 'uts', 'mount'].map((type) => ({ type })),
      seccomp: JSON.parse(await readFile(PROFILE, 'utf8')) as object,
    },
  };
}
