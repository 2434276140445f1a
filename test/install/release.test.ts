import { execFile } from 'node:child_process';
import { mkdir, readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect } from 'chai';
import type { Bom } from '../../build/release/bom.ts';
import { cyclonedxSchema } from '../support/fixtures/cyclonedx-schema.ts';
import { type TemporaryFolder, temporaryFolder } from '../support/fixtures/temporary-folder.ts';
import { PROJECT_FOLDER } from '../support/servers/service-process.ts';
import { LONG_TEST_MS } from '../support/time/hang-guard.ts';

const run = promisify(execFile);

const PACKAGE = /^.*node_modules\/(?:@[^/]+\/)?[^/]+/;
const SERVICE = `image-catalog-service-${await versionOf('package.json')}`;
const MCP = `image-catalog-mcp-${await versionOf('mcp/package.json')}`;
const CLIENT = `image-catalog-client-${await versionOf('client/package.json')}`;

/** Clones the last commit, and releases it. Both with the packages of the project, as hard links if possible. */
const RELEASE = `
  umask "$UMASK"
  git clone --quiet "$PROJECT" "$CLONE"
  cp --archive --link "$PROJECT/node_modules" "$CLONE" || cp --archive "$PROJECT/node_modules" "$CLONE"
  cd "$CLONE"
  npm run release -- --out "$OUT" --with-repository
`;
const REPOSITORY = 'https://git.example.com/owner/image-catalog';

async function versionOf(manifest: string): Promise<string> {
  const { version } = JSON.parse(await readFile(join(PROJECT_FOLDER, manifest), 'utf8')) as {
    readonly version: string;
  };
  return version;
}

interface Release {
  readonly clone: string;
  readonly out: string;
}

async function releaseIn(
  folder: string,
  name: string,
  more: Readonly<Record<string, string>>,
): Promise<Release> {
  const [clone, out] = [join(folder, name, 'clone'), join(folder, name, 'out')];
  const env = {
    ...process.env,
    PROJECT: PROJECT_FOLDER,
    CLONE: clone,
    OUT: out,
    RELEASE_REPOSITORY: REPOSITORY,
    ...more,
  };
  await mkdir(join(folder, name), { recursive: true });
  await run('sh', ['-e', '-c', RELEASE], { env });
  return { clone, out };
}

async function filesOf(folder: string): Promise<ReadonlyMap<string, Buffer>> {
  const names = (await readdir(folder)).toSorted();
  return new Map(
    await Promise.all(names.map(async (name) => [name, await readFile(join(folder, name))] as const)),
  );
}

describe('A release', function () {
  this.timeout(LONG_TEST_MS);

  let folder: TemporaryFolder;
  let first: Release;
  let second: Release;
  let service: Bom;
  let client: Bom;

  before(async () => {
    folder = await temporaryFolder();
    [first, second] = await Promise.all([
      releaseIn(folder.path, 'a', { UMASK: '022' }),
      releaseIn(folder.path, 'another/longer-folder', {
        UMASK: '077',
        TZ: 'Asia/Tokyo',
        LANG: 'tr_TR.UTF-8',
        NODE_ENV: 'production',
      }),
    ]);
    service = await read(`${SERVICE}.cdx.json`);
    client = await read(`${CLIENT}.cdx.json`);
  });

  after(() => folder?.remove());

  async function read(name: string): Promise<Bom> {
    return JSON.parse(await readFile(join(first.out, name), 'utf8')) as Bom;
  }

  it('has the same bytes from two clones of a commit', async () => {
    const [files, others] = [await filesOf(first.out), await filesOf(second.out)];

    expect([...files.keys()]).to.deep.equal([
      'SHA256SUMS',
      `${CLIENT}.cdx.json`,
      `${CLIENT}.tgz`,
      `${MCP}.cdx.json`,
      `${MCP}.tgz`,
      `${SERVICE}.cdx.json`,
      `${SERVICE}.tgz`,
    ]);
    expect([...others.keys()]).to.deep.equal([...files.keys()]);
    for (const [name, bytes] of files) expect(others.get(name)?.equals(bytes), name).to.equal(true);
  });

  it('has the sums that sha256sum expects', async () => {
    const { stdout } = await run('sha256sum', ['--check', '--strict', 'SHA256SUMS'], { cwd: first.out });

    expect(stdout.trim().split('\n')).to.have.length(6);
  });

  it('has files of mode 644 and programs of mode 755', async () => {
    const { stdout } = await run('tar', ['-tvzf', join(first.out, `${SERVICE}.tgz`)]);
    const lines = stdout.trim().split('\n');

    expect(new Set(lines.map((line) => line.slice(0, 10)))).to.deep.equal(
      new Set(['-rw-r--r--', '-rwxr-xr-x']),
    );
  });

  it('names its repository in each package, and changes nothing else', async () => {
    await expectRepository(first, SERVICE, '');
    await expectRepository(first, CLIENT, 'client');
    await expectRepository(first, MCP, 'mcp');
  });

  it('has lists of contents by the schema of CycloneDX, with the time of the commit', async () => {
    const errorsOf = await cyclonedxSchema();
    const { stdout } = await run('git', ['log', '-1', '--format=%ct'], { cwd: first.clone });

    const mcp = await read(`${MCP}.cdx.json`);
    expect([service, client, mcp].flatMap(errorsOf)).to.deep.equal([]);
    expect(Date.parse(service.metadata.timestamp) / 1000).to.equal(Number(stdout));
    expect(client.components).to.deep.equal([]);
  });

  it('lists as bundled what esbuild and Vite have bundled', async () => {
    const bundled = service.components
      .filter(({ properties = [] }) => properties.some(({ name }) => name === 'cdx:npm:package:bundled'))
      .map((component) => component['bom-ref']);
    const listed = join(first.clone, 'dist/bundled-packages.json');

    expect(bundled).to.have.members(JSON.parse(await readFile(listed, 'utf8')) as string[]);
    expect(bundled).to.include.members(await packagesInSourceMaps(join(first.clone, 'dist')));
    expect(bundled.map((ref) => ref.slice(0, ref.lastIndexOf('@')))).to.include.members([
      'react-dom',
      'scheduler',
      'swagger-ui-dist',
      '@image-catalog/client',
    ]);
  });

  it('lists what npm installs without development', async () => {
    // The other packages of the project are in the tarball, or published by themselves.
    const args = ['ls', '--all', '--omit=dev', '--parseable', '--long', '--workspaces=false'];
    const { stdout } = await run('npm', args, { cwd: first.clone });
    const installed = stdout
      .split('\n')
      .map((line) => line.split(':')[1] ?? '')
      .filter((ref) => ref !== '' && !ref.startsWith('image-catalog-service@'));
    const refs = service.components.map((component) => component['bom-ref']);

    expect(installed).to.have.length.above(100);
    expect(refs).to.include.members(installed);
  });

  it('is refused with changes that are not committed, and in a folder with files', async () => {
    const release = (cwd: string, out: string): Promise<unknown> =>
      run('npm', ['run', 'release', '--', '--out', out], { cwd });
    await run('cp', ['package.json', 'copy.json'], { cwd: second.clone });

    const [changed, full] = await Promise.allSettled([
      release(second.clone, join(folder.path, 'empty')),
      release(first.clone, first.out),
    ]);

    expect([changed.status, full.status]).to.deep.equal(['rejected', 'rejected']);
  });
});

/** @param name of the package's folder in the clone */
async function expectRepository({ clone, out }: Release, tarball: string, name: string): Promise<void> {
  const { stdout } = await run('tar', ['-xzOf', join(out, `${tarball}.tgz`), 'package/package.json']);
  const { repository, ...rest } = JSON.parse(stdout) as { readonly repository: object };
  const directory = name === '' ? {} : { directory: name };

  expect(repository).to.deep.equal({ type: 'git', url: `git+${REPOSITORY}.git`, ...directory });
  expect(rest).to.deep.equal(JSON.parse(await readFile(join(clone, name, 'package.json'), 'utf8')));
}

/** Of the packages whose own source maps are not followed. */
async function packagesInSourceMaps(dist: string): Promise<readonly string[]> {
  const maps = (await readdir(dist)).filter((file) => file.endsWith('.map'));
  const refs = await Promise.all(
    maps.map(async (map) => {
      const { sources } = JSON.parse(await readFile(join(dist, map), 'utf8')) as {
        readonly sources: readonly string[];
      };
      const folders = sources.map((source) => PACKAGE.exec(source)?.[0]).filter((path) => path !== undefined);
      return await Promise.all(
        folders.map(async (path) => {
          const { name, version } = JSON.parse(await readFile(join(dist, path, 'package.json'), 'utf8')) as {
            readonly name: string;
            readonly version: string;
          };
          return `${name}@${version}`;
        }),
      );
    }),
  );
  return [...new Set(refs.flat())];
}
