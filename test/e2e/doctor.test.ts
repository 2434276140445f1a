import { execFile } from 'node:child_process';
import { readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from 'chai';
import { DEMO_CLIENT } from '../../demo/demo-client.ts';
import { tinyPng } from '../support/fixtures/tiny-pictures.ts';
import { jwk, rsaKey } from '../support/fixtures/tokens.ts';
import { requestToken } from '../support/http/catalog-client.ts';
import type { CommandResult } from '../support/servers/command-in-process.ts';
import { ServiceFolder } from '../support/servers/service-folder.ts';
import {
  blobFolder,
  databaseFile,
  type Environment,
  PROJECT_FOLDER,
  type RunningIdentityProvider,
  startIdentityProviderProcess,
} from '../support/servers/service-process.ts';
import { publish, respond, SigningKeyServer } from '../support/servers/signing-key-server.ts';

const SERVICE = join(PROJECT_FOLDER, 'bin/image-catalog.cjs');

interface Mistake {
  readonly title: string;
  readonly env?: (issuer: string) => Environment;
  readonly finding: RegExp;
  readonly change?: RegExp;
}

const MISTAKES: readonly Mistake[] = [
  {
    title: 'IDP_DOMAIN without the slash',
    env: (issuer) => ({ IDP_DOMAIN: issuer.slice(0, -1) }),
    finding: /IDP_DOMAIN must be an https URL with a slash at its end/,
  },
  {
    title: 'a wrong path in IDP_DOMAIN',
    env: (issuer) => ({ IDP_DOMAIN: `${issuer}realms/cats/` }),
    finding: /Discovery at .*\/realms\/cats\/.* cannot be read: it responds with 404/,
    change: /→ IDP_DOMAIN=/,
  },
  {
    title: 'a scope that the token lacks',
    env: () => ({ SCOPE_DELETE: 'images:purge' }),
    finding: /lacks the scope images:purge \(SCOPE_DELETE\)/,
  },
  {
    title: 'a file in place of the folder of the blobs',
    env: () => ({ BLOB_STORE_URL: 'file:./a-file/blobs' }),
    finding: /BLOB_STORE_URL/,
  },
  {
    title: 'a database that does not run',
    env: () => ({ DATABASE_URL: 'postgres://cat:secret@127.0.0.1:1/catalog' }),
    finding: /DATABASE_URL cannot be used: .*ECONNREFUSED/,
  },
];

let folder: ServiceFolder;
let provider: RunningIdentityProvider;
let token: string;

const examine = async (
  { env }: Pick<Mistake, 'env'> = {},
  args: readonly string[] = ['--token', '-'],
): Promise<CommandResult> =>
  await runDoctor(folder.path, args, token, {
    IDP_DOMAIN: provider.issuer,
    IDP_AUDIENCE: DEMO_CLIENT.audience,
    DATABASE_URL: `sqlite:${databaseFile(folder.path)}`,
    BLOB_STORE_URL: `file:${blobFolder(folder.path)}`,
    ...env?.(provider.issuer),
  });

describe('image-catalog doctor', () => {
  before(async () => {
    folder = await ServiceFolder.open();
    provider = await startIdentityProviderProcess(folder.path);
    token = await requestToken(provider.issuer, DEMO_CLIENT);
    await writeFile(join(folder.path, 'a-file'), '');
  });

  after(async () => {
    provider.process.kill('SIGTERM');
    await provider.process.exited;
    await folder.close();
  });

  it('finds nothing wrong before the first start, and creates nothing', async () => {
    const { code, stdout } = await examine();

    expect(stdout)
      .to.include('There is no catalog yet')
      .and.match(/\nAll is well: the service is ready to start\.\n$/);
    expect(code).to.equal(0);
    expect(await filesIn(folder.path)).to.deep.equal([join(folder.path, 'a-file')]);
  });

  it('shows what a decoder could change as hints, and as warnings in production', async () => {
    const [hints, warnings] = [await examine(), await examine({ env: () => ({ NODE_ENV: 'production' }) })];

    expect(hints.stdout)
      .to.match(/^ {2}hint {5}The service reads \.env in .*\.\n {11}→ /m)
      .and.match(/^All is well: /m);
    expect(warnings.stdout).to.match(/^ {2}warning {2}The service reads \.env in /m);
    expect(warnings.stdout).to.match(/^\d warnings?: the service is ready to start\.$/m);
    expect([hints.code, warnings.code]).to.deep.equal([0, 0]);
  });

  for (const mistake of MISTAKES) {
    it(`names ${mistake.title}`, async () => {
      const { code, stdout, stderr } = await examine(mistake);

      expect(stdout, stderr).to.match(mistake.finding);
      if (mistake.change !== undefined) expect(stdout).to.match(mistake.change);
      expect(stdout).to.not.include(token.split('.')[1]);
      expect(code).to.equal(mistake.title.startsWith('a scope') ? 0 : 1);
    });
  }

  describe('on a catalog in use', catalogInUse);

  it('names a clock that differs from that of the provider', async () => {
    const server = await SigningKeyServer.start(publish([jwk(rsaKey('one'))]));
    const document = JSON.stringify({ issuer: server.domain, jwks_uri: server.jwksUri });
    const date = new Date(Date.now() - 3_600_000).toUTCString();
    server.pages.set('/.well-known/openid-configuration', respond(200, document, { date }));
    try {
      const { stdout } = await examine({ env: () => ({ IDP_DOMAIN: server.domain }) });

      expect(stdout).to.match(/\d{4} s ahead of that of the provider/);
    } finally {
      await server.stop();
    }
  });
});

function catalogInUse(): void {
  before(async () => {
    const service = await folder.start();
    await service.process.stop();
  });

  it('stores, reads and removes a blob, and leaves nothing behind', async () => {
    const before = await filesIn(folder.path);
    const { code, stdout } = await examine();

    expect(stdout)
      .to.match(/SQLite 3\.\d+/)
      .and.include('a blob was stored, read, listed and removed');
    expect(code).to.equal(0);
    expect(await filesIn(folder.path)).to.deep.equal(before);
  });

  it('names blobs of another catalog', async () => {
    const other = await ServiceFolder.open();
    try {
      const service = await other.start();
      await service.process.stop();
      const env = (): Environment => ({ BLOB_STORE_URL: `file:${blobFolder(other.path)}` });
      const { code, stdout } = await examine({ env });

      expect(stdout).to.include('belongs to the catalog');
      expect(code).to.equal(1);
    } finally {
      await other.close();
    }
  });

  it('names images that no token reaches since SPACE_CLAIM was set', async () => {
    const service = await folder.start();
    await folder.images(service).upload(new File([new Uint8Array(tinyPng(1))], 'cat.png'));
    await service.process.stop();
    const { code, stdout } = await examine({ env: () => ({ SPACE_CLAIM: 'sub' }) });

    expect(stdout).to.include('no token reaches 1 image of the space without a name');
    expect(code).to.equal(0);
  });

  it('prints a line of JSON for each check', async () => {
    const { stdout } = await examine({}, ['--format', 'json']);

    const lines = stdout
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as Record<string, unknown>);
    expect(lines.map(({ section }) => section)).to.include.members([
      'configuration',
      'identity provider',
      'decoders',
      'storage',
    ]);
    for (const { level, text } of lines) {
      expect(level).to.be.oneOf(['ok', 'hint']);
      expect(text).to.be.a('string');
    }
  });
}

async function filesIn(path: string): Promise<readonly string[]> {
  const entries = await readdir(path, { recursive: true, withFileTypes: true });
  return entries
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => join(parentPath, name))
    .toSorted();
}

async function runDoctor(
  cwd: string,
  args: readonly string[],
  input: string,
  env: Environment,
): Promise<CommandResult> {
  return await new Promise((resolve) => {
    const options = { cwd, env: { PATH: process.env.PATH, ...env } };
    const child = execFile(process.execPath, [SERVICE, 'doctor', ...args], options, (_, stdout, stderr) => {
      resolve({ code: child.exitCode, stdout, stderr });
    });
    child.stdin?.on('error', () => {}).end(input);
  });
}
