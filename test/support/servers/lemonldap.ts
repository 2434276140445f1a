import { execFileSync } from 'node:child_process';
import { generateKeyPairSync } from 'node:crypto';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { temporaryFolder } from '../fixtures/temporary-folder.ts';
import { isInstalled } from '../skipped/is-installed.ts';
import { lastingPort } from './lasting-port.ts';
import { ServerProgram } from './server-program.ts';
import { unprivilegedOwner } from './unprivileged-owner.ts';

/** Of Debian's packages. */
const PORTAL = '/usr/share/lemonldap-ng/portal';

const PLACES = ['conf', 'cache', 'sessions/lock', 'psessions/lock'];

/** LemonLDAP::NG as an OpenID Connect provider, from its Debian packages: people sign in with the name as the password. */
export class LemonLdap {
  /** Of client credentials. */
  static readonly worker = { clientId: 'worker', clientSecret: 'worker-secret', scope: 'images:write' };
  static readonly galleryClientId = 'gallery';
  static readonly audience = 'image-catalog';
  static readonly person = 'dwho';

  private constructor(
    readonly issuer: string,
    private readonly server: ServerProgram,
    private readonly removeFolder: () => Promise<void>,
  ) {}

  /** Whether the packages with the portal, and what its OpenID Connect needs, are installed. */
  static isInstalled(): boolean {
    return (
      isInstalled('plackup') &&
      isInstalled('perl', ['-e', 'use Lemonldap::NG::Portal::Issuer::OpenIDConnect'])
    );
  }

  /** @param galleryUrl where people return to */
  static async start(galleryUrl: string): Promise<LemonLdap> {
    const folder = await temporaryFolder();
    const port = await lastingPort();
    const issuer = `http://127.0.0.1:${port}/`;
    for (const place of PLACES) await mkdir(join(folder.path, place), { recursive: true });
    const files = filesOf(folder.path, issuer, galleryUrl);
    for (const [name, text] of Object.entries(files)) await writeFile(join(folder.path, name), text);
    const owner = unprivilegedOwner() ?? {};
    if (owner.uid !== undefined) execFileSync('chown', ['-R', `${owner.uid}:${owner.gid}`, folder.path]);
    const address = ['--host', '127.0.0.1', '--port', String(port)];
    // A browser opens connections ahead of its requests: each takes a worker until it is used.
    const workers = ['-s', 'Starman', '--workers', '4'];
    const args = ['-E', 'deployment', ...workers, ...address, join(folder.path, 'portal.psgi')];
    const env = { ...process.env, LLNG_DEFAULTCONFFILE: join(folder.path, 'lemonldap-ng.ini') };
    const server = await ServerProgram.start('plackup', args, port, { ...owner, env });
    return new LemonLdap(issuer, server, () => folder.remove());
  }

  /** What it has logged. */
  get log(): string {
    return this.server.errors;
  }

  async stop(): Promise<void> {
    await this.server.stop();
    await this.removeFolder();
  }
}

function filesOf(folder: string, issuer: string, galleryUrl: string): Readonly<Record<string, string>> {
  const configuration = { ...portalOf(folder, issuer), ...openIdConnect(), ...clientsOf(galleryUrl) };
  return {
    'conf/lmConf-1.json': JSON.stringify(configuration),
    'lemonldap-ng.ini': `[all]
logger = Lemonldap::NG::Common::Logger::Std
userLogger = Lemonldap::NG::Common::Logger::Std
logLevel = warn
[configuration]
type = File
dirName = ${folder}/conf
localStorage = Cache::FileCache
localStorageOptions = { 'namespace' => 'conf', 'cache_root' => '${folder}/cache', 'default_expires_in' => 600 }
[portal]
staticPrefix = /static
templateDir = ${PORTAL}/templates
languages = en
`,
    // In place of the web server that the packages have a configuration for.
    'portal.psgi': `use Plack::Builder;
use Lemonldap::NG::Portal::Main;
builder {
  enable 'Static', path => sub { s!^/static/!! }, root => '${PORTAL}/htdocs/static';
  enable 'Static', path => sub { s!^/javascript/!! }, root => '/usr/share/javascript';
  Lemonldap::NG::Portal::Main->run({});
};
`,
  };
}

function portalOf(folder: string, issuer: string): object {
  const session = 'Lemonldap::NG::Common::Apache::Session';
  const files = (name: string): object => ({
    Directory: join(folder, name),
    LockDirectory: join(folder, name, 'lock'),
    generateModule: `${session}::Generate::SHA256`,
  });
  return {
    cfgNum: 1,
    // It starts only with a date and an author.
    cfgDate: 1_700_000_000,
    cfgAuthor: 'test',
    portal: issuer,
    domain: '127.0.0.1',
    locationRules: { '127.0.0.1': { default: 'accept' } },
    key: 'sixteen letters.',
    // The people of its demonstration; everything that would send mail is off.
    authentication: 'Demo',
    userDB: 'Same',
    passwordDB: 'Null',
    registerDB: 'Null',
    portalDisplayRegister: 0,
    portalDisplayResetPassword: 0,
    demoExportedVars: { cn: 'cn', uid: 'uid' },
    whatToTrace: 'uid',
    globalStorage: 'Apache::Session::File',
    globalStorageOptions: files('sessions'),
    localSessionStorage: 'Cache::FileCache',
    localSessionStorageOptions: { namespace: 'sessions', cache_root: join(folder, 'cache') },
    persistentStorage: 'Apache::Session::File',
    persistentStorageOptions: files('psessions'),
  };
}

function openIdConnect(): object {
  const { privateKey, publicKey } = generateKeyPairSync('rsa', {
    modulusLength: 2048,
    publicKeyEncoding: { type: 'spki', format: 'pem' },
    privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
  });
  return {
    issuerDBOpenIDConnectActivation: 1,
    oidcServiceAllowAuthorizationCodeFlow: 1,
    oidcServicePrivateKeySig: privateKey,
    oidcServicePublicKeySig: publicKey,
    oidcServiceKeyIdSig: 'first',
  };
}

function clientsOf(galleryUrl: string): object {
  const { worker, galleryClientId, audience } = LemonLdap;
  const tokens = {
    oidcRPMetaDataOptionsAccessTokenJWT: 1,
    oidcRPMetaDataOptionsAccessTokenSignAlg: 'RS256',
    oidcRPMetaDataOptionsIDTokenSignAlg: 'RS256',
    oidcRPMetaDataOptionsAdditionalAudiences: audience,
  };
  return {
    oidcRPMetaDataExportedVars: { gallery: { name: 'cn' }, worker: {} },
    oidcRPMetaDataOptions: {
      gallery: {
        ...tokens,
        oidcRPMetaDataOptionsClientID: galleryClientId,
        oidcRPMetaDataOptionsPublic: 1,
        oidcRPMetaDataOptionsRequirePKCE: 1,
        oidcRPMetaDataOptionsRefreshToken: 1,
        oidcRPMetaDataOptionsBypassConsent: 1,
        oidcRPMetaDataOptionsRedirectUris: galleryUrl,
        oidcRPMetaDataOptionsPostLogoutRedirectUris: galleryUrl,
      },
      worker: {
        ...tokens,
        oidcRPMetaDataOptionsClientID: worker.clientId,
        oidcRPMetaDataOptionsClientSecret: worker.clientSecret,
        oidcRPMetaDataOptionsAllowClientCredentialsGrant: 1,
      },
    },
  };
}
