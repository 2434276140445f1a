import { execFile } from 'node:child_process';
import { appendFile, copyFile, readFile, writeFile } from 'node:fs/promises';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect } from 'chai';
import type { Bom } from '../../build/release/bom.ts';
import { imageBom } from '../../build/release/image-bom.ts';
import { packageBoms } from '../../build/release/release.ts';
import { cyclonedxSchema } from '../support/fixtures/cyclonedx-schema.ts';
import { CatalogClient } from '../support/http/catalog-client.ts';
import { lastingPort } from '../support/servers/lasting-port.ts';
import { missingForContainers, Podman } from '../support/servers/podman.ts';
import { ServiceFolder } from '../support/servers/service-folder.ts';
import { PROJECT_FOLDER } from '../support/servers/service-process.ts';
import { describeIf, skipAloud } from '../support/skipped/skip-aloud.ts';
import { eventually } from '../support/time/eventually.ts';
import { LONG_TEST_MS } from '../support/time/hang-guard.ts';

const CAT = join(PROJECT_FOLDER, 'demo/cat-chelsea.png');
const CERTIFICATES = '/etc/ssl/certs/ca-certificates.crt';

/** Of the machines that the tests run on: their control groups and their hard limits of root. */
const OF_THE_MACHINE = ['--network=host', '--ulimit=nofile=1024:1024', '--ulimit=nproc=4096:4096'];

/** As in deploy/compose.yaml. */
const RESTRICTED = [
  '--read-only',
  '--tmpfs=/tmp',
  '--cap-drop=ALL',
  '--security-opt=no-new-privileges',
  `--security-opt=seccomp=${join(PROJECT_FOLDER, 'deploy/seccomp.json')}`,
];

/** System calls by which a decoder could reach the service, with their numbers on x86-64. The default profile permits them. */
const FORBIDDEN = {
  shmget: 29,
  semget: 64,
  msgget: 68,
  ptrace: 101,
  process_vm_readv: 310,
  process_vm_writev: 311,
  pidfd_getfd: 438,
};
const EPERM = '1';

/** Perl is in every image of Debian. The arguments are an empty key or range, of the process itself. */
const CALL = 'print syscall($ARGV[0] + 0, 0, 0, 0, 0, 0, 0) < 0 ? $! + 0 : "done"';

/** Builds with the registry and the cache of npm that the machine uses. */
async function build(podman: Podman, folder: string): Promise<void> {
  const npmrc = join(folder, 'npmrc');
  await copyFile(join(homedir(), '.npmrc'), npmrc).catch(() => writeFile(npmrc, ''));
  await appendFile(npmrc, `\ncafile=${CERTIFICATES}\nprefer-offline=true\n`);
  const { stdout } = await promisify(execFile)('npm', ['config', 'get', 'cache']);
  await podman.run([
    'build',
    '--isolation=chroot',
    '--network=host',
    '--format=docker',
    `--volume=${npmrc}:/root/.npmrc:ro`,
    `--volume=${stdout.trim()}:/root/.npm`,
    '--build-arg=BUILD_IMAGE=localhost/with-compiler',
    '--build-arg=RUNTIME_IMAGE=localhost/runtime',
    '--file=deploy/Containerfile',
    '--tag=image-catalog',
    PROJECT_FOLDER,
  ]);
}

async function listContents(podman: Podman): Promise<Bom> {
  const [service] = await packageBoms(PROJECT_FOLDER);
  const bom = await imageBom(await podman.run(['image', 'mount', 'image-catalog']), service);
  await podman.run(['image', 'unmount', 'image-catalog']);
  return bom;
}

/** What a program in the image prints. */
async function output(podman: Podman, program: string, ...args: readonly string[]): Promise<string> {
  const entrypoint = `--entrypoint=${program}`;
  return await podman.run(['run', '--rm', ...OF_THE_MACHINE, entrypoint, 'image-catalog', ...args]);
}

/** The packages that npm has installed, without links. */
function packagesOf(lock: string): readonly string[] {
  const { packages } = JSON.parse(lock) as {
    readonly packages: Readonly<Record<string, { readonly version: string; readonly link?: boolean }>>;
  };
  return Object.entries(packages)
    .filter(([path, { link = false }]) => path.startsWith('node_modules/') && !link)
    .map(([path, { version }]) => `${path.replace(/^.*node_modules\//, '')}@${version}`);
}

let podman: Podman;
let folder: ServiceFolder;
let client: CatalogClient;
let galleryUrl: string;
let start: (volume: string) => Promise<string>;

const missing = missingForContainers();

describeIf(missing.length === 0, `not available: ${missing.join(', ')}`)('The container image', function () {
  this.timeout(LONG_TEST_MS);

  before(async () => {
    folder = await ServiceFolder.open();
    podman = new Podman(join(folder.path, 'podman'));
    await podman.makeBase('with-compiler', ['python3', 'make', 'g++']);
    await podman.makeBase('runtime', ['libstdc++6']);
    await build(podman, folder.path);
    const [port, managementPort, webPort] = [await lastingPort(), await lastingPort(), await lastingPort()];
    const url = `http://127.0.0.1:${port}/`;
    galleryUrl = `http://127.0.0.1:${webPort}/`;
    client = new CatalogClient(url, folder.token);
    start = async (volume) => {
      const settings = { ...folder.env, PORT: port, MANAGEMENT_PORT: managementPort, WEB_PORT: webPort };
      const variables = Object.entries(settings).map(([name, value]) => `--env=${name}=${value}`);
      const args = [...OF_THE_MACHINE, ...RESTRICTED, ...variables, `--volume=${volume}:/data`];
      const container = await podman.run(['run', '--detach', ...args, 'image-catalog']);
      const isUp = async (): Promise<boolean> =>
        await fetch(url)
          .then(({ ok }) => ok)
          .catch(() => false);
      if (await eventually(isUp, Boolean)) return container;
      throw new Error(await podman.run(['logs', container]));
    };
  });

  afterEach(() => podman?.run(['rm', '--all', '--force', '--time', '0']));

  after(async () => {
    await podman?.remove();
    await folder?.close();
  });

  async function uploadCat(): Promise<Response> {
    return await client.upload(new Uint8Array(await readFile(CAT)), 'cat.png');
  }

  describe('is confined:', confinement);

  it('stores an upload and makes a rendition of it', async () => {
    await start('upload');

    const { status } = await uploadCat();
    const rendition = await client.file(1, '?width=64&format=webp');

    expect([status, rendition.status]).to.deep.equal([201, 200]);
  });

  it('serves the gallery', async () => {
    await start('gallery');

    const response = await fetch(galleryUrl);

    expect([response.status, response.headers.get('content-type')]).to.deep.equal([
      200,
      'text/html; charset=utf-8',
    ]);
  });

  it('has a list of its contents: the packages of Debian and npm', async () => {
    const bom = await listContents(podman);
    const debian = await output(podman, 'dpkg-query', '--show', '--showformat=${Package}@${Version}\\n');
    const npm = packagesOf(await output(podman, 'cat', '/app/node_modules/.package-lock.json'));
    const errorsOf = await cyclonedxSchema();
    const deb = bom.components.filter(({ purl }) => purl?.startsWith('pkg:deb/debian/'));
    expect(errorsOf(bom)).to.deep.equal([]);
    expect(deb.map(({ name, version }) => `${name}@${version}`)).to.have.members(debian.split('\n'));
    expect(bom.components.map((component) => component['bom-ref'])).to.include.members([
      `pkg:generic/node@${process.versions.node}`,
      ...npm,
    ]);
    expect(bom.components.map(({ name }) => name)).to.include.members(['npm', 'react', 'swagger-ui-dist']);
  });

  it('is healthy', async () => {
    const container = await start('health');

    expect(await podman.exitCode(['healthcheck', 'run', container])).to.equal(0);
  });

  it('exits with 0 on SIGTERM, and has its images when it starts again on the same volume', async () => {
    const first = await start('restart');
    await uploadCat();

    await podman.run(['stop', '--time', '40', first]);
    const code = await podman.run(['inspect', '--format={{.State.ExitCode}}', first]);
    await start('restart');
    const bytes = await (await client.file(1)).arrayBuffer();

    expect(code).to.equal('0');
    expect(Buffer.from(bytes).equals(await readFile(CAT))).to.equal(true);
  });
});

function confinement(): void {
  it('runs read-only, without capabilities, as another user than root', async () => {
    const container = await start('restricted');

    const status = await podman.run(['exec', container, 'cat', '/proc/1/status']);

    expect(status)
      .to.match(/^Uid:\t1000\t1000/m)
      .and.match(/^CapEff:\t0+$/m)
      .and.match(/^NoNewPrivs:\t1$/m);
    expect(await podman.exitCode(['exec', container, 'touch', '/app/file'])).to.equal(1);
  });

  it('freezes its decoders', async () => {
    const container = await start('frozen');

    // The first decoder starts behind the answer of the service.
    const log = await eventually(
      () => podman.run(['logs', container]),
      (text) => text.includes('decoders'),
    );

    expect(log).to.contain('"frozen":true').and.not.contain('decoders can open files');
  });

  it('permits no call on the memory of other processes, and none for memory that outlives it', async function () {
    if (process.arch !== 'x64') skipAloud(this, 'knows the numbers of system calls of x86-64 only');
    const container = await start('seccomp');

    for (const [name, number] of Object.entries(FORBIDDEN)) {
      const result = await podman.run(['exec', container, 'perl', '-e', CALL, String(number)]);
      expect(result, name).to.equal(EPERM);
    }
  });
}
