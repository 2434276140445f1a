import { availableParallelism } from 'node:os';
import { z } from 'zod';
import { filePath } from '../../adapters/filesystem/file-store.ts';
import { deepFreeze } from '../../domain/deep-freeze.ts';
import { InvalidConfig } from './invalid-config.ts';
import { STORAGE_DRIVERS, type StorageDrivers, urlOf } from './storage-drivers.ts';
import {
  claimName,
  clientId,
  collector,
  delivery,
  flag,
  idpDomain,
  inputFormats,
  integer,
  internalPrefix,
  logLevel,
  openIdScope,
  origins,
  port,
  prerendered,
  publicUrl,
  reusePort,
  scope,
  secureUrl,
  sizes,
  tagHeader,
  timeZone,
  webhookSecrets,
  webhookUrls,
} from './variable-types.ts';

type Environment = Readonly<Record<string, string | undefined>>;

/** The HTTP contract fixes it. */
const STALL_TIMEOUT_MS = 30_000;

const DEFAULT_PRERENDER = '320:webp';

const DEFAULT_CACHE_BYTES = 10 * 1024 ** 3;

const DEFAULT_DECODE_BYTES = 1024 ** 3;

const MAX_DECODERS = 64;

export const DAY_MS = 24 * 60 * 60_000;

function storageVariables({ databases, stores }: StorageDrivers) {
  return z.object({
    DATABASE_URL: urlOf(databases).prefault('sqlite:./data/catalog.sqlite'),
    DATABASE_POOL_MAX: integer(1, 1000).default(10),
    BLOB_STORE_URL: urlOf(stores).prefault('file:./data/blobs'),
    STAGING_URL: filePath.optional(),
    UPLOAD_MAX_BYTES: integer(1, 2 ** 40).default(50 * 1024 * 1024),
    UPLOAD_MAX_PIXELS: integer(1, 268_402_689).default(50_000_000),
    INPUT_FORMATS: inputFormats,
    UPLOAD_CONCURRENCY: integer(1, 10_000).default(64),
    DECODE_MEMORY_BYTES: integer(1, 2 ** 50).default(defaultDecodeMemory),
    RENDITION_SIZES: sizes,
    PRERENDER: prerendered.optional(),
    RENDITION_CACHE_URL: urlOf(stores).optional(),
    RENDITION_CACHE_MAX_BYTES: integer(0, 2 ** 50).optional(),
    DECODERS: integer(2, MAX_DECODERS).default(() => Math.min(MAX_DECODERS, availableParallelism() + 1)),
    RENDITION_CONCURRENCY: integer(1, 1024).optional(),
    SWEEP_INTERVAL_SECONDS: integer(1, 2_000_000).default(3600),
    SWEEP_GRACE_SECONDS: integer(0, 2_000_000).default(3600),
    REQUEST_TIMEOUT_SECONDS: integer(1, 86_400).default(120),
    CHANGES_DAYS: integer(1, 3650).default(30),
    READ_ONLY: flag,
    TRASH_DAYS: integer(0, 365).optional(),
    SPACE_MAX_BYTES: integer(0, Number.MAX_SAFE_INTEGER).optional(),
    SPACE_MAX_IMAGES: integer(0, Number.MAX_SAFE_INTEGER).optional(),
    METADATA_GPS: z.enum(['ignore', 'store'], 'must be ignore or store').default('ignore'),
    METADATA_KEYWORDS: z.enum(['tags', 'ignore'], 'must be tags or ignore').default('tags'),
    CATALOG_TIMEZONE: timeZone.default('UTC'),
    LOG_LEVEL: logLevel.default('info'),
  });
}

const serviceVariables = z.object({
  IDP_DOMAIN: idpDomain,
  IDP_AUDIENCE: z.string(),
  IDP_ISSUER: z.string().optional(),
  IDP_JWKS_URI: secureUrl.optional(),
  HOST: z.string().default('0.0.0.0'),
  PORT: port.default(3000),
  REUSE_PORT: reusePort,
  API_URL: publicUrl.optional(),
  MANAGEMENT_HOST: z.string().default('127.0.0.1'),
  MANAGEMENT_PORT: port.optional(),
  WEB_HOST: z.string().default('0.0.0.0'),
  WEB_PORT: port.optional(),
  WEB_URL: publicUrl.optional(),
  WEB_CLIENT_ID: clientId.optional(),
  WEB_SCOPE: openIdScope.default('openid'),
  CORS_ORIGIN: origins,
  CACHE_TAG_HEADER: tagHeader.optional(),
  SCOPE_READ: scope,
  SCOPE_WRITE: scope,
  SCOPE_DELETE: scope,
  SPACE_CLAIM: claimName.optional(),
  RECORD_ACTOR: flag.prefault('true'),
  ACCEL_REDIRECT_PREFIX: internalPrefix,
  S3_DELIVERY: delivery.default('proxy'),
  CHANGES_STREAMS: integer(1, 100_000).default(1000),
  WEBHOOK_URLS: webhookUrls.optional(),
  WEBHOOK_SECRETS: webhookSecrets.optional(),
  SHUTDOWN_GRACE_SECONDS: integer(0, 3600).default(25),
  OTEL_EXPORTER_OTLP_ENDPOINT: collector.optional(),
  OTEL_SERVICE_NAME: z.string().default('image-catalog'),
});

type StorageValues = z.output<ReturnType<typeof storageVariables>>;
type Values = StorageValues & z.output<typeof serviceVariables>;

function storageConfigOf(values: StorageValues) {
  const blobStore = values.BLOB_STORE_URL;
  return {
    database: values.DATABASE_URL,
    databasePoolMax: values.DATABASE_POOL_MAX,
    blobStore,
    stagingPath: blobStore.stagingFolder ?? values.STAGING_URL ?? './data/staging',
    upload: {
      maxBytes: values.UPLOAD_MAX_BYTES,
      maxPixels: values.UPLOAD_MAX_PIXELS,
      /** What uploads may be. */
      acceptedTypes: values.INPUT_FORMATS,
      concurrency: values.UPLOAD_CONCURRENCY,
      stallTimeoutMs: STALL_TIMEOUT_MS,
    },
    /** Memory that all decodes may take together. */
    decodeMemoryBytes: values.DECODE_MEMORY_BYTES,
    /** Processes. */
    decoders: values.DECODERS,
    renditions: renditionsOf(values),
    sweep: sweepOf(values),
    /** `undefined` if a command does not know it. 0: images that are deleted are gone. */
    trashDays: values.TRASH_DAYS,
    /** Uploads and deletes are refused, and nothing is swept. */
    readOnly: values.READ_ONLY,
    /** Of each space that has none of its own. */
    spaceLimits: { images: values.SPACE_MAX_IMAGES ?? null, bytes: values.SPACE_MAX_BYTES ?? null },
    requestTimeoutMs: values.REQUEST_TIMEOUT_SECONDS * 1000,
    /** What is taken over from files. */
    capture: {
      storesGps: values.METADATA_GPS === 'store',
      keywordsAreTags: values.METADATA_KEYWORDS === 'tags',
    },
    /** The zone of days and of capture times without an offset. */
    timeZone: values.CATALOG_TIMEZONE,
    logLevel: values.LOG_LEVEL,
  };
}

function sweepOf(values: StorageValues) {
  return {
    intervalMs: values.SWEEP_INTERVAL_SECONDS * 1000,
    graceMs: values.SWEEP_GRACE_SECONDS * 1000,
    /** Younger changes stay in the feed. */
    changesMs: values.CHANGES_DAYS * DAY_MS,
  };
}

function renditionsOf(values: StorageValues) {
  return {
    /** Pixels, ascending. */
    sizes: values.RENDITION_SIZES,
    /** At a time. The last decoder is for uploads. */
    concurrency: Math.min(values.RENDITION_CONCURRENCY ?? MAX_DECODERS, values.DECODERS - 1),
    /** Made after each upload. */
    prerendered: values.PRERENDER ?? defaultPrerendered(values.RENDITION_SIZES),
    cache: values.RENDITION_CACHE_URL ?? values.BLOB_STORE_URL.renditionsBeside(),
    /** For caches that bound their size themselves. */
    cacheMaxBytes: values.RENDITION_CACHE_MAX_BYTES ?? DEFAULT_CACHE_BYTES,
  };
}

/** At most half of a container's limit. Without a limit Node.js returns 0, or more than any machine has. */
function defaultDecodeMemory(): number {
  const limit = process.constrainedMemory() || Number.POSITIVE_INFINITY;
  return Math.min(DEFAULT_DECODE_BYTES, Math.floor(limit / 2));
}

/** None if the service offers no rendition of that size. */
function defaultPrerendered(sizes: readonly number[]): z.output<typeof prerendered> {
  return prerendered.parse(DEFAULT_PRERENDER).filter(({ width }) => sizes.includes(width));
}

function configOf(values: Values) {
  return {
    ...storageConfigOf(values),
    trashDays: values.TRASH_DAYS ?? 0,
    idp: idpOf(values),
    listener: { host: values.HOST, port: values.PORT },
    /** `undefined`: the address of the listener. */
    apiUrl: values.API_URL,
    /** Other processes may listen on the ports of the API and of the web listener. */
    reusePort: values.REUSE_PORT,
    /** For `/livez`, `/readyz` and `/metrics`; `undefined` if off. */
    management:
      values.MANAGEMENT_PORT === undefined
        ? undefined
        : { host: values.MANAGEMENT_HOST, port: values.MANAGEMENT_PORT },
    web: webOf(values),
    corsOrigins: values.CORS_ORIGIN,
    /** In which caches look for the tags of responses to links; `undefined`: there are none. */
    cacheTagHeader: values.CACHE_TAG_HEADER,
    scopes: { read: values.SCOPE_READ, write: values.SCOPE_WRITE, delete: values.SCOPE_DELETE },
    /** The claim of a token that names its space; `undefined`: all tokens use the common space. */
    spaceClaim: values.SPACE_CLAIM,
    /** Whether the feed of changes names who has made them. */
    recordActor: values.RECORD_ACTOR,
    /** Streams, and requests that wait, at a time. */
    changes: { streams: values.CHANGES_STREAMS },
    webhooks: webhooksOf(values),
    delivery: deliveryOf(values),
    shutdownGraceMs: values.SHUTDOWN_GRACE_SECONDS * 1000,
    /** Traces; `undefined` if off. */
    tracing:
      values.OTEL_EXPORTER_OTLP_ENDPOINT === undefined
        ? undefined
        : { endpoint: values.OTEL_EXPORTER_OTLP_ENDPOINT, serviceName: values.OTEL_SERVICE_NAME },
  };
}

function idpOf(values: Values) {
  return {
    /** Base of the addresses; ends with a slash. */
    domain: values.IDP_DOMAIN,
    /** Expected `iss`. */
    issuer: values.IDP_ISSUER ?? values.IDP_DOMAIN,
    /** Expected `aud`. */
    audience: values.IDP_AUDIENCE,
    jwksUri: values.IDP_JWKS_URI ?? `${values.IDP_DOMAIN}.well-known/jwks.json`,
  };
}

function webOf(values: Values) {
  return {
    /** For the gallery, the API reference and signed links; `undefined` if off. */
    listener: values.WEB_PORT === undefined ? undefined : { host: values.WEB_HOST, port: values.WEB_PORT },
    /** `undefined`: the address of the listener. */
    url: values.WEB_URL,
    /** The gallery at the identity provider. */
    clientId: values.WEB_CLIENT_ID,
    /** That the gallery asks for; holds `openid`. */
    scope: values.WEB_SCOPE,
  };
}

export interface WebhookConfig {
  /** As written: the name of the endpoint. */
  readonly url: string;
  /** All of them sign. */
  readonly secrets: readonly string[];
}

function webhooksOf({ WEBHOOK_URLS = [], WEBHOOK_SECRETS = [] }: Values): readonly WebhookConfig[] {
  const [shared = []] = WEBHOOK_SECRETS;
  return WEBHOOK_URLS.map((url, at) => ({ url, secrets: WEBHOOK_SECRETS[at] ?? shared }));
}

export type DeliveryConfig =
  | { readonly kind: 'service' }
  | { readonly kind: 'nginx'; readonly prefix: string; readonly blobFolder: string }
  | { readonly kind: 'bucket' };

function deliveryOf(values: Values): DeliveryConfig {
  const { ACCEL_REDIRECT_PREFIX: prefix, S3_DELIVERY: wanted } = values;
  const { blobFolder, hasLinks } = values.BLOB_STORE_URL;
  if (hasLinks && wanted === 'redirect') return { kind: 'bucket' };
  if (prefix !== undefined && blobFolder !== undefined) return { kind: 'nginx', prefix, blobFolder };
  return { kind: 'service' };
}

export type StorageConfig = Frozen<ReturnType<typeof storageConfigOf>>;

/** Section 7 of the contract. */
export type Config = Frozen<ReturnType<typeof configOf>>;

/**
 * Pure. The configuration is frozen. An empty variable counts as not set, except for `PRERENDER` and `INPUT_FORMATS`.
 *
 * @throws {InvalidConfig}
 */
export function parseConfig(environment: Environment, drivers: StorageDrivers = STORAGE_DRIVERS): Config {
  const schema = storageVariables(drivers).extend(serviceVariables.shape);
  const values = parse(schema, environment);
  const problems = contradictionsOf(values);
  if (problems.length > 0) throw new InvalidConfig(problems);
  return deepFreeze(configOf(values));
}

/**
 * Needs no identity provider.
 *
 * @throws {InvalidConfig}
 */
export function parseStorageConfig(environment: Environment): StorageConfig {
  return deepFreeze(storageConfigOf(parse(storageVariables(STORAGE_DRIVERS), environment)));
}

export function variableNames(): readonly string[] {
  return Object.keys({ ...storageVariables(STORAGE_DRIVERS).shape, ...serviceVariables.shape });
}

function parse<Schema extends z.ZodType>(schema: Schema, environment: Environment): z.output<Schema> {
  const result = schema.safeParse(withoutEmpty(environment));
  if (result.success) return result.data;
  throw new InvalidConfig(result.error.issues.map(problemOf));
}

/** Commands skip this check: their environment may be that of a service with another storage. */
function contradictionsOf(values: Values): readonly string[] {
  const { stagingFolder, blobFolder, hasLinks, maxBlobBytes } = values.BLOB_STORE_URL;
  const { boundsCache } = storageConfigOf(values).renditions.cache;
  const problems: string[] = [];
  if (values.STAGING_URL !== undefined && stagingFolder !== undefined) {
    problems.push('STAGING_URL is for blobs on S3: those in a folder are staged within it');
  }
  if (values.UPLOAD_MAX_BYTES > maxBlobBytes) {
    problems.push(`UPLOAD_MAX_BYTES must be at most ${maxBlobBytes} if blobs are on S3`);
  }
  if (values.RENDITION_CACHE_MAX_BYTES !== undefined && !boundsCache) {
    problems.push('RENDITION_CACHE_MAX_BYTES bounds a folder only: let a lifecycle rule bound the bucket');
  }
  const strange = values.PRERENDER?.find(({ width }) => !values.RENDITION_SIZES.includes(width));
  if (strange !== undefined) {
    problems.push(`PRERENDER names the width ${strange.width}, which RENDITION_SIZES does not have`);
  }
  if (values.S3_DELIVERY === 'redirect' && !hasLinks) {
    problems.push('S3_DELIVERY may be redirect only if BLOB_STORE_URL is on S3');
  }
  if (values.ACCEL_REDIRECT_PREFIX !== undefined && blobFolder === undefined) {
    problems.push('ACCEL_REDIRECT_PREFIX is for blobs in a folder');
  }
  return [...problems, ...webhookProblemsOf(values), ...portConflictsOf(values)];
}

function webhookProblemsOf({ WEBHOOK_URLS: urls, WEBHOOK_SECRETS: secrets }: Values): readonly string[] {
  if (urls === undefined && secrets === undefined) return [];
  if (urls === undefined) return ['WEBHOOK_SECRETS is set, but WEBHOOK_URLS is not'];
  if (secrets === undefined) return ['WEBHOOK_URLS is set, but WEBHOOK_SECRETS is not'];
  if (secrets.length === 1 || secrets.length === urls.length) return [];
  return ['WEBHOOK_SECRETS must have one group for all URLs of WEBHOOK_URLS, or one group for each'];
}

/** The other listeners are not open to everybody. Port 0 is another port for each. */
function portConflictsOf({ WEB_PORT, PORT, MANAGEMENT_PORT }: Values): readonly string[] {
  if (WEB_PORT === undefined || WEB_PORT === 0) return [];
  return Object.entries({ PORT, MANAGEMENT_PORT })
    .filter(([, other]) => other === WEB_PORT)
    .map(([name]) => `WEB_PORT must differ from ${name}: the web listener needs a port of its own`);
}

type Frozen<T> = T extends (...args: never[]) => unknown
  ? T
  : T extends object
    ? { readonly [K in keyof T]: Frozen<T[K]> }
    : T;

const MEANS_NONE_IF_EMPTY: readonly string[] = ['PRERENDER', 'INPUT_FORMATS'];

function withoutEmpty(environment: Environment): Record<string, string> {
  return Object.fromEntries(
    Object.entries(environment).filter(
      (entry): entry is [string, string] =>
        entry[1] !== undefined && (entry[1].trim() !== '' || MEANS_NONE_IF_EMPTY.includes(entry[0])),
    ),
  );
}

function problemOf({ path, message, code, input }: z.core.$ZodIssue & { readonly input?: unknown }): string {
  const name = path.join('.');
  return code === 'invalid_type' && input === undefined ? `${name} is required` : `${name} ${message}`;
}
