import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { copyFileSync, existsSync, constants as fileModes, mkdirSync } from 'node:fs';
import { access } from 'node:fs/promises';
import { type AddressInfo, connect, createServer, isIPv4, isIPv6 } from 'node:net';
import { constants } from 'node:os';
import { join, resolve } from 'node:path';
import { packageFolder } from '../src/infrastructure/package-folder.ts';
import { DEMO_CLIENT, DEMO_GALLERY_CLIENT_ID } from './demo-client.ts';
import { type IdentityProvider, startIdentityProvider } from './identity-provider.ts';
import { readServiceLog } from './service-log.ts';
import { walkThrough } from './walk-through.ts';

const SERVICE = join(packageFolder(), 'bin/image-catalog.cjs');
const PICTURE = join(packageFolder(), 'demo/cat-chelsea.png');
const SAMPLE = 'data/cat-chelsea.png';
const IDENTITY_PROVIDER_PORT = 3001;
const SHUTDOWN_GRACE_SECONDS = 5;
const DELETE_SCOPE = 'images:delete';
const PUBLISH_SCOPE = 'images:publish';

/** Of sysexits.h. */
const EXIT_UNAVAILABLE = 69;
const EXIT_CONFIG = 78;

/** Without them the catalog is in a folder below the current one. */
const PLACES = ['DATABASE_URL', 'BLOB_STORE_URL', 'RENDITION_CACHE_URL'];

interface ListenAddress {
  readonly host: string;
  /** 0: the service picks one. */
  readonly port: number;
}

/** What the demo runs, beside the service. */
interface Surroundings {
  /** Where the service listens for API requests. */
  readonly api: ListenAddress;
  /** Its port is never 0: the identity provider has to know the gallery's address. */
  readonly web: ListenAddress;
  readonly identityProvider: IdentityProvider;
}

/** The demo cannot start, and the message says what to do about it. */
class DemoRefused extends Error {
  constructor(
    message: string,
    readonly exitCode = EXIT_CONFIG,
    options?: ErrorOptions,
  ) {
    super(message, options);
  }
}

/**
 * The service, its gallery and an identity provider on loopback, until a signal ends them. Prints the addresses, and shell lines
 * to try them with.
 *
 * Nothing is written before the ports, the folder and the network are found to be usable.
 *
 * @returns the exit code
 */
export async function runDemo(env = process.env): Promise<number> {
  const stop = new AbortController();
  // Not `once`: a second Ctrl-C, or one that npm passes on, must not cut the clean stop short.
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => stop.abort());
  try {
    return await startAll(env, stop.signal);
  } catch (error) {
    if (!(error instanceof DemoRefused)) throw error;
    console.error(error.message);
    return error.exitCode;
  }
}

async function startAll(env: NodeJS.ProcessEnv, stop: AbortSignal): Promise<number> {
  const api = parseListenAddress(env, 'PORT', 3000);
  const pageOrigin = parsePageOrigin(env);
  await requireWritable(env);
  await ensureFree(api);
  const web = await findWebAddress(parseListenAddress(env, 'WEB_PORT', 3002));
  console.log(
    `Starting the identity provider, the gallery and the service, with the catalog ${placeOf(env)} …\n`,
  );
  const identityProvider = await startDemoIdentityProvider(urlOf(web), pageOrigin);
  try {
    const surroundings = { api, web, identityProvider };
    return await runService(serviceEnvironment(env, surroundings), stop, (port) => {
      addSamplePicture(env);
      console.log(introduction({ ...surroundings, api: { ...api, port } }, placeOf(env)));
    });
  } finally {
    await identityProvider.close();
  }
}

/** The demo prints its secret and signs in without a password, so it accepts connections from this machine only. */
function parseListenAddress(
  env: NodeJS.ProcessEnv,
  variable: 'PORT' | 'WEB_PORT',
  defaultPort: number,
): ListenAddress {
  const host = env.HOST || '127.0.0.1';
  if (!isLoopback(host)) {
    throw new DemoRefused(`HOST=${host}: the demo answers on loopback only (127.0.0.1, ::1 or localhost).`);
  }
  const port = Number(env[variable] || defaultPort);
  if (!Number.isInteger(port) || port < 0 || port > 65_535) {
    throw new DemoRefused(`${variable}=${env[variable]}: a port is a number from 0 to 65535.`);
  }
  return { host, port };
}

/** `undefined` unless a page of the user's own should sign in at the demo's provider. */
function parsePageOrigin({ DEMO_ORIGIN }: NodeJS.ProcessEnv): string | undefined {
  if (!DEMO_ORIGIN) return undefined;
  if (URL.canParse(DEMO_ORIGIN)) {
    const { protocol, origin } = new URL(DEMO_ORIGIN);
    if (/^https?:$/.test(protocol) && origin === DEMO_ORIGIN) return DEMO_ORIGIN;
  }
  throw new DemoRefused(
    `DEMO_ORIGIN=${DEMO_ORIGIN}: it must be the origin of your page, such as http://127.0.0.1:5173 (no path, no slash at the end).`,
  );
}

function isLoopback(host: string): boolean {
  return host === 'localhost' || host === '::1' || (isIPv4(host) && host.startsWith('127.'));
}

async function requireWritable(env: NodeJS.ProcessEnv): Promise<void> {
  if (PLACES.every((place) => env[place])) return;
  const folder = process.cwd();
  const writable = fileModes.W_OK | fileModes.X_OK;
  try {
    await access('data', writable).catch(async (error: unknown) => {
      if (!hasCode(error, 'ENOENT')) throw error;
      await access('.', writable);
    });
  } catch (error) {
    const text = `The demo keeps its catalog in ./data, and ${folder} cannot be written to: run it in a folder of your own.`;
    throw new DemoRefused(text, EXIT_CONFIG, { cause: error });
  }
}

async function ensureFree({ host, port }: ListenAddress): Promise<void> {
  try {
    await probe({ host, port });
  } catch (error) {
    if (hasCode(error, 'ENETUNREACH', 'EADDRNOTAVAIL')) {
      const text = `This machine cannot reach itself at ${host}: set its loopback network up (ip link set lo up), or set HOST=127.0.0.1.`;
      throw new DemoRefused(text, EXIT_UNAVAILABLE, { cause: error });
    }
    const text = hasCode(error, 'EADDRINUSE')
      ? `Port ${port} on ${host} is taken: set PORT to another one, such as PORT=3005.`
      : `Port ${port} on ${host} cannot be used (${String(error)}): set PORT to another one, such as PORT=3005.`;
    throw new DemoRefused(text, EXIT_CONFIG, { cause: error });
  }
}

/** Another port if the one asked for is taken. */
async function findWebAddress(wanted: ListenAddress): Promise<ListenAddress> {
  try {
    return { ...wanted, port: await probe(wanted) };
  } catch (error) {
    if (!hasCode(error, 'EADDRINUSE')) throw error;
    const port = await probe({ ...wanted, port: 0 });
    console.log(`Port ${wanted.port} is taken; the gallery is on port ${port} instead.\n`);
    return { ...wanted, port };
  }
}

/** @returns the port that was free a moment ago, and could be reached */
async function probe({ host, port }: ListenAddress): Promise<number> {
  const server = createServer((socket) => socket.destroy()).listen(port, host);
  try {
    await once(server, 'listening');
    const found = (server.address() as AddressInfo).port;
    const client = connect(found, host);
    await once(client, 'connect');
    client.destroy();
    return found;
  } finally {
    server.close();
  }
}

async function startDemoIdentityProvider(
  galleryUrl: string,
  pageOrigin: string | undefined,
): Promise<IdentityProvider> {
  const options = {
    ...DEMO_CLIENT,
    scopes: [DELETE_SCOPE, PUBLISH_SCOPE],
    gallery: {
      clientId: DEMO_GALLERY_CLIENT_ID,
      url: galleryUrl,
      ...(pageOrigin !== undefined && { pageOrigin }),
    },
  };
  try {
    return await startIdentityProvider({ ...options, port: IDENTITY_PROVIDER_PORT });
  } catch (error) {
    if (!hasCode(error, 'EADDRINUSE')) throw error;
    const provider = await startIdentityProvider({ ...options, port: 0 });
    console.log(
      `Port ${IDENTITY_PROVIDER_PORT} is taken; the identity provider is at ${provider.issuer} instead.\n`,
    );
    return provider;
  }
}

/**
 * What the demo decides is set here, because a `.env` file that is meant for `npm start` may name a public address or a
 * database in use.
 */
function serviceEnvironment(
  env: NodeJS.ProcessEnv,
  { api, web, identityProvider }: Surroundings,
): NodeJS.ProcessEnv {
  return {
    DATABASE_URL: 'sqlite:./data/catalog.sqlite',
    BLOB_STORE_URL: 'file:./data/blobs',
    RENDITION_CACHE_URL: 'file:./data/renditions',
    TRASH_DAYS: '30',
    PUBLISH_NAMES: 'true',
    ...env,
    CORS_ORIGIN: allowedOrigins(env),
    HOST: api.host,
    PORT: String(api.port),
    // Empty: the addresses of the listeners.
    API_URL: '',
    WEB_URL: '',
    WEB_HOST: web.host,
    WEB_PORT: String(web.port),
    WEB_CLIENT_ID: DEMO_GALLERY_CLIENT_ID,
    WEB_SCOPE: `openid offline_access ${DELETE_SCOPE} ${PUBLISH_SCOPE}`,
    MANAGEMENT_HOST: '127.0.0.1',
    IDP_DOMAIN: identityProvider.issuer,
    IDP_AUDIENCE: DEMO_CLIENT.audience,
    SCOPE_DELETE: DELETE_SCOPE,
    SCOPE_PUBLISH: PUBLISH_SCOPE,
    LOG_LEVEL: 'info',
    SHUTDOWN_GRACE_SECONDS: String(SHUTDOWN_GRACE_SECONDS),
  };
}

/** Pages of `DEMO_ORIGIN` may call the API also where `CORS_ORIGIN` names others. Empty: every origin may. */
function allowedOrigins({ CORS_ORIGIN = '', DEMO_ORIGIN = '' }: NodeJS.ProcessEnv): string {
  const isRestricted = !['', '*'].includes(CORS_ORIGIN.trim());
  return isRestricted && DEMO_ORIGIN !== '' ? `${CORS_ORIGIN},${DEMO_ORIGIN}` : CORS_ORIGIN;
}

/** Runs the service until it ends by itself or is stopped; resolves to the exit code of the demo. */
async function runService(
  env: NodeJS.ProcessEnv,
  stop: AbortSignal,
  onListening: (port: number) => void,
): Promise<number> {
  if (stop.aborted) return 0;
  // A process group of its own: Ctrl-C in a terminal goes to the whole group, and the service is to be told only once.
  const service = spawn(process.execPath, [SERVICE], {
    env,
    stdio: ['ignore', 'pipe', 'inherit'],
    detached: true,
  });
  const killService = (): void => void service.kill('SIGKILL');
  process.once('exit', killService);
  stop.addEventListener('abort', () => stopService(service), { once: true });
  readServiceLog(service.stdout, { onListening, onTrouble: (text) => console.error(`[service] ${text}`) });

  const [code, signal] = (await once(service, 'close')) as [number | null, NodeJS.Signals | null];
  process.off('exit', killService);
  return exitCodeOf(code, signal, stop);
}

function stopService(service: ChildProcess): void {
  service.kill('SIGTERM');
  setTimeout(() => service.kill('SIGKILL'), (SHUTDOWN_GRACE_SECONDS + 5) * 1000).unref();
}

function exitCodeOf(code: number | null, signal: NodeJS.Signals | null, stop: AbortSignal): number {
  if (!stop.aborted) console.error(`The service ended by itself (${signal ?? `exit code ${code}`}).`);
  if (code !== null) return code;
  // The service was still starting up when it was told to stop.
  if (stop.aborted && signal === 'SIGTERM') return 0;
  return 128 + (signal === null ? 0 : constants.signals[signal]);
}

/** Where the examples of the documentation look for it: in a folder that both a clone and an installed package have. */
function addSamplePicture(env: NodeJS.ProcessEnv): void {
  if (PLACES.every((place) => env[place]) || existsSync(SAMPLE)) return;
  mkdirSync('data', { recursive: true });
  copyFileSync(PICTURE, SAMPLE);
}

function placeOf({ DATABASE_URL, BLOB_STORE_URL }: NodeJS.ProcessEnv): string {
  const isNamed = DATABASE_URL || BLOB_STORE_URL;
  return isNamed ? 'where DATABASE_URL and BLOB_STORE_URL say' : `in ${resolve('data')}`;
}

function introduction({ api, web, identityProvider: { issuer } }: Surroundings, place: string): string {
  const serviceUrl = urlOf(api);
  return [
    `Gallery:            ${urlOf(web)}   (open this and click Sign in)`,
    `Image catalog:      ${serviceUrl}`,
    `Identity provider:  ${issuer}`,
    '',
    `Paste these lines into another terminal. Ctrl-C here stops the demo; the catalog stays ${place}.`,
    '',
    walkThrough({ serviceUrl, issuer, client: DEMO_CLIENT, picture: PICTURE }),
    '',
  ].join('\n');
}

function urlOf({ host, port }: ListenAddress): string {
  return `http://${isIPv6(host) ? `[${host}]` : host}:${port}/`;
}

function hasCode(error: unknown, ...codes: readonly string[]): boolean {
  return error instanceof Error && 'code' in error && codes.includes(String(error.code));
}
