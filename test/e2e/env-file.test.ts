import { execFile, spawnSync } from 'node:child_process';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { parseEnv, promisify } from 'node:util';
import { expect } from 'chai';
import { type TemporaryFolder, temporaryFolder } from '../support/fixtures/temporary-folder.ts';
import { runInThisProcess } from '../support/servers/command-in-process.ts';
import { json, ScriptedServer } from '../support/servers/scripted-server.ts';
import { ServiceFolder } from '../support/servers/service-folder.ts';
import { isInstalled } from '../support/skipped/is-installed.ts';
import { skipAloud } from '../support/skipped/skip-aloud.ts';

const AUDIENCE = 'my images; a=b & (c) ü %s ~!{x} [y] <z> | *';

let folder: TemporaryFolder;
let written: string;

/** What Node.js, and so the service itself, reads. */
function values(): Readonly<Record<string, string | undefined>> {
  return { ...parseEnv(written) };
}

async function init(...args: readonly string[]): Promise<void> {
  const options = ['--provider', 'auth0', '--issuer', 'https://id.example.com/a/', ...args];
  const { code, stderr } = await runInThisProcess(
    ['init', '--yes', '--offline', '--force', ...options],
    {},
    folder.path,
  );
  expect([code, stderr]).to.deep.equal([0, '']);
  written = await readFile(join(folder.path, '.env'), 'utf8');
}

/** The variables that the Docker client sends to the daemon. */
async function readByDocker(): Promise<Readonly<Record<string, string>>> {
  const daemon = await ScriptedServer.start(json(200, {}), json(409, { message: 'seen' }));
  try {
    const args = ['-H', daemon.url.replace('http:', 'tcp:'), 'create', '--env-file', '.env', 'image'];
    await promisify(execFile)('docker', args, { cwd: folder.path }).catch(() => undefined);
    const request = daemon.seen.find(({ url }) => url.endsWith('/containers/create'));
    const { Env } = JSON.parse(String(request?.body)) as { readonly Env: readonly string[] };
    return Object.fromEntries(Env.map((line) => [line.split('=', 1)[0], line.replace(/^[^=]*=/, '')]));
  } finally {
    await daemon.stop();
  }
}

/**
 * systemd-tmpfiles reads etc/os-release with the function that also reads an EnvironmentFile (src/basic/env-file.c), and `%B` is
 * BUILD_ID there. A running systemd is not needed.
 */
async function readBySystemd(variable: string): Promise<string> {
  const root = join(folder.path, 'root');
  await mkdir(join(root, 'etc'), { recursive: true });
  await writeFile(join(root, 'etc/os-release'), written.replace(`\n${variable}=`, '\nBUILD_ID='));
  await writeFile(join(root, 'read.conf'), 'f+ /read 0644 - - - %B');
  spawnSync('systemd-tmpfiles', [`--root=${root}`, '--create', join(root, 'read.conf')]);
  return await readFile(join(root, 'read'), 'utf8');
}

describe('The .env that init writes', () => {
  before(async () => {
    folder = await temporaryFolder();
    await init('--audience', AUDIENCE, '--client', 'gallery');
  });

  after(() => folder.remove());

  it('has the same values for Node.js as were given', () => {
    expect(values()).to.include({
      IDP_AUDIENCE: AUDIENCE,
      IDP_DOMAIN: 'https://id.example.com/a/',
      WEB_SCOPE: 'openid offline_access',
    });
  });

  it('has the same values for docker run --env-file', async function () {
    if (!isInstalled('docker')) skipAloud(this, 'docker is not installed');

    expect(await readByDocker()).to.deep.equal(values());
  });

  for (const variable of ['IDP_DOMAIN', 'IDP_AUDIENCE', 'WEB_SCOPE', 'WEB_PORT']) {
    it(`has the same value of ${variable} for systemd`, async function () {
      if (!isInstalled('systemd-tmpfiles')) skipAloud(this, 'systemd-tmpfiles is not installed');

      expect(await readBySystemd(variable)).to.equal(values()[variable]);
    });
  }
});

describe('The built service with a .env in UTF-16', () => {
  it('reads it, and warns about a misspelt variable', async () => {
    const catalog = await ServiceFolder.open();
    try {
      const text = '\ufeffWEB_TITLE=Cats\r\nSCOPE_DELTE=images:delete\r\nSCOPE_READ=none\r\n';
      await writeFile(join(catalog.path, '.env'), Buffer.from(text, 'utf16le'));

      const service = await catalog.start();
      const response = await catalog.client(service).read('/api/images');

      expect(response.status).to.equal(403);
      const warning = /SCOPE_DELTE in \.env has no effect, because .*: write SCOPE_DELETE if that is meant/;
      expect(service.process.stdout).to.match(warning);
    } finally {
      await catalog.close();
    }
  });
});
