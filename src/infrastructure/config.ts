import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { z } from 'zod';
import { STAGING_FOLDER } from '../adapters/filesystem/filesystem-staging-area.ts';
import type { S3Location } from '../adapters/s3/s3-location.ts';
import type { PostgresConnection } from '../adapters/sql/postgres-database.ts';
import { postgresUrl } from './postgres-url.ts';
import { pathUrl, type StoreLocation, storeUrl } from './store-url.ts';

export type DatabaseConfig =
  | { readonly kind: 'sqlite'; readonly path: string }
  | ({ readonly kind: 'postgres' } & PostgresConnection);

/** What the catalog is kept in and how it is worked on: all that the maintenance commands need. */
export interface StorageConfig {
  readonly database: DatabaseConfig;
  readonly blobStore: StoreLocation;
  /** Folder of the uploads under way. */
  readonly stagingPath: string;
  readonly upload: {
    readonly maxBytes: number;
    readonly maxPixels: number;
    /** Uploads under way at a time. */
    readonly concurrency: number;
    /** How long a client may send nothing of its body. */
    readonly stallTimeoutMs: number;
  };
  /** Memory of all decodes together. */
  readonly decodeMemoryBytes: number;
  readonly renditions: {
    /** Allowed widths and heights in pixels, ascending. */
    readonly sizes: readonly number[];
    /** Encodes at a time. */
    readonly concurrency: number;
    readonly cache: StoreLocation;
    /** Of a cache in a folder. */
    readonly cacheMaxBytes: number;
  };
  readonly sweep: { readonly intervalMs: number; readonly graceMs: number };
  readonly requestTimeoutMs: number;
  readonly logLevel: 'trace' | 'debug' | 'info' | 'warn' | 'error' | 'fatal' | 'silent';
}

/** Everything that can be set from outside, parsed: section 7 of the contract. */
export interface Config extends StorageConfig {
  readonly idp: {
    /** Expected `iss`. */
    readonly issuer: string;
    /** Expected `aud`. */
    readonly audience: string;
    readonly jwksUri: string;
  };
  readonly listener: { readonly host: string; readonly port: number };
  /** The second listener, for `/livez`, `/readyz` and `/metrics`; off where undefined. */
  readonly management: { readonly host: string; readonly port: number } | undefined;
  readonly corsOrigins: '*' | readonly string[];
  readonly scopes: {
    readonly read: string | undefined;
    readonly write: string | undefined;
    readonly delete: string | undefined;
  };
  /** Whether uploads and deletes are refused, and nothing is swept. */
  readonly readOnly: boolean;
  readonly delivery: DeliveryConfig;
  readonly shutdownGraceMs: number;
}

/** Who sends the bytes of originals: the service itself, nginx in front of it, or the bucket that they are in. */
export type DeliveryConfig =
  | { readonly kind: 'service' }
  | {
      readonly kind: 'nginx' /** Of the URIs under which it does. */;
      readonly prefix: string;
      readonly blobFolder: string;
    }
  | { readonly kind: 'bucket'; readonly location: S3Location };

/** Some variables are missing or wrong: one line for each in `problems`. */
export class InvalidConfig extends Error {
  constructor(readonly problems: readonly string[]) {
    super(`The configuration is not valid:\n${problems.map((problem) => `  ${problem}`).join('\n')}`);
  }
}

type Environment = Readonly<Record<string, string | undefined>>;

/** Not to be set from outside: the contract promises it. */
const STALL_TIMEOUT_MS = 30_000;

const LOOPBACK_HOSTS = ['localhost', '127.0.0.1', '[::1]'];

function urlProblem(text: string): string | undefined {
  if (!URL.canParse(text)) return 'must be a URL such as https://tenant.example.com/';
  const { protocol, hostname } = new URL(text);
  if (protocol === 'https:') return undefined;
  if (protocol === 'http:' && LOOPBACK_HOSTS.includes(hostname)) return undefined;
  return 'must be an https URL (http is for loopback hosts only)';
}

const secureUrl = z.string().superRefine((text, check) => {
  const problem = urlProblem(text);
  if (problem !== undefined) check.addIssue({ code: 'custom', message: problem });
});

const idpDomain = secureUrl.refine(
  (text) => !URL.canParse(text) || (text.endsWith('/') && !/[?#]/.test(text)),
  {
    message: 'must end with a slash, as in https://tenant.example.com/',
  },
);

/** A whole number in plain digits; `Number` would take '', ' 1 ', '1e3' and '0x10' as well. */
function integer(min: number, max: number): z.ZodType<number, string> {
  const message = `must be a whole number from ${min} to ${max}`;
  return z
    .string()
    .regex(/^\d{1,16}$/, message)
    .transform(Number)
    .refine((value) => value >= min && value <= max, message);
}

const sqliteUrl = pathUrl('sqlite', 'sqlite:./data/catalog.sqlite');

const databaseUrl = z
  .string()
  .default('sqlite:./data/catalog.sqlite')
  .transform((url, check) => {
    const isPostgres = /^postgres(?:ql)?:/.test(url);
    const result = isPostgres
      ? postgresUrl.transform((server) => ({ kind: 'postgres' as const, ...server })).safeParse(url)
      : sqliteUrl.transform((path) => ({ kind: 'sqlite' as const, path })).safeParse(url);
    if (result.success) return result.data;
    // Never the address itself: it may hold a password.
    for (const { message } of result.error.issues) check.addIssue({ code: 'custom', message });
    return z.NEVER;
  });

const origins = z
  .string()
  .default('*')
  .transform((text) => text.split(',').map((origin) => origin.trim()))
  .refine((list) => list.every((origin) => (origin === '*' ? list.length === 1 : isOrigin(origin))), {
    message: 'must be * or origins such as https://app.example.com, separated by commas',
  })
  .transform((list) => (list[0] === '*' ? '*' : list));

function isOrigin(text: string): boolean {
  // Nothing is made of wildcards in an origin; an asterisk would pass for a host name that matches none.
  return URL.canParse(text) && new URL(text).origin === text && !text.includes('*');
}

const DEFAULT_SIZES = '16,32,48,64,96,128,256,320,384,480,640,750,828,1080,1200,1920,2048,3840';

/** Largest side in pixels: what WebP can hold (https://developers.google.com/speed/webp/faq). */
const MAX_SIZE = 16_383;

const sizes = z
  .string()
  .default(DEFAULT_SIZES)
  .transform((text) => text.split(/[ ,]+/).filter((size) => size !== ''))
  .refine(
    (list) =>
      list.length > 0 && list.every((size) => /^[1-9]\d{0,4}$/.test(size) && Number(size) <= MAX_SIZE),
    {
      message: `must be whole numbers from 1 to ${MAX_SIZE}, separated by commas`,
    },
  )
  .transform((list) => [...new Set(list.map(Number))].sort((a, b) => a - b));

/** RFC 6749, section 3.3: one scope token. */
const scope = z
  .string()
  .regex(/^[\x21\x23-\x5b\x5d-\x7e]+$/, 'must be one scope, without spaces')
  .optional();

/** Strict: a switch that is thought to be on must not be off for a spelling. */
const flag = z
  .enum(['true', 'false'], 'must be true or false')
  .default('false')
  .transform((text) => text === 'true');

/** Of characters that mean themselves in a URI and in nginx's configuration. What nginx has there, nobody else can ask for. */
const internalPrefix = z
  .string()
  .regex(
    /^(?!\/api\/)(?:\/[\w-][\w.-]*)+\/$/,
    'must be a path with a slash at both ends that is not of the API, as in /_blobs/',
  )
  .optional();

const port = integer(0, 65_535);
const LOG_LEVELS = ['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'] as const;

const DELIVERIES = ['proxy', 'redirect'] as const;

const storageSchema = z.object({
  DATABASE_URL: databaseUrl,
  DATABASE_POOL_MAX: integer(1, 1000).default(10),
  BLOB_STORE_URL: storeUrl.default({ kind: 'file', path: './data/blobs' }),
  STAGING_URL: pathUrl('file', 'file:./data/staging').optional(),
  UPLOAD_MAX_BYTES: integer(1, 2 ** 40).default(50 * 1024 * 1024),
  UPLOAD_MAX_PIXELS: integer(1, 268_402_689).default(50_000_000),
  UPLOAD_CONCURRENCY: integer(1, 10_000).default(64),
  DECODE_MEMORY_BYTES: integer(1, 2 ** 50).default(1024 ** 3),
  RENDITION_SIZES: sizes,
  RENDITION_CACHE_URL: storeUrl.optional(),
  RENDITION_CACHE_MAX_BYTES: integer(0, 2 ** 50).optional(),
  RENDITION_CONCURRENCY: integer(1, 1024).default(availableParallelism() + 1),
  SWEEP_INTERVAL_SECONDS: integer(1, 2_000_000).default(3600),
  SWEEP_GRACE_SECONDS: integer(0, 2_000_000).default(3600),
  REQUEST_TIMEOUT_SECONDS: integer(1, 86_400).default(120),
  LOG_LEVEL: z.enum(LOG_LEVELS, `must be one of ${LOG_LEVELS.join(', ')}`).default('info'),
});

const schema = storageSchema.extend({
  IDP_DOMAIN: idpDomain,
  IDP_AUDIENCE: z.string(),
  IDP_ISSUER: z.string().optional(),
  IDP_JWKS_URI: secureUrl.optional(),
  HOST: z.string().default('0.0.0.0'),
  PORT: port.default(3000),
  MANAGEMENT_HOST: z.string().default('127.0.0.1'),
  MANAGEMENT_PORT: port.optional(),
  CORS_ORIGIN: origins,
  SCOPE_READ: scope,
  SCOPE_WRITE: scope,
  SCOPE_DELETE: scope,
  READ_ONLY: flag,
  ACCEL_REDIRECT_PREFIX: internalPrefix,
  S3_DELIVERY: z.enum(DELIVERIES, `must be one of ${DELIVERIES.join(', ')}`).default('proxy'),
  SHUTDOWN_GRACE_SECONDS: integer(0, 3600).default(25),
});

/**
 * Reads the configuration out of environment variables. Pure: the same variables give the same, frozen, configuration.
 * A variable that is set to nothing counts as not set.
 *
 * @throws {InvalidConfig} with all problems at once
 */
export function parseConfig(environment: Environment): Config {
  const values = parse(schema, environment);
  const storage = storageConfigOf(values);
  const problems = contradictionsOf(values, storage);
  if (problems.length > 0) throw new InvalidConfig(problems);
  return deepFrozen({
    ...storage,
    idp: {
      issuer: values.IDP_ISSUER ?? values.IDP_DOMAIN,
      audience: values.IDP_AUDIENCE,
      jwksUri: values.IDP_JWKS_URI ?? `${values.IDP_DOMAIN}.well-known/jwks.json`,
    },
    listener: { host: values.HOST, port: values.PORT },
    management:
      values.MANAGEMENT_PORT === undefined
        ? undefined
        : { host: values.MANAGEMENT_HOST, port: values.MANAGEMENT_PORT },
    corsOrigins: values.CORS_ORIGIN,
    scopes: { read: values.SCOPE_READ, write: values.SCOPE_WRITE, delete: values.SCOPE_DELETE },
    readOnly: values.READ_ONLY,
    delivery: deliveryOf(values, storage),
    shutdownGraceMs: values.SHUTDOWN_GRACE_SECONDS * 1000,
  });
}

/**
 * The part that needs no identity provider.
 *
 * @throws {InvalidConfig} with all problems at once
 */
export function parseStorageConfig(environment: Environment): StorageConfig {
  return deepFrozen(storageConfigOf(parse(storageSchema, environment)));
}

function deliveryOf(values: z.output<typeof schema>, { blobStore }: StorageConfig): DeliveryConfig {
  const { ACCEL_REDIRECT_PREFIX: prefix, S3_DELIVERY: delivery } = values;
  if (blobStore.kind === 's3')
    return delivery === 'redirect' ? { kind: 'bucket', location: blobStore } : { kind: 'service' };
  return prefix === undefined ? { kind: 'service' } : { kind: 'nginx', prefix, blobFolder: blobStore.path };
}

function parse<Schema extends z.ZodType>(shape: Schema, environment: Environment): z.output<Schema> {
  const result = shape.safeParse(withoutEmpty(environment));
  if (result.success) return result.data;
  throw new InvalidConfig(result.error.issues.map(problemOf));
}

const DEFAULT_CACHE_BYTES = 10 * 1024 ** 3;

/** What a single request can bring into a bucket (https://docs.aws.amazon.com/AmazonS3/latest/API/API_PutObject.html). */
const MAX_OBJECT_BYTES = 5 * 1024 ** 3;

function storageConfigOf(values: z.output<typeof storageSchema>): StorageConfig {
  const blobStore = values.BLOB_STORE_URL;
  const cache = values.RENDITION_CACHE_URL ?? cacheBeside(blobStore);
  return {
    database:
      values.DATABASE_URL.kind === 'sqlite'
        ? values.DATABASE_URL
        : { ...values.DATABASE_URL, poolMax: values.DATABASE_POOL_MAX },
    blobStore,
    stagingPath: stagingBeside(blobStore) ?? values.STAGING_URL ?? './data/staging',
    upload: {
      maxBytes: values.UPLOAD_MAX_BYTES,
      maxPixels: values.UPLOAD_MAX_PIXELS,
      concurrency: values.UPLOAD_CONCURRENCY,
      stallTimeoutMs: STALL_TIMEOUT_MS,
    },
    decodeMemoryBytes: values.DECODE_MEMORY_BYTES,
    renditions: {
      sizes: values.RENDITION_SIZES,
      concurrency: values.RENDITION_CONCURRENCY,
      cache,
      cacheMaxBytes: values.RENDITION_CACHE_MAX_BYTES ?? DEFAULT_CACHE_BYTES,
    },
    sweep: {
      intervalMs: values.SWEEP_INTERVAL_SECONDS * 1000,
      graceMs: values.SWEEP_GRACE_SECONDS * 1000,
    },
    requestTimeoutMs: values.REQUEST_TIMEOUT_SECONDS * 1000,
    logLevel: values.LOG_LEVEL,
  };
}

/** Each kind of store has a place for both; in a bucket they are apart by what stands before their keys. */
function cacheBeside(blobStore: StoreLocation): StoreLocation {
  return blobStore.kind === 's3' ? blobStore : { kind: 'file', path: './data/renditions' };
}

/** Among the files that they become by a rename, which takes one file system. */
function stagingBeside(blobStore: StoreLocation): string | undefined {
  return blobStore.kind === 'file' ? join(blobStore.path, STAGING_FOLDER) : undefined;
}

/**
 * Variables that would silently do nothing, or fail later, beside others. Commands are not as strict: they may work on one part
 * of a configuration that was made for another.
 */
function contradictionsOf(
  values: z.output<typeof schema>,
  { blobStore, renditions: { cache } }: StorageConfig,
): readonly string[] {
  const isOnS3 = blobStore.kind === 's3';
  const problems: string[] = [];
  if (values.STAGING_URL !== undefined && !isOnS3)
    problems.push('STAGING_URL is for blobs on S3: those in a folder are staged within it');
  if (values.UPLOAD_MAX_BYTES > MAX_OBJECT_BYTES && isOnS3)
    problems.push(`UPLOAD_MAX_BYTES must be at most ${MAX_OBJECT_BYTES} where blobs are on S3`);
  if (values.RENDITION_CACHE_MAX_BYTES !== undefined && cache.kind === 's3')
    problems.push('RENDITION_CACHE_MAX_BYTES bounds a folder only: let a lifecycle rule bound the bucket');
  if (values.S3_DELIVERY === 'redirect' && !isOnS3)
    problems.push('S3_DELIVERY may be redirect only where BLOB_STORE_URL is on S3');
  if (values.ACCEL_REDIRECT_PREFIX !== undefined && isOnS3)
    problems.push('ACCEL_REDIRECT_PREFIX is for blobs in a folder');
  return problems;
}

function deepFrozen<T extends object>(value: T): T {
  for (const member of Object.values(value)) {
    if (typeof member === 'object' && member !== null) deepFrozen(member as object);
  }
  return Object.freeze(value);
}

function withoutEmpty(environment: Environment): Record<string, string> {
  return Object.fromEntries(
    Object.entries(environment).filter((entry): entry is [string, string] => (entry[1] ?? '').trim() !== ''),
  );
}

function problemOf({ path, message, code, input }: z.core.$ZodIssue & { readonly input?: unknown }): string {
  const name = path.join('.');
  return code === 'invalid_type' && input === undefined ? `${name} is required` : `${name} ${message}`;
}
