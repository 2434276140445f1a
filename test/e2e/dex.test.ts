import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from 'chai';
import { parse } from 'yaml';
import { type Config, parseConfig, variableNames } from '../../src/infrastructure/config/config.ts';
import { PROJECT_FOLDER } from '../support/servers/service-process.ts';

const FOLDER = join(PROJECT_FOLDER, 'deploy/dex');

/** Another one makes Dex refuse the request (https://dexidp.io/docs/configuration/custom-scopes-claims-clients/). */
const SCOPES_OF_DEX = ['openid', 'email', 'profile', 'groups', 'offline_access'];

interface Service {
  readonly environment: Readonly<Record<string, string>>;
  readonly volumes: readonly string[];
  readonly ports?: readonly string[];
  readonly network_mode?: string;
}

interface Dex {
  readonly issuer: string;
  readonly storage: { readonly config: { readonly file: string } };
  readonly web: { readonly http: string; readonly allowedOrigins: readonly string[] };
  readonly staticClients: readonly object[];
  readonly staticPasswords: ReadonlyArray<{ readonly hashFromEnv: string }>;
}

async function read<T>(file: string): Promise<T> {
  return parse(await readFile(join(FOLDER, file), 'utf8')) as T;
}

/** Without the containers: what the files say of each other. */
describe('deploy/dex', () => {
  let services: Readonly<Record<'dex' | 'catalog', Service>>;
  let dex: Dex;
  let config: Config;

  before(async () => {
    ({ services } = await read<{ services: typeof services }>('compose.yaml'));
    dex = await read('config.yaml');
    config = parseConfig(services.catalog.environment);
  });

  it('sets only variables of the service, with the issuer and the keys of Dex', () => {
    expect(variableNames()).to.include.members(Object.keys(services.catalog.environment));
    expect(config.idp).to.include({ issuer: dex.issuer, jwksUri: `${dex.issuer}/keys` });
  });

  it('has the gallery as a public client, with all of its addresses', () => {
    const { url = '', clientId, scope } = config.web;

    expect(dex.staticClients).to.deep.equal([
      {
        id: clientId,
        name: 'Image Catalog',
        public: true,
        redirectURIs: [url, `${url}docs/oauth2-redirect.html`],
      },
    ]);
    expect(config.idp.audience).to.equal(clientId);
    expect(dex.web.allowedOrigins).to.deep.equal([new URL(url).origin]);
    expect(SCOPES_OF_DEX).to.include.members(scope.split(' '));
  });

  it('publishes on loopback alone what the service and Dex listen on, in one network', () => {
    const { listener, web } = config;
    const listens = [new URL(dex.issuer).port, listener.port, web.listener?.port];

    expect(services.catalog.network_mode).to.equal('service:dex');
    expect(services.dex.ports).to.deep.equal(listens.map((port) => `127.0.0.1:${port}:${port}`));
    expect(dex.web.http).to.equal(`0.0.0.0:${new URL(dex.issuer).port}`);
  });

  it('mounts files that exist, keeps the state of Dex, and takes the password from the environment', () => {
    const [file, state] = services.dex.volumes.map((volume) => volume.split(':'));

    expect(existsSync(join(FOLDER, file?.[0] ?? ''))).to.equal(true);
    expect(dex.storage.config.file.startsWith(`${state?.[1]}/`)).to.equal(true);
    expect(Object.keys(services.dex.environment)).to.deep.equal(
      dex.staticPasswords.map(({ hashFromEnv }) => hashFromEnv),
    );
  });
});
