import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { parseEnv } from 'node:util';
import { expect } from 'chai';
import { type TemporaryFolder, temporaryFolder } from '../support/fixtures/temporary-folder.ts';
import { type CommandResult, runInThisProcess } from '../support/servers/command-in-process.ts';
import { json, ScriptedServer, type Step } from '../support/servers/scripted-server.ts';

const HOSTILE = '"\nNODE_OPTIONS=--require=/tmp/code.cjs\nHOST=0.0.0.0\n#';

/** Fields of the document instead of the right ones, by what is wrong with them. */
const HOSTILE_FIELDS: Readonly<Record<string, (issuer: string) => object>> = {
  'a jwks_uri with lines of its own': (issuer) => ({ jwks_uri: `${issuer}keys${HOSTILE}` }),
  'a jwks_uri with a carriage return': (issuer) => ({ jwks_uri: `${issuer}keys\rHOST=0.0.0.0` }),
  'a jwks_uri that a shell would expand': (issuer) => ({ jwks_uri: `${issuer}$(id)` }),
  'a jwks_uri without TLS': () => ({ jwks_uri: 'http://id.example.com/keys' }),
  'a jwks_uri that is no address': () => ({ jwks_uri: 'keys' }),
  'a jwks_uri of code': () => ({ jwks_uri: 'javascript:alert(1)' }),
  'a jwks_uri that is no text': () => ({ jwks_uri: { toString: 'keys' } }),
  'another issuer': () => ({ issuer: 'https://id.example.com/' }),
  'an issuer without a tenant': (issuer) => ({ issuer: `${issuer}{tenantid}/` }),
  'an issuer that begins alike': (issuer) => ({ issuer: `${issuer}other/` }),
  'an issuer with lines of its own': (issuer) => ({ issuer: `${issuer}${HOSTILE}` }),
  'an issuer with a line feed that URL ignores': (issuer) => ({ issuer: `${issuer}\n` }),
};

const RESPONSES: Readonly<Record<string, Step>> = {
  'a redirect to another origin': (response) =>
    response.writeHead(302, { location: 'https://id.example.com/' }).end(),
  'a redirect to another port': (response) =>
    response.writeHead(307, { location: 'http://127.0.0.1:1/.well-known/openid-configuration' }).end(),
  'redirects without an end': (response) => response.writeHead(302, { location: '/again' }).end(),
  'an address that is none': (response) => response.writeHead(302, { location: 'http://[/' }).end(),
  'a document that is not JSON': (response) => response.end('\u001b[2Jissuer'),
  'a document without an object': json(200, null),
  'a document of a megabyte': (response) => response.end(`{"a": "${'a'.repeat(1024 * 1024)}"}`),
  'an error': json(500, {}),
};

let folder: TemporaryFolder;
let provider: ScriptedServer;

async function initWith(...steps: readonly Step[]): Promise<CommandResult> {
  provider = await ScriptedServer.start(...steps);
  const args = ['init', '--yes', '--audience', 'images', '--issuer', `${provider.url}/`];
  return await runInThisProcess(args, {}, folder.path);
}

/** A document whose fields depend on the address of the server. */
function discovery(fields: (issuer: string) => object): Step {
  return (response, seen) => {
    const issuer = `http://${seen.headers.host}/`;
    json(200, { issuer, jwks_uri: `${issuer}keys`, ...fields(issuer) })(response, seen);
  };
}

async function written(): Promise<object> {
  return { ...parseEnv(await readFile(join(folder.path, '.env'), 'utf8')) };
}

describe('image-catalog init, reading the discovery document of a provider,', () => {
  beforeEach(async () => {
    folder = await temporaryFolder();
  });

  afterEach(async () => {
    await provider.stop();
    await folder.remove();
  });

  for (const [what, fields] of Object.entries(HOSTILE_FIELDS)) {
    it(`writes nothing for ${what}`, async () => {
      const { code, stdout, stderr } = await initWith(discovery(fields));

      expect([code, stdout]).to.be.deep.oneOf([
        [69, ''],
        [78, ''],
      ]);
      expect(stderr).to.match(/^Nothing was written, because [^\p{Cc}]+\n$/u);
      expect(await readdir(folder.path)).to.deep.equal([]);
    });
  }

  for (const [what, step] of Object.entries(RESPONSES)) {
    it(`writes nothing after ${what}`, async () => {
      const { code, stderr } = await initWith(step);

      expect(code).to.equal(69);
      expect(stderr).to.match(/^Nothing was written, because [^\p{Cc}]+\n$/u);
      expect(await readdir(folder.path)).to.deep.equal([]);
    });
  }

  it('follows a redirect within the origin', async () => {
    const redirect: Step = (response) => response.writeHead(308, { location: '/moved' }).end();

    expect(
      (
        await initWith(
          redirect,
          discovery(() => ({})),
        )
      ).code,
    ).to.equal(0);
    expect(provider.seen.map(({ url }) => url)).to.deep.equal([
      '/.well-known/openid-configuration',
      '/moved',
    ]);
  });

  it('takes the address of the document for the issuer', async () => {
    const document = discovery(() => ({}));
    provider = await ScriptedServer.start(document);
    const args = ['init', '--yes', '--audience', 'images', '--issuer'];
    const address = `${provider.url}/.well-known/openid-configuration`;

    const { code, stderr } = await runInThisProcess([...args, address], {}, folder.path);

    expect(code, stderr).to.equal(0);
    expect(provider.seen.map(({ url }) => url)).to.deep.equal(['/.well-known/openid-configuration']);
    expect(await written()).to.include({ IDP_DOMAIN: `${provider.url}/` });
  });

  it('writes exactly what the document says, with the slash of its issuer and its other address of keys', async () => {
    const keys = 'https://keys.example.net/v2.0/keys?p=policy&v=1';

    const { code } = await initWith(
      discovery((issuer) => ({ issuer: issuer.replace(/\/$/, ''), jwks_uri: keys })),
    );

    expect(code).to.equal(0);
    expect(await written()).to.deep.equal({
      IDP_DOMAIN: `${provider.url}/`,
      IDP_ISSUER: provider.url,
      IDP_JWKS_URI: keys,
      IDP_AUDIENCE: 'images',
      WEB_PORT: '3002',
      WEB_SCOPE: 'openid offline_access',
      TRASH_DAYS: '30',
    });
  });

  it('writes the issuer of access tokens, and the origin of a token endpoint on another host', async () => {
    const { code } = await initWith(
      discovery(() => ({
        access_token_issuer: 'http://id.example.com/trust',
        token_endpoint: 'https://login.example.com/oauth2/token',
      })),
    );

    expect(code).to.equal(0);
    expect(await written()).to.include({
      IDP_ISSUER: 'http://id.example.com/trust',
      WEB_CONNECT_ORIGINS: 'https://login.example.com',
    });
  });

  it('leaves out what a document says in a form that the file cannot hold', async () => {
    await initWith(
      discovery(() => ({ access_token_issuer: `x${HOSTILE}`, token_endpoint: `https://"${HOSTILE}/` })),
    );

    expect(await written()).to.not.include.any.keys('IDP_ISSUER', 'WEB_CONNECT_ORIGINS', 'NODE_OPTIONS');
  });
});
