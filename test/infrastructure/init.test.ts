import { lstat, mkdir, readdir, readFile, stat, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { parseEnv } from 'node:util';
import { expect } from 'chai';
import { parse } from 'yaml';
import { PROVIDERS } from '../../src/infrastructure/commands/init/providers.ts';
import { parseConfig } from '../../src/infrastructure/config/config.ts';
import { type TemporaryFolder, temporaryFolder } from '../support/fixtures/temporary-folder.ts';
import { type CommandResult, runInThisProcess } from '../support/servers/command-in-process.ts';

const OFFLINE = ['--yes', '--offline', '--audience', 'images'];
const PLACEHOLDER = /[A-Z][A-Z_]+/g;

const REFUSED_ANSWERS = [
  ['an issuer without TLS', '--issuer', 'http://id.example.com/'],
  ['an issuer with a line feed, which URL ignores', '--issuer', 'https://id.example.com/\nHOST=0.0.0.0/'],
  ['an issuer with a quote, which URL encodes', '--issuer', 'https://id.example.com/"/'],
  ['an issuer with a query', '--issuer', 'https://id.example.com/?a=b'],
  ['an issuer with braces', '--issuer', 'https://login.microsoftonline.com/{tenantid}/v2.0'],
  ['an address of keys without TLS', '--keys', 'http://id.example.com/keys'],
  ['an audience of two lines', '--audience', 'images\nHOST=0.0.0.0'],
  ['an audience with a carriage return', '--audience', 'images\rHOST=0.0.0.0'],
  ['a client with a quote', '--client', 'gallery"'],
] as const;

let folder: TemporaryFolder;

async function init(...args: readonly string[]): Promise<CommandResult> {
  return await runInThisProcess(['init', ...args], {}, folder.path);
}

async function text(name: string): Promise<string> {
  return await readFile(join(folder.path, name), 'utf8');
}

async function written(): Promise<ReturnType<typeof parseConfig>> {
  return parseConfig({ ...parseEnv(await text('.env')) });
}

describe('image-catalog init', () => {
  beforeEach(async () => {
    folder = await temporaryFolder();
  });

  afterEach(() => folder.remove());

  for (const [provider, { issuer: form, keys }] of Object.entries(PROVIDERS)) {
    it(`writes what the service needs for an issuer of ${provider}`, async () => {
      const issuer = form.replaceAll(PLACEHOLDER, (word) => word.toLowerCase().replaceAll('_', '-'));

      const { code, stderr } = await init(...OFFLINE, '--provider', provider, '--issuer', issuer);

      const { idp, web } = await written();
      expect([code, stderr]).to.deep.equal([0, '']);
      expect(idp).to.include({ issuer, audience: 'images' });
      expect(idp.jwksUri).to.equal(new URL(keys, idp.domain).href);
      expect(web.listener?.port).to.equal(3002);
      expect(web.clientId).to.equal(undefined);
    });
  }

  it('writes the client of the gallery, and a file that its owner alone may read', async () => {
    await init(...OFFLINE, '--issuer', 'https://id.example.com/', '--client', 'my gallery');

    expect((await written()).web.clientId).to.equal('my gallery');
    expect((await stat(join(folder.path, '.env'))).mode & 0o777).to.equal(0o600);
    expect(await readdir(folder.path)).to.deep.equal(['.env']);
  });

  it('writes a Compose file whose paths are those of the package', async () => {
    await init(...OFFLINE, '--issuer', 'https://id.example.com/', '--files', 'compose');

    const { services } = parse(await text('compose.yaml')) as {
      readonly services: {
        readonly catalog: {
          readonly command: readonly string[];
          readonly volumes: readonly string[];
          readonly env_file: readonly string[];
        };
      };
    };
    const [packages = '', inContainer = ''] = services.catalog.volumes[0]?.split(':') ?? [];
    const program = services.catalog.command[1]?.replace(inContainer, packages) ?? '';
    expect((await stat(program)).isFile()).to.equal(true);
    expect(services.catalog.env_file).to.deep.equal(['.env']);
  });

  it('replaces no file unless it is told to', async () => {
    await writeFile(join(folder.path, 'compose.yaml'), 'mine');
    const args = [...OFFLINE, '--issuer', 'https://id.example.com/', '--files', 'compose'];

    const refused = await init(...args);

    expect([refused.code, refused.stdout]).to.deep.equal([73, '']);
    expect(refused.stderr).to.match(/^Nothing was written, because compose\.yaml exists here .*--force.*\n$/);
    expect(await readdir(folder.path)).to.deep.equal(['compose.yaml']);
    expect((await init(...args, '--force')).code).to.equal(0);
    expect(await text('compose.yaml')).to.include('services:');
  });

  it('writes no file if one of them cannot be written', async () => {
    await mkdir(join(folder.path, 'compose.yaml'));
    const args = [...OFFLINE, '--issuer', 'https://id.example.com/', '--files', 'compose', '--force'];

    const { code, stderr } = await init(...args);

    expect(code).to.equal(78);
    expect(stderr).to.match(/^Nothing was written, because \S+compose\.yaml is a folder: .*\n$/);
    expect(await readdir(folder.path)).to.deep.equal(['compose.yaml']);
  });

  it('follows no symbolic link, and uses no file that was there under the name of a part', async () => {
    const [linked, own] = [join(folder.path, 'linked'), join(folder.path, 'compose.yaml.part')];
    await writeFile(linked, 'mine');
    await writeFile(own, 'mine', { mode: 0o666 });
    for (const name of ['.env.part', '.env']) await symlink(linked, join(folder.path, name));
    const args = [...OFFLINE, '--issuer', 'https://id.example.com/', '--files', 'compose', '--force'];

    expect((await init(...args)).code).to.equal(0);
    const written = await lstat(join(folder.path, '.env'));
    expect([written.isFile(), written.mode & 0o777]).to.deep.equal([true, 0o600]);
    expect([await text('linked'), await text('compose.yaml.part')]).to.deep.equal(['mine', 'mine']);
  });

  for (const [what, option, value] of REFUSED_ANSWERS) {
    it(`writes nothing if it is given ${what}`, async () => {
      const { code, stderr } = await init(...OFFLINE, '--issuer', 'https://id.example.com/', option, value);

      expect(code).to.equal(64);
      expect(stderr).to.match(new RegExp(`^${option} must be `));
      expect(await readdir(folder.path)).to.deep.equal([]);
    });
  }

  it('writes nothing if the provider cannot be reached', async () => {
    const issuer = 'http://127.0.0.1:1/';

    const { code, stderr } = await init('--yes', '--audience', 'images', '--issuer', issuer);

    expect(code).to.equal(69);
    expect(stderr).to.match(
      /^Nothing was written, because http:\S+ cannot be read .*: check the host name.*\n$/,
    );
    expect(await readdir(folder.path)).to.deep.equal([]);
  });
});

describe('The values that image-catalog init writes', () => {
  beforeEach(async () => {
    folder = await temporaryFolder();
  });

  afterEach(() => folder.remove());

  for (const value of ['a"b', "it's", 'a\\b', 'a`b', 'pa$$word', 'images#1', 'a\nb']) {
    it(`refuses the audience ${JSON.stringify(value)}, which readers of .env read differently`, async () => {
      const args = ['--yes', '--offline', '--issuer', 'https://id.example.com/', '--audience', value];

      const { code, stderr } = await init(...args);

      expect(code).to.equal(64);
      expect(stderr).to.match(/^--audience must be a text without quotes, .*number signs/);
      expect(await readdir(folder.path)).to.deep.equal([]);
    });
  }

  it('refuses an address that readers of .env read differently', async () => {
    const { code, stderr } = await init(...OFFLINE, '--issuer', 'https://id.example.com/$tenant/');

    expect(code).to.equal(64);
    expect(stderr).to.match(/^--issuer must be a text without .*dollar signs/);
    expect(await readdir(folder.path)).to.deep.equal([]);
  });

  it('reads no discovery document if it is given the address of the keys', async () => {
    const keys = 'https://keys.example.com/jwks?app=1';
    const args = ['--yes', '--audience', 'images', '--issuer', 'https://id.invalid/', '--keys', keys];

    expect((await init(...args)).code).to.equal(0);
    expect((await written()).idp).to.include({ issuer: 'https://id.invalid/', jwksUri: keys });
  });

  it('writes the resource for a provider that needs it', async () => {
    const audience = 'https://images.example.com/';
    const args = ['--provider', 'logto', '--issuer', 'https://t1.logto.app/oidc', '--audience', audience];
    await init('--yes', '--offline', ...args);

    expect((await written()).web.resource).to.equal(audience);
  });

  it('publishes names only if it is asked to', async () => {
    await init(...OFFLINE, '--issuer', 'https://id.example.com/');
    expect(await text('.env')).to.include('\n# PUBLISH_NAMES=\n');

    await init(...OFFLINE, '--force', '--publish-names', '--issuer', 'https://id.example.com/');
    expect(await text('.env')).to.include('\nPUBLISH_NAMES=true\n');
  });

  it('writes values without quotes and without white space at their ends', async () => {
    await init('--yes', '--offline', '--issuer', ' https://id.example.com/ ', '--audience', '  my images ');

    expect(await text('.env')).to.include('\nIDP_AUDIENCE=my images\n');
    expect(await text('.env')).to.include('\nWEB_SCOPE=openid offline_access\n');
  });
});
