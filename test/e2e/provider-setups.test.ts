import { readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { parseEnv } from 'node:util';
import { expect } from 'chai';
import { DecoderPool } from '../../src/adapters/decoder/decoder-pool.ts';
import { parseConfig } from '../../src/infrastructure/config/config.ts';
import { type RunningService, startService } from '../../src/infrastructure/start/start-service.ts';
import { CapturedLog } from '../support/doubles/captured-log.ts';
import { replaceStart } from '../support/doubles/replaced-start.ts';
import { providerSetups } from '../support/fixtures/provider-setups/all-setups.ts';
import type { ProviderSetup } from '../support/fixtures/provider-setups/provider-setup.ts';
import { type TemporaryFolder, temporaryFolder } from '../support/fixtures/temporary-folder.ts';
import { type CommandResult, runInThisProcess } from '../support/servers/command-in-process.ts';
import { ProviderNetwork } from '../support/servers/provider-network.ts';
import { isInstalled } from '../support/skipped/is-installed.ts';
import { describeIf } from '../support/skipped/skip-aloud.ts';

type Env = Readonly<Record<string, string>>;

const SETUPS = providerSetups();

/** By set-up and token: what `doctor` advises if the service refuses the token. All other tokens are accepted. */
const ADVICE: Readonly<Record<string, RegExp>> = {
  'entra, v1 (requestedAccessTokenVersion null)': /^IDP_ISSUER=https:\/\/sts\.windows\.net\//m,
  'entra, Graph (nonce in header)': /request a scope of your own API/,
  'cognito, access (no aud)':
    /resource=5bsj\S+; or set IDP_AUDIENCE=5bsj\S+ and let a trigger "Pre token generation"/,
  'keycloak, default (aud account)':
    /^let a mapper "Audience" .* add image-catalog\. .*IDP_AUDIENCE=account: .*every client/m,
  'keycloak, ID token':
    /^IDP_AUDIENCE=gallery if that is this API, else request the token for image-catalog$/m,
  'okta, org server': /custom authorization server/,
  'google, access (opaque)': /^send the ID token/m,
  'zitadel, opaque (Bearer type)': /^request a token for this API/m,
  'authentik, no signing key (HS256 by the secret)': /with RS256$/m,
  'logto, default ES384': /with RS256$/m,
  'supabase, default ES256': /with RS256$/m,
  'supabase, legacy HS256': /with RS256$/m,
  'clerk, session (no aud)': /^make a JWT template in Clerk with the claim \{ "aud": "image-catalog" \}/m,
  'workos, access (no aud)': /^add "aud": "client_01" to the JWT template of WorkOS/m,
};

/** By set-up: what `init` advises if it is given the first address that people try, and what they give then. */
const SECOND_TRY: Readonly<Record<string, { readonly advice: RegExp; readonly args: readonly string[] }>> = {
  'entra common': {
    advice: /name your tenant in --issuer, as in https:\/\/login\.microsoftonline\.com\/TENANT_ID\/v2\.0/,
    args: ['--issuer', SETUPS['entra']?.issuer ?? ''],
  },
  'entra B2C': {
    advice:
      /"https:\/\/cats\.b2clogin\.com\/9122\S+\/v2\.0\/": .* --keys https:\/\/cats\.b2clogin\.com\/cats\.onmicrosoft\.com\/B2C_1_susi\/discovery\/v2\.0\/keys /,
    args: [
      '--issuer',
      'https://cats.b2clogin.com/9122040d-6c67-4c5b-b112-36a304b66dad/v2.0/',
      '--keys',
      'https://cats.b2clogin.com/cats.onmicrosoft.com/B2C_1_susi/discovery/v2.0/keys',
    ],
  },
  'entra External ID': {
    advice: /"https:\/\/9122\S+\.ciamlogin\.com\/9122\S+\/v2\.0": if you trust it, give it as --issuer/,
    args: [
      '--issuer',
      'https://9122040d-6c67-4c5b-b112-36a304b66dad.ciamlogin.com/9122040d-6c67-4c5b-b112-36a304b66dad/v2.0',
    ],
  },
};

const describeWithOpenssl = describeIf(isInstalled('openssl', ['version']), 'openssl is not installed');

let folder: TemporaryFolder;
let network: ProviderNetwork;
let restore: () => void;

describeWithOpenssl('The tokens of a provider set up as', () => {
  before(async () => {
    folder = await temporaryFolder();
    network = await ProviderNetwork.start(folder.path, SETUPS);
    restore = replaceStart(DecoderPool, async () => ({ isFrozen: true, hasOwnUser: true }));
  });

  after(async () => {
    restore();
    await network.stop();
    await folder.remove();
  });

  for (const [name, setup] of Object.entries(SETUPS)) {
    describe(name, () => {
      let env: Env;
      let service: RunningService;
      let url: string;

      before(async () => {
        const log = new CapturedLog();
        env = await initialize(name, setup);
        service = await startService(parseConfig(withStorage(env)), log.logger);
        const { port } = await log.entry(({ msg }) => msg === 'listening');
        url = `http://127.0.0.1:${String(port)}`;
      });

      after(() => service.stop());

      it('have settings from init with which doctor finds no problem', async () => {
        const { code, stdout } = await doctor(env);

        expect(code, stdout).to.equal(0);
      });

      for (const kind of Object.keys(setup.tokens)) {
        const advice = ADVICE[`${name}, ${kind}`];
        if (advice === undefined) it(`are accepted: ${kind}`, () => requireVerdict(kind, [200, 0]));
        else {
          it(`are refused, and doctor says what to change: ${kind}`, async () => {
            const { stdout } = await requireVerdict(kind, [401, 1]);

            expect(changesIn(stdout).join('\n')).to.match(advice);
            await requireNoCircle(env, tokenOf(name, kind));
          });
        }
      }

      async function requireVerdict(kind: string, expected: readonly number[]): Promise<CommandResult> {
        const token = tokenOf(name, kind);
        const headers = { authorization: `Bearer ${token}` };
        const { status } = await fetch(`${url}/api/images`, { headers });
        const result = await doctor(env, token);
        expect([status, result.code], result.stdout).to.deep.equal(expected);
        return result;
      }
    });
  }
});

/** A new one: those of some providers are valid for a minute. */
function tokenOf(name: string, kind: string): string {
  const token = providerSetups()[name]?.tokens[kind];
  if (token === undefined) throw new Error(`${name} has no token ${kind}`);
  return token;
}

/** The settings that `init` writes. */
async function initialize(name: string, setup: ProviderSetup): Promise<Env> {
  const { provider, issuer, keysUri, audience } = setup;
  const keys = keysUri === undefined ? [] : ['--keys', keysUri];
  const usual = ['--yes', '--provider', provider, '--audience', audience];
  const first = await run(['init', ...usual, '--issuer', issuer, ...keys]);
  const second = SECOND_TRY[name];
  if (second !== undefined) {
    expect(first.code).to.equal(78);
    expect(first.stderr).to.match(second.advice);
  }
  const { code, stderr } = second === undefined ? first : await run(['init', ...usual, ...second.args]);
  expect(code, stderr).to.equal(0);
  const file = join(folder.path, '.env');
  const env = parseEnv(await readFile(file, 'utf8')) as Env;
  await rm(file);
  return env;
}

/** Sets what `doctor` advises until it advises nothing more. No variable is set twice, and a result counts without the token as well. */
async function requireNoCircle(env: Env, token: string): Promise<void> {
  const changed = new Set<string>();
  let settings = env;
  for (;;) {
    const { code, stdout } = await doctor(settings, token);
    if (code === 0) expect((await doctor(settings)).code).to.equal(0);
    const [, variable, value] = /PROBLEM.*\n {11}→ (IDP_\w+)=(\S+)/.exec(stdout) ?? [];
    if (variable === undefined || value === undefined) return;
    expect(changed, stdout).to.not.include(variable);
    changed.add(variable);
    settings = { ...settings, [variable]: value };
  }
}

function changesIn(output: string): readonly string[] {
  return [...output.matchAll(/PROBLEM.*\n {11}→ (.*)/g)].map(([, change = '']) => change);
}

function withStorage(env: Env): Env {
  return {
    ...env,
    HOST: '127.0.0.1',
    PORT: '0',
    WEB_HOST: '127.0.0.1',
    WEB_PORT: '0',
    DATABASE_URL: `sqlite:${join(folder.path, 'data/catalog.sqlite')}`,
    BLOB_STORE_URL: `file:${join(folder.path, 'data/blobs')}`,
    RENDITION_CACHE_URL: `file:${join(folder.path, 'data/renditions')}`,
    SHUTDOWN_GRACE_SECONDS: '0',
  };
}

async function doctor(env: Env, token?: string): Promise<CommandResult> {
  if (token === undefined) return await run(['doctor'], withStorage(env));
  return await withInput(token, () => run(['doctor', '--token', '-'], withStorage(env)));
}

/** As the command is called in a pipe. */
async function withInput<T>(text: string, work: () => Promise<T>): Promise<T> {
  const own = Object.getOwnPropertyDescriptor(process, 'stdin') as PropertyDescriptor;
  Object.defineProperty(process, 'stdin', { value: Readable.from([text]), configurable: true });
  try {
    return await work();
  } finally {
    Object.defineProperty(process, 'stdin', own);
  }
}

async function run(args: readonly string[], env: Env = {}): Promise<CommandResult> {
  return await runInThisProcess(args, env, folder.path);
}
