import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from 'chai';
import { pngPicture } from '../support/fixtures/pictures.ts';
import { signToken } from '../support/fixtures/tokens.ts';
import { CatalogClient } from '../support/http/catalog-client.ts';
import { CompanyNetwork } from '../support/servers/company-network.ts';
import { nodeOfVersion } from '../support/servers/node-versions.ts';
import { ServiceFolder } from '../support/servers/service-folder.ts';
import { isInstalled } from '../support/skipped/is-installed.ts';
import { describeIf } from '../support/skipped/skip-aloud.ts';
import { eventually } from '../support/time/eventually.ts';
import { LONG_TEST_MS } from '../support/time/hang-guard.ts';

/** CI fetches versions in a step of its own. Otherwise the service runs in the version of the tests. */
const VERSIONS: ReadonlyArray<string | undefined> = process.env.NETWORK_NODE_VERSIONS?.split(',') ?? [
  undefined,
];
const AUDIENCE = 'https://images.example.test/api';
const SECRET = `whsec_${Buffer.alloc(32, 'k').toString('base64')}`;

const describeWithOpenssl = describeIf(isInstalled('openssl', ['version']), 'openssl is not installed');

describeWithOpenssl('The built service in a network with a proxy and a private certificate', function () {
  this.timeout(LONG_TEST_MS);
  for (const version of VERSIONS) {
    const major = Number((version ?? process.versions.node).split('.')[0]);
    describe(`in Node.js ${version ?? process.version}`, () => {
      if (major >= 22) usesBoth(version);
      else refusesOrWarns(version);
    });
  }
});

let folder: ServiceFolder;
let network: CompanyNetwork;
let through: readonly string[];

/** Variables of the machine that do not count here. */
const NETWORK_VARIABLES = ['NODE_EXTRA_CA_CERTS', 'HTTPS_PROXY', 'https_proxy', 'NO_PROXY', 'no_proxy'];

function prepare(version: string | undefined): void {
  const kept = process.env;

  after(() => {
    process.env = kept;
  });

  before(async () => {
    const others = Object.entries(kept).filter(([name]) => !NETWORK_VARIABLES.includes(name));
    process.env = Object.fromEntries(others);
    through = ['sh', '-c', 'shift; exec "$0" "$@"', await nodeOfVersion(version)];
  });

  beforeEach(async () => {
    folder = await ServiceFolder.open();
    network = await CompanyNetwork.start(folder.path);
  });

  afterEach(async () => {
    await folder.close();
    await network.stop();
  });
}

async function writeEnv(variables: Readonly<Record<string, string>>): Promise<void> {
  const lines = Object.entries(variables).map(([name, value]) => `${name}=${value}\n`);
  await writeFile(join(folder.path, '.env'), lines.join(''));
}

async function run(args: readonly string[], env = {}): Promise<{ code: number | null; output: string }> {
  const command = folder.spawnCommand(args, env, folder.path, through);
  const { code } = await command.exited;
  return { code, output: command.stdout + command.stderr };
}

function usesBoth(version: string | undefined): void {
  prepare(version);

  function inEnvFile(): Readonly<Record<string, string>> {
    return {
      NODE_EXTRA_CA_CERTS: 'company.pem',
      HTTPS_PROXY: network.proxy,
      IDP_DOMAIN: 'https://keys.invalid/',
      IDP_AUDIENCE: AUDIENCE,
    };
  }

  it('fetches keys and calls webhooks through the proxy that .env names', async () => {
    await writeEnv({ ...inEnvFile(), WEBHOOK_URLS: 'https://hooks.invalid/', WEBHOOK_SECRETS: SECRET });
    const service = await folder.start({ IDP_DOMAIN: 'https://keys.invalid/' }, { through });
    const exp = Math.floor(Date.now() / 1000) + 3600;
    const claims = { iss: 'https://keys.invalid/', aud: AUDIENCE, sub: 'alice', exp };
    const client = new CatalogClient(service.url, signToken(claims, network.signingKey));
    await client.upload(new Uint8Array(await pngPicture()), 'cat.png');

    const tunnels = await eventually(
      () => Promise.resolve(network.tunnels),
      (seen) => seen.includes('hooks.invalid:443'),
    );
    expect(tunnels).to.include.members(['keys.invalid:443', 'hooks.invalid:443']);
  });

  it('reaches the store through the proxy', async () => {
    const store = 's3://images?endpoint=https://store.invalid&region=x&forcePathStyle=true';
    await writeEnv(inEnvFile());
    const { code, output } = await run([], {
      BLOB_STORE_URL: store,
      STAGING_URL: `file:${folder.path}/staging`,
      AWS_ACCESS_KEY_ID: 'x',
      AWS_SECRET_ACCESS_KEY: 'y',
    });

    expect([code, network.tunnels]).to.deep.include(78).and.to.deep.include(['store.invalid:443']);
    expect(output).to.match(/403/);
  });

  it('lets doctor read the keys, and does not ask the proxy for hosts of NO_PROXY', async () => {
    await writeEnv(inEnvFile());
    expect((await run(['doctor'])).output).to.match(/1 of 1 published keys verify RS256/);
    expect(network.tunnels).to.have.length(2);

    await run(['doctor'], { NO_PROXY: '.invalid' });
    expect(network.tunnels).to.have.length(2);
  });

  it('refuses a proxy that is none', async () => {
    await writeEnv({ ...inEnvFile(), HTTPS_PROXY: 'socks5://user:secret@127.0.0.1:1' });
    const { code, output } = await run([]);

    expect(code).to.equal(78);
    expect(output)
      .to.match(/HTTPS_PROXY must be the URL of a proxy for HTTP/)
      .and.not.to.match(/secret/);
  });

  it('refuses certificates that cannot be read', async () => {
    await writeEnv({ ...inEnvFile(), NODE_EXTRA_CA_CERTS: 'missing.pem' });
    expect((await run([])).output).to.match(/missing\.pem cannot be used \(ENOENT\)/);
    await writeEnv({ ...inEnvFile(), NODE_EXTRA_CA_CERTS: '.env' });
    expect((await run([])).output).to.match(/\.env has none/);
  });
}

function refusesOrWarns(version: string | undefined): void {
  prepare(version);

  it('refuses NODE_EXTRA_CA_CERTS in .env with one sentence', async () => {
    await writeEnv({ NODE_EXTRA_CA_CERTS: 'company.pem' });
    const { code, output } = await run([]);

    expect(code).to.equal(78);
    expect(output).to.match(
      /NODE_EXTRA_CA_CERTS has no effect in \.env, because .* reads it only when it starts/,
    );
    expect((await run(['doctor'])).output).to.match(/PROBLEM {2}NODE_EXTRA_CA_CERTS has no effect in \.env/);
  });

  it('trusts the certificates that the environment of the process names', async () => {
    await writeEnv({ NODE_EXTRA_CA_CERTS: network.certificate });
    const env = { NODE_EXTRA_CA_CERTS: network.certificate };

    expect((await run(['doctor'], env)).output).not.to.match(/NODE_EXTRA_CA_CERTS/);
  });

  it('warns that a proxy is not used', async () => {
    await writeEnv({ HTTPS_PROXY: network.proxy });

    expect((await run(['doctor'])).output).to.match(/HTTPS_PROXY is set, and Node\.js .* cannot use it/);
    expect(network.tunnels).to.deep.equal([]);
  });
}
