import { existsSync } from 'node:fs';
import { join, sep } from 'node:path';
import { isDeepStrictEqual, parseEnv } from 'node:util';
import type * as z from 'zod';
import { SystemClock } from '../../../adapters/system/system-clock.ts';
import { parseConfig } from '../../config/config.ts';
import { connectionAdvice } from '../../config/connection-advice.ts';
import { oneOf, plainUrl, secureUrl } from '../../config/variable-types.ts';
import { quote } from '../../doctor/check-result.ts';
import { type Discovery, discoverProvider, hasPlaceholder } from '../../doctor/provider-facts.ts';
import { withSlash } from '../../doctor/with-slash.ts';
import { packageFolder } from '../../package-folder.ts';
import { readVersion } from '../../read-version.ts';
import { command } from '../command-line/command.ts';
import { CommandRefused } from '../command-line/command-refused.ts';
import { EXIT_CANNOT_CREATE, EXIT_CONFIG, EXIT_NO_SERVICE } from '../command-line/exit-codes.ts';
import { flag, option } from '../command-line/option.ts';
import { composeFile } from './compose-file.ts';
import { type Answers, envFile, portableValue, settingsOf } from './env-file.ts';
import { PROVIDERS, type Provider } from './providers.ts';
import { Questions } from './questions.ts';
import type { ServiceFile } from './service-file.ts';
import { systemdFile } from './systemd-file.ts';
import { writeFiles } from './write-files.ts';

const PROVIDER_NAMES = Object.keys(PROVIDERS) as ReadonlyArray<keyof typeof PROVIDERS>;
const PROVIDER = oneOf(...PROVIDER_NAMES);
const SERVICE_FILES = { systemd: systemdFile, compose: composeFile, none: () => undefined };
const FILES = oneOf('systemd', 'compose', 'none');

const URL_VALUE = portableValue.pipe(secureUrl);

/** OpenID Connect Core 1.0, section 2: an issuer has no query and no fragment. */
const ADDRESS = URL_VALUE.refine(
  (text) => !/[{}]/.test(text),
  'must be the address of one tenant, whose name or ID is in place of the braces',
)
  .pipe(plainUrl)
  .refine((text) => !text.includes('?'), 'must be an address without a query')
  // Consoles of providers show the address of the discovery document beside the issuer.
  .transform((text) => text.replace(/\/\.well-known\/openid-configuration\/?$/, ''));
const VALUE = portableValue.min(1, 'must not be empty');

export const init = command({
  summary: 'writes .env, and a file for systemd or Compose, into this folder; asks what no option says',
  options: {
    provider: option('NAME', PROVIDER_NAMES.join(', '), PROVIDER.optional()),
    issuer: option('URL', 'its address: issuer in its discovery document', ADDRESS.optional()),
    keys: option(
      'URL',
      'the address of its keys, if no discovery document names it: none is read',
      URL_VALUE.pipe(plainUrl).optional(),
    ),
    audience: option('TEXT', 'aud in its access tokens', VALUE.optional()),
    client: option('ID', 'the client of the gallery at the provider; empty: none', portableValue.optional()),
    files: option('KIND', 'systemd, compose or none (beside .env)', FILES.optional()),
    'publish-names': flag('names can have public addresses'),
    yes: flag('asks nothing: what no option says is another provider, no client, no file'),
    offline: flag('does not read the discovery document'),
    force: flag('replaces files'),
  },
  run: async ({ yes, offline, force, keys, 'publish-names': publishNames, ...given }) => {
    const folder = process.cwd();
    // Before the questions, which would be answered for nothing.
    if (!force) requireNone(folder, ['.env']);
    const known = isTemporary() ? { ...given, files: onlyNone(given.files) } : given;
    const { files, ...answers } = await complete(known, new Questions(!yes));
    const usual = new URL(answers.provider.keys, withSlash(answers.issuer)).href;
    const addresses =
      offline || keys !== undefined ? { jwksUri: keys ?? usual } : await discover(answers.issuer);
    const service = SERVICE_FILES[files](folder);
    await write(folder, { ...answers, ...addresses, publishNames }, service, force);
    console.log(report(answers.provider, service));
    return 0;
  },
});

/** @throws {CommandRefused} */
function requireNone(folder: string, names: readonly string[]): void {
  const found = names.filter((name) => existsSync(join(folder, name)));
  if (found.length === 0) return;
  throw new CommandRefused(
    EXIT_CANNOT_CREATE,
    `Nothing was written, because ${found.join(' and ')} exists here already: --force replaces it.`,
  );
}

interface Given {
  readonly provider: z.output<typeof PROVIDER> | undefined;
  readonly issuer: string | undefined;
  readonly audience: string | undefined;
  readonly client: string | undefined;
  readonly files: z.output<typeof FILES> | undefined;
}

/** A copy that npx has made for one call, in a folder of its own. */
function isTemporary(): boolean {
  return packageFolder().includes(`${sep}_npx${sep}`);
}

/** What README.md says. npm 12 runs no install script that `package.json` does not allow. */
function installation(): readonly string[] {
  return [
    'npm init -y && npm pkg set allowScripts.sqlite3=true --json',
    `npm install ./image-catalog-service-${readVersion()}.tgz`,
  ];
}

/** @throws {CommandRefused} */
function onlyNone(files: Given['files']): 'none' {
  if (files === undefined || files === 'none') return 'none';
  const text = `A file for ${files} names the program, and npx has a temporary copy of it: install the package in this folder, then run init again:\n${indent([...installation(), 'npx --no -- image-catalog init']).join('\n')}`;
  throw new CommandRefused(EXIT_CONFIG, text);
}

/** At most five questions. */
async function complete(
  given: Given,
  questions: Questions,
): Promise<Omit<Answers, 'jwksUri' | 'publishNames'> & { readonly files: keyof typeof SERVICE_FILES }> {
  try {
    const names = `Identity provider: ${PROVIDER_NAMES.join(', ')}`;
    const provider: Provider =
      PROVIDERS[given.provider ?? (await questions.ask('--provider', names, PROVIDER, 'other'))];
    const client = `The gallery's client ID, or nothing: ${provider.client}`;
    return {
      provider,
      issuer:
        given.issuer ?? (await questions.ask('--issuer', `Its issuer, such as ${provider.issuer}`, ADDRESS)),
      audience:
        given.audience ?? (await questions.ask('--audience', `The audience: ${provider.audience}`, VALUE)),
      client: given.client ?? (await questions.ask('--client', client, portableValue)),
      files: given.files ?? (await questions.ask('--files', 'systemd, compose or none', FILES, 'none')),
    };
  } finally {
    questions.close();
  }
}

type Addresses = Pick<Answers, 'issuer' | 'jwksUri' | 'tokenIssuer' | 'connectOrigin'>;

/** @throws {CommandRefused} */
async function discover(typed: string): Promise<Addresses> {
  const { discovery, discoveryUrl } = await discoverProvider(withSlash(typed), new SystemClock());
  if ('failure' in discovery) {
    throw new CommandRefused(
      EXIT_NO_SERVICE,
      `Nothing was written, because ${discoveryUrl} cannot be read (${discovery.failure}): ${connectionAdvice(discovery.failure) ?? 'check the issuer and the network'}, or give --keys or --offline.`,
    );
  }
  const { issuer } = discovery.value;
  if (withSlash(issuer) !== withSlash(typed)) throw otherIssuer(discoveryUrl, discovery.value);
  return addressesIn(discovery.value);
}

function addressesIn({ issuer, access_token_issuer, jwks_uri, token_endpoint }: Discovery): Addresses {
  const connects = token_endpoint === undefined ? undefined : new URL(token_endpoint).origin;
  return {
    issuer,
    tokenIssuer: access_token_issuer,
    jwksUri: jwks_uri,
    connectOrigin: connects === new URL(issuer).origin ? undefined : connects,
  };
}

function otherIssuer(discoveryUrl: string, { issuer, jwks_uri: jwksUri }: Discovery): CommandRefused {
  const advice = hasPlaceholder(issuer)
    ? 'name your tenant in --issuer, as in https://login.microsoftonline.com/TENANT_ID/v2.0'
    : `if you trust it, give it as --issuer, with --keys ${jwksUri} if it has no such document`;
  return new CommandRefused(
    EXIT_CONFIG,
    `Nothing was written, because ${discoveryUrl} belongs to another issuer, ${quote(issuer)}: ${advice}.`,
  );
}

/**
 * @throws {InvalidConfig} if the service would not start with the file
 * @throws {CommandRefused} if the file would set other variables, or if the folder cannot be written to
 */
async function write(
  folder: string,
  answers: Answers,
  service: ServiceFile | undefined,
  force: boolean,
): Promise<void> {
  const env = envFile(answers);
  requireReadBack(env, answers);
  parseConfig({ ...parseEnv(env) });
  const files = [
    { name: '.env', text: env, mode: 0o600 },
    ...serviceFiles(service).map((file) => ({ ...file, mode: 0o644 })),
  ];
  const names = files.map(({ name }) => name);
  if (!force) requireNone(folder, names);
  await writeFiles(folder, files);
}

/**
 * The rules for single answers should leave nothing that a reader of the file could take for another variable. This is the check
 * that they do.
 *
 * @throws {CommandRefused}
 */
function requireReadBack(text: string, answers: Answers): void {
  if (isDeepStrictEqual({ ...parseEnv(text) }, settingsOf(answers))) return;
  throw new CommandRefused(
    EXIT_CONFIG,
    'Nothing was written, because .env would be read back with other values than those given: an answer has characters that it cannot hold.',
  );
}

function serviceFiles(service: ServiceFile | undefined): ReadonlyArray<Pick<ServiceFile, 'name' | 'text'>> {
  return service === undefined ? [] : [service, ...(service.needs ?? [])];
}

function report({ name, audience, client }: Provider, service: ServiceFile | undefined): string {
  const next = [
    // With --no, npx finds only what is installed: it does not ask the registry for the name.
    ...(isTemporary() ? installation() : []),
    'npx --no -- image-catalog doctor',
    ...(service?.next ?? ['npx --no -- image-catalog']),
  ];
  return [
    `Written: ${['.env', ...serviceFiles(service).map((file) => file.name)].join(', ')}`,
    '',
    `At ${name}:`,
    `  audience: ${audience}`,
    `  client:   ${client}`,
    '  its redirect addresses: http://localhost:3002/ and http://localhost:3002/docs/oauth2-redirect.html, or those below WEB_URL',
    '',
    'Next:',
    ...indent(next),
  ].join('\n');
}

function indent(lines: readonly string[]): readonly string[] {
  return lines.map((line) => `  ${line}`);
}
