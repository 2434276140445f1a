import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import * as z from 'zod';
import { filePath } from '../../adapters/filesystem/file-store.ts';
import type { Delivery } from '../../adapters/http/route/http-settings.ts';
import { deepFreeze } from '../../domain/deep-freeze.ts';
import { InvalidConfig } from './invalid-config.ts';
import { STORAGE_DRIVERS, urlOf } from './storage-drivers.ts';
import {
  type Environment,
  readSettings,
  type SettingsOf,
  variable,
  variableNamesOf,
} from './variable-table.ts';
import * as types from './variable-types.ts';

/** The HTTP contract fixes it. */
const STALL_TIMEOUT_MS = 30_000;

const DEFAULT_PRERENDER = '320:webp';

const DEFAULT_CACHE_BYTES = 10 * 1024 ** 3;

const DEFAULT_DECODE_BYTES = 1024 ** 3;

const MAX_DECODERS = 64;

const { databases, stores } = STORAGE_DRIVERS;

const STORAGE_VARIABLES = {
  database: variable('DATABASE_URL', urlOf(databases).prefault('sqlite:./data/catalog.sqlite')),
  blobStore: variable('BLOB_STORE_URL', urlOf(stores).prefault('file:./data/blobs')),
  renditionCache: variable('RENDITION_CACHE_URL', urlOf(stores).optional()),
  databasePoolMax: variable('DATABASE_POOL_MAX', types.integer(1, 1000).default(10)),
  stagingFolder: variable('STAGING_URL', filePath.optional()),
  /** systemd sets it for a unit with StateDirectory. */
  stateFolder: variable('STATE_DIRECTORY', types.stateFolder.optional()),
  upload: {
    maxBytes: variable('UPLOAD_MAX_BYTES', types.integer(1, 2 ** 40).default(50 * 1024 * 1024)),
    maxPixels: variable('UPLOAD_MAX_PIXELS', types.integer(1, 268_402_689).default(65_000_000)),
    maxFramePixels: variable('UPLOAD_MAX_FRAME_PIXELS', types.integer(1, 2 ** 40).default(250_000_000)),
    /** What uploads may be. */
    acceptedTypes: variable('INPUT_FORMATS', types.inputFormats),
    concurrency: variable('UPLOAD_CONCURRENCY', types.integer(1, 10_000).default(64)),
  },
  /** Memory that all decodes may take together. */
  decodeMemoryBytes: variable('DECODE_MEMORY_BYTES', types.integer(1, 2 ** 50).default(defaultDecodeMemory)),
  /** The most processes at a time. */
  decoders: variable('DECODERS', types.integer(2, MAX_DECODERS).default(defaultDecoders)),
  /** How many of them stay without work. */
  decodersIdle: variable('DECODERS_IDLE', types.integer(0, MAX_DECODERS).default(1)),
  renditions: {
    /** Pixels, ascending. */
    sizes: variable('RENDITION_SIZES', types.sizes),
    /** At a time. */
    concurrency: variable('RENDITION_CONCURRENCY', types.integer(1, 1024).default(MAX_DECODERS)),
    /** Made after each upload. */
    prerendered: variable('PRERENDER', types.prerendered.optional()),
    /** For caches that bound their size themselves. */
    cacheMaxBytes: variable('RENDITION_CACHE_MAX_BYTES', types.integer(0, 2 ** 50).optional()),
  },
  sweep: {
    intervalMs: variable('SWEEP_INTERVAL_SECONDS', types.seconds(1, 2_000_000, 3600)),
    graceMs: variable('SWEEP_GRACE_SECONDS', types.seconds(0, 2_000_000, 3600)),
    /** Younger changes stay in the feed. */
    changesMs: variable('CHANGES_DAYS', types.days(1, 3650, 30)),
  },
  /** `undefined` if a command does not know it. 0: images that are deleted are gone. */
  trashDays: variable('TRASH_DAYS', types.integer(0, 365).optional()),
  /** Uploads and deletes are refused, and nothing is swept. */
  readOnly: variable('READ_ONLY', types.flag),
  /** What one subject may change in a space in any 24 hours; 0: no limit. */
  changesPerDay: variable('CHANGES_PER_DAY', types.integer(0, Number.MAX_SAFE_INTEGER).default(1_000_000)),
  /** Of each space that has none of its own. */
  spaceLimits: {
    images: variable('SPACE_MAX_IMAGES', types.integer(0, Number.MAX_SAFE_INTEGER).nullable().default(null)),
    bytes: variable('SPACE_MAX_BYTES', types.integer(0, Number.MAX_SAFE_INTEGER).nullable().default(null)),
  },
  requestTimeoutMs: variable('REQUEST_TIMEOUT_SECONDS', types.seconds(1, 86_400, 120)),
  /** What is taken over from files. */
  capture: {
    storesGps: variable('METADATA_GPS', types.isFirstOf('store', 'ignore').prefault('ignore')),
    keywordsAreTags: variable('METADATA_KEYWORDS', types.isFirstOf('tags', 'ignore').prefault('tags')),
    storesTexts: variable('METADATA_TEXTS', types.isFirstOf('store', 'ignore').prefault('store')),
  },
  /** The zone of days and of capture times without an offset. */
  timeZone: variable('CATALOG_TIMEZONE', types.timeZone.default('UTC')),
  logLevel: variable('LOG_LEVEL', types.logLevel.default('info')),
};

const SERVICE_VARIABLES = {
  ...STORAGE_VARIABLES,
  idp: {
    /** Base of the addresses; ends with a slash. */
    domain: variable('IDP_DOMAIN', types.idpDomain),
    /** Expected `aud`. */
    audience: variable('IDP_AUDIENCE', z.string()),
    /** Expected `iss`. */
    issuer: variable('IDP_ISSUER', types.idpIssuer.optional()),
    jwksUri: variable('IDP_JWKS_URI', types.secureUrl.optional()),
  },
  listener: {
    host: variable('HOST', z.string().default('0.0.0.0')),
    port: variable('PORT', types.port.default(3000)),
  },
  /** Other processes may listen on the ports of the API and of the web listener. */
  reusePort: variable('REUSE_PORT', types.reusePort),
  /** `undefined`: the address of the listener. */
  apiUrl: variable('API_URL', types.publicUrl.optional()),
  /** For `/livez`, `/readyz` and `/metrics`. */
  management: {
    host: variable('MANAGEMENT_HOST', z.string().default('127.0.0.1')),
    port: variable('MANAGEMENT_PORT', types.port.optional()),
  },
  web: {
    /** For the gallery, the API reference and signed links. */
    listener: {
      host: variable('WEB_HOST', z.string().default('0.0.0.0')),
      port: variable('WEB_PORT', types.port.optional()),
    },
    /** `undefined`: the address of the listener. */
    url: variable('WEB_URL', types.publicUrl.optional()),
    /** The gallery at the identity provider. */
    clientId: variable('WEB_CLIENT_ID', types.clientId.optional()),
    /** That the gallery asks for; holds `openid`. */
    scope: variable('WEB_SCOPE', types.openIdScope.default('openid')),
    /** The catalog at the identity provider, where requests name it by `resource` (RFC 8707). */
    resource: variable('WEB_RESOURCE', types.resource.optional()),
    /** Further origins of the identity provider, to which pages may send requests. */
    connectOrigins: variable('WEB_CONNECT_ORIGINS', types.connectOrigins.default([])),
    /** The name of the catalog, for people; `undefined`: the pages have names of their own. */
    title: variable('WEB_TITLE', types.title.optional()),
  },
  corsOrigins: variable('CORS_ORIGIN', types.origins),
  /** In which caches look for the tags of responses to links; `undefined`: there are none. */
  cacheTagHeader: variable('CACHE_TAG_HEADER', types.tagHeader.optional()),
  scopes: {
    read: variable('SCOPE_READ', types.scope),
    write: variable('SCOPE_WRITE', types.scope),
    delete: variable('SCOPE_DELETE', types.scope),
    publish: variable('SCOPE_PUBLISH', types.scope),
    /** The scope with which a token may act in every space. */
    allSpaces: variable('SCOPE_ALL_SPACES', types.scope),
  },
  /** Whether names can have public addresses on the web listener. */
  publishNames: variable('PUBLISH_NAMES', types.flag),
  /** The claim of a token that names its space; `undefined`: all tokens use the common space. */
  spaceClaim: variable('SPACE_CLAIM', types.claimName.optional()),
  /** Whether the feed of changes names who has made them. */
  recordActor: variable('RECORD_ACTOR', types.flag.prefault('true')),
  delivery: {
    prefix: variable('ACCEL_REDIRECT_PREFIX', types.internalPrefix),
    s3: variable('S3_DELIVERY', types.oneOf('proxy', 'redirect').default('proxy')),
  },
  /** Streams, and requests that wait, at a time. */
  changes: { streams: variable('CHANGES_STREAMS', types.integer(1, 100_000).default(1000)) },
  webhooks: {
    urls: variable('WEBHOOK_URLS', types.webhookUrls.optional()),
    secrets: variable('WEBHOOK_SECRETS', types.webhookSecrets.optional()),
  },
  shutdownGraceMs: variable('SHUTDOWN_GRACE_SECONDS', types.seconds(0, 3600, 25)),
  tracing: {
    endpoint: variable('OTEL_EXPORTER_OTLP_ENDPOINT', types.collector.optional()),
    serviceName: variable('OTEL_SERVICE_NAME', z.string().default('image-catalog')),
  },
};

type StorageSettings = SettingsOf<typeof STORAGE_VARIABLES>;
type Settings = SettingsOf<typeof SERVICE_VARIABLES>;

function storageConfigOf({ stagingFolder, stateFolder, renditionCache, ...settings }: StorageSettings) {
  const { blobStore, decoders, upload, renditions } = settings;
  return {
    ...settings,
    stagingPath: blobStore.stagingFolder ?? stagingFolder ?? join(stateFolder ?? '.', 'data/staging'),
    upload: { ...upload, stallTimeoutMs: STALL_TIMEOUT_MS },
    renditions: {
      ...renditions,
      // The last decoder is for uploads.
      concurrency: Math.min(renditions.concurrency, decoders - 1),
      prerendered: renditions.prerendered ?? defaultPrerendered(renditions.sizes),
      cache: renditionCache ?? blobStore.renditionsBeside(),
      cacheMaxBytes: renditions.cacheMaxBytes ?? DEFAULT_CACHE_BYTES,
    },
  };
}

/** At most half of a container's limit. Without a limit Node.js returns 0, or more than any machine has. */
function defaultDecodeMemory(): number {
  const limit = process.constrainedMemory() || Number.POSITIVE_INFINITY;
  return Math.min(DEFAULT_DECODE_BYTES, Math.floor(limit / 2));
}

function defaultDecoders(): number {
  return Math.min(MAX_DECODERS, availableParallelism() + 1);
}

/** None if the service offers no rendition of that size. */
function defaultPrerendered(offered: readonly number[]): z.output<typeof types.prerendered> {
  return types.prerendered.parse(DEFAULT_PRERENDER).filter(({ width }) => offered.includes(width));
}

function configOf(settings: Settings) {
  const { idp, management, web, tracing } = settings;
  return {
    ...settings,
    ...storageConfigOf(settings),
    trashDays: settings.trashDays ?? 0,
    idp: {
      ...idp,
      issuer: idp.issuer ?? idp.domain,
      jwksUri: idp.jwksUri ?? `${idp.domain}.well-known/jwks.json`,
    },
    management: listenerOf(management),
    web: { ...web, listener: listenerOf(web.listener) },
    delivery: deliveryOf(settings),
    webhooks: webhooksOf(settings.webhooks),
    /** Traces; `undefined` if off. */
    tracing: tracing.endpoint === undefined ? undefined : { ...tracing, endpoint: tracing.endpoint },
  };
}

interface ListenerConfig {
  readonly host: string;
  readonly port: number;
}

/** `undefined` if it is off. */
function listenerOf({ host, port }: Settings['management']): ListenerConfig | undefined {
  return port === undefined ? undefined : { host, port };
}

export interface WebhookConfig {
  /** As written: the name of the endpoint. */
  readonly url: string;
  /** All of them sign. */
  readonly secrets: readonly string[];
}

function webhooksOf({ urls = [], secrets = [] }: Settings['webhooks']): readonly WebhookConfig[] {
  const [shared = []] = secrets;
  return urls.map((url, at) => ({ url, secrets: secrets[at] ?? shared }));
}

function deliveryOf({ delivery: { prefix, s3 }, blobStore }: Settings): Delivery {
  const { blobFolder, hasLinks } = blobStore;
  if (hasLinks && s3 === 'redirect') return { kind: 'bucket' };
  if (prefix !== undefined && blobFolder !== undefined) return { kind: 'nginx', prefix, blobFolder };
  return { kind: 'service' };
}

export type StorageConfig = ReturnType<typeof storageConfigOf>;

/** Section 7 of the contract. */
export type Config = ReturnType<typeof configOf>;

/**
 * Pure. The configuration is frozen.
 *
 * @throws {InvalidConfig}
 */
export function parseConfig(environment: Environment): Config {
  const settings = readSettings(SERVICE_VARIABLES, environment);
  const problems = [...contradictionsIn(settings)];
  if (problems.length > 0) throw new InvalidConfig(problems);
  return deepFreeze(configOf(settings));
}

/**
 * Needs no identity provider.
 *
 * @throws {InvalidConfig}
 */
export function parseStorageConfig(environment: Environment): StorageConfig {
  return deepFreeze(storageConfigOf(readSettings(STORAGE_VARIABLES, environment)));
}

export function variableNames(): readonly string[] {
  return variableNamesOf(SERVICE_VARIABLES);
}

/** Commands skip this check: their environment may be that of a service with another storage. */
function* contradictionsIn(settings: Settings): Generator<string, void, undefined> {
  const { blobStore, upload, renditions, delivery } = settings;
  if (settings.stagingFolder !== undefined && blobStore.stagingFolder !== undefined) {
    yield 'STAGING_URL is for blobs on S3: those in a folder are staged within it';
  }
  if (upload.maxBytes > blobStore.maxBlobBytes) {
    yield `UPLOAD_MAX_BYTES must be at most ${blobStore.maxBlobBytes} if blobs are on S3`;
  }
  if (renditions.cacheMaxBytes !== undefined && !storageConfigOf(settings).renditions.cache.boundsCache) {
    yield 'RENDITION_CACHE_MAX_BYTES bounds a folder only: let a lifecycle rule bound the bucket';
  }
  if (settings.decodersIdle > settings.decoders) {
    yield `DECODERS_IDLE must be at most ${settings.decoders}, the value of DECODERS`;
  }
  const strange = renditions.prerendered?.find(({ width }) => !renditions.sizes.includes(width));
  if (strange !== undefined) {
    yield `PRERENDER names the width ${strange.width}, which RENDITION_SIZES does not have`;
  }
  if (delivery.s3 === 'redirect' && !blobStore.hasLinks) {
    yield 'S3_DELIVERY may be redirect only if BLOB_STORE_URL is on S3';
  }
  if (delivery.prefix !== undefined && blobStore.blobFolder === undefined) {
    yield 'ACCEL_REDIRECT_PREFIX is for blobs in a folder';
  }
  yield* allSpacesProblems(settings);
  yield* webhookProblems(settings.webhooks);
  yield* portConflicts(settings);
}

function* allSpacesProblems({ scopes, spaceClaim }: Settings): Generator<string, void, undefined> {
  const { allSpaces, ...others } = scopes;
  if (allSpaces === undefined) return;
  if (spaceClaim === undefined) {
    yield 'SCOPE_ALL_SPACES is set, but SPACE_CLAIM is not: without it there is one space';
  }
  const variables = Object.entries(others)
    .filter(([, scope]) => scope === allSpaces)
    .map(([name]) => `SCOPE_${name.toUpperCase()}`);
  if (variables.length === 0) return;
  yield `SCOPE_ALL_SPACES must differ from ${variables.join(' and ')}: every token with that scope could act in every space`;
}

function* webhookProblems({ urls, secrets }: Settings['webhooks']): Generator<string, void, undefined> {
  if (urls === undefined && secrets !== undefined) yield 'WEBHOOK_SECRETS is set, but WEBHOOK_URLS is not';
  if (urls !== undefined && secrets === undefined) yield 'WEBHOOK_URLS is set, but WEBHOOK_SECRETS is not';
  if (urls === undefined || secrets === undefined || secrets.length === 1) return;
  if (secrets.length !== urls.length) {
    yield 'WEBHOOK_SECRETS must have one group for all URLs of WEBHOOK_URLS, or one group for each';
  }
}

/** The other listeners are not open to everybody. Port 0 is another port for each. */
function* portConflicts({ web, listener, management }: Settings): Generator<string, void, undefined> {
  if (web.listener.port === undefined || web.listener.port === 0) return;
  for (const [name, port] of Object.entries({ PORT: listener.port, MANAGEMENT_PORT: management.port })) {
    if (port !== web.listener.port) continue;
    yield `WEB_PORT must differ from ${name}: the web listener needs a port of its own`;
  }
}
