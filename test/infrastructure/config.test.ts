import { availableParallelism } from 'node:os';
import { expect } from 'chai';
import { type Config, parseConfig } from '../../src/infrastructure/config/config.ts';
import { InvalidConfig } from '../../src/infrastructure/config/invalid-config.ts';
import { canReusePorts } from '../../src/infrastructure/config/variable-types.ts';

type Environment = Readonly<Record<string, string | undefined>>;

const REQUIRED = {
  IDP_DOMAIN: 'https://tenant.example.com/',
  IDP_AUDIENCE: 'https://images.example.com/api',
};

function configOf(environment: Environment = {}): Config {
  return parseConfig({ ...REQUIRED, ...environment });
}

/** Those of the contract. */
const SIZES = [16, 32, 48, 64, 96, 128, 256, 320, 384, 480, 640, 750, 828, 1080, 1200, 1920, 2048, 3840];

/** The default quality and fit. */
function webp(width: number): object {
  return { width, fit: 'inside', format: 'webp', quality: 75 };
}

/** The problems of an environment; empty if it is accepted. */
function problemsOf(environment: Environment): readonly string[] {
  try {
    parseConfig(environment);
    return [];
  } catch (error) {
    if (error instanceof InvalidConfig) return error.problems;
    throw error;
  }
}

/** The location of the URL `s3://my-bucket`, with some differences. */
function bucket(differences: Readonly<Record<string, unknown>>): object {
  return { bucket: 'my-bucket', prefix: '', forcePathStyle: false, checksums: 'required', ...differences };
}

function namesIn(problems: readonly string[]): readonly string[] {
  return problems.map((problem) => problem.split(' ')[0] ?? '');
}

describe('parseConfig', () => {
  it('requires only IDP_DOMAIN and IDP_AUDIENCE', () => {
    expect(configOf()).to.deep.include({
      idp: {
        domain: 'https://tenant.example.com/',
        issuer: 'https://tenant.example.com/',
        audience: 'https://images.example.com/api',
        jwksUri: 'https://tenant.example.com/.well-known/jwks.json',
      },
      listener: { host: '0.0.0.0', port: 3000 },
      management: undefined,
      reusePort: false,
      corsOrigins: '*',
      scopes: {
        read: undefined,
        write: undefined,
        delete: undefined,
        publish: undefined,
        allSpaces: undefined,
      },
      publishNames: false,
      requestTimeoutMs: 120_000,
      shutdownGraceMs: 25_000,
      tracing: undefined,
      readOnly: false,
      delivery: { kind: 'service' },
      logLevel: 'info',
      sweep: { intervalMs: 3_600_000, graceMs: 3_600_000, changesMs: 30 * 24 * 3_600_000 },
    });
  });

  it('shares its ports on Linux with Node.js 22.12 or later, and is refused elsewhere', () => {
    const shares = (platform: string, version: string): boolean => canReusePorts(platform, version);
    expect(['22.12.0', '22.13.1', '23.1.0', '24.0.0'].filter((version) => !shares('linux', version))).to.be
      .empty;
    expect(['20.19.0', '22.11.0', '9.12.0'].filter((version) => shares('linux', version))).to.be.empty;
    expect(shares('darwin', '24.0.0')).to.equal(false);
    const isAble = canReusePorts(process.platform, process.versions.node);
    if (isAble) expect(configOf({ REUSE_PORT: 'true' }).reusePort).to.equal(true);
    else expect(() => configOf({ REUSE_PORT: 'true' })).to.throw('REUSE_PORT must be false here');
  });
});

describe('parseConfig', () => {
  describe('for a Postgres database', () => {
    const BASE = {
      host: 'db.example.com',
      port: 5432,
      user: 'ann',
      password: 'pw',
      database: 'images',
    };
    const FULL = { mode: 'verify-full', rootCertificates: undefined };
    const OFF = { mode: 'disable' };
    const accepted: ReadonlyArray<readonly [url: string, differing: object]> = [
      ['postgres://ann:pw@db.example.com/images', { tls: FULL }],
      ['postgresql://ann:pw@db.example.com:6432/images', { port: 6432, tls: FULL }],
      ['postgres://ann:pw@db.example.com/images?sslmode=verify-full', { tls: FULL }],
      ['postgres://ann:pw@db.example.com/images?sslmode=require', { tls: FULL }],
      ['postgres://ann:pw@db.example.com/images?sslmode=disable', { tls: OFF }],
      [
        'postgres://ann:pw@db.example.com/images?sslmode=verify-ca&sslrootcert=/etc/ca.pem',
        { tls: { mode: 'verify-ca', rootCertificates: '/etc/ca.pem' } },
      ],
      ['postgres://ann:pw@localhost/images', { host: 'localhost', tls: OFF }],
      ['postgres://ann:pw@127.0.0.2/images', { host: '127.0.0.2', tls: OFF }],
      ['postgres://ann:pw@[::1]:5433/images', { host: '::1', port: 5433, tls: OFF }],
      [
        'postgres://ann:pw@localhost/images?sslrootcert=ca.pem',
        { host: 'localhost', tls: { mode: 'verify-full', rootCertificates: 'ca.pem' } },
      ],
      [
        'postgres://ann@%2Fvar%2Frun%2Fpostgresql/images',
        { host: '/var/run/postgresql', password: undefined, tls: OFF },
      ],
      [
        'postgres://a%40b:p%3A%2F%23w@localhost/im%20ages',
        { host: 'localhost', user: 'a@b', password: 'p:/#w', database: 'im ages', tls: OFF },
      ],
    ];
    for (const [url, differing] of accepted) {
      it(`accepts ${url}`, () => {
        const { database } = configOf({ DATABASE_URL: url });
        expect(database).to.deep.include({ server: { ...BASE, ...differing } });
      });
    }

    const refused = [
      ...words(`
        postgres: postgres:// postgres://localhost/images postgres://ann:secret@localhost
        postgres://ann:secret@localhost/ postgres://ann:secret@localhost/a/b
        postgres://ann:secret@/images postgres://ann:secret@localhost:port/images
        postgres://ann:secret%@localhost/images postgres://ann:secret@localhost/images#secret
        postgres://ann:secret@localhost/images?sslmode=prefer
        postgres://ann:secret@localhost/images?sslmode=no-verify
        postgres://ann:secret@localhost/images?sslmode=disable&sslrootcert=/etc/ca.pem
        postgres://ann:secret@localhost/images?sslrootcert=
        postgres://ann:secret@localhost/images?sslcert=/etc/secret.pem
      `),
    ];
    for (const url of refused) {
      it(`rejects ${url}, and does not repeat the password`, () => {
        const problems = problemsOf({ ...REQUIRED, DATABASE_URL: url });

        expect(namesIn(problems)).to.deep.equal(['DATABASE_URL']);
        expect(problems.join()).to.not.include('secret');
      });
    }
  });
});

const ACCEPTED: readonly Accepted[] = [
  ['', 'capture', { storesGps: false, keywordsAreTags: true, storesTexts: true }],
  [
    'METADATA_GPS=store and METADATA_KEYWORDS=ignore and METADATA_TEXTS=ignore',
    'capture',
    { storesGps: true, keywordsAreTags: false, storesTexts: false },
  ],
  ['', 'timeZone', 'UTC'],
  ['CATALOG_TIMEZONE=America/Argentina/Buenos_Aires', 'timeZone', 'America/Argentina/Buenos_Aires'],
  ['', 'database', { file: './data/catalog.sqlite' }],
  ['DATABASE_POOL_MAX=3', 'databasePoolMax', 3],
  ['', 'blobStore.path', './data/blobs'],
  ['', 'upload.maxBytes', 52_428_800],
  ['', 'upload.maxPixels', 65_000_000],
  ['', 'upload.maxFramePixels', 250_000_000],
  ['', 'upload.stallTimeoutMs', 30_000],
  ['', 'upload.acceptedTypes', ['image/jpeg', 'image/png']],
  ['', 'renditions.sizes', SIZES],
  ['IDP_DOMAIN=http://localhost:4000/', 'idp.issuer', 'http://localhost:4000/'],
  ['IDP_DOMAIN=http://[::1]:4000/', 'idp.issuer', 'http://[::1]:4000/'],
  ['IDP_ISSUER=https://b.example.com', 'idp.issuer', 'https://b.example.com'],
  ['IDP_JWKS_URI=https://b.example.com/keys', 'idp.jwksUri', 'https://b.example.com/keys'],
  ['HOST=127.0.0.1 and PORT=0', 'listener', { host: '127.0.0.1', port: 0 }],
  ['', 'apiUrl', undefined],
  ['API_URL=http://10.0.0.1:8080/catalog/', 'apiUrl', 'http://10.0.0.1:8080/catalog/'],
  ['PORT=65535', 'listener.port', 65_535],
  ['MANAGEMENT_PORT=9000', 'management', { host: '127.0.0.1', port: 9000 }],
  ['MANAGEMENT_PORT=9000 and MANAGEMENT_HOST=0.0.0.0', 'management', { host: '0.0.0.0', port: 9000 }],
  ['MANAGEMENT_HOST=0.0.0.0', 'management', undefined],
  [
    '',
    'web',
    {
      listener: undefined,
      url: undefined,
      clientId: undefined,
      scope: 'openid',
      resource: undefined,
      connectOrigins: [],
      title: undefined,
    },
  ],
  [
    'WEB_HOST=127.0.0.1 and WEB_PORT=3002 and WEB_URL=https://cats.example.com/gallery/ and WEB_CLIENT_ID=gallery and WEB_SCOPE= offline_access  openid images:read ',
    'web',
    {
      listener: { host: '127.0.0.1', port: 3002 },
      url: 'https://cats.example.com/gallery/',
      clientId: 'gallery',
      scope: 'offline_access openid images:read',
      resource: undefined,
      connectOrigins: [],
      title: undefined,
    },
  ],
  [`WEB_TITLE=${'\u{1f408}'.repeat(40)}`, 'web.title', '\u{1f408}'.repeat(40)],
  ['WEB_PORT=3002', 'web.listener', { host: '0.0.0.0', port: 3002 }],
  ['PORT=0 and MANAGEMENT_PORT=0 and WEB_PORT=0', 'web.listener', { host: '0.0.0.0', port: 0 }],
  ['DATABASE_URL=sqlite:/var/lib/c.sqlite', 'database.file', '/var/lib/c.sqlite'],
  ['DATABASE_URL=sqlite:///var/lib/c.sqlite', 'database.file', '/var/lib/c.sqlite'],
  ['BLOB_STORE_URL=file:blobs', 'blobStore.path', 'blobs'],
  ['BLOB_STORE_URL=file:///srv/blobs', 'blobStore.path', '/srv/blobs'],
  ['', 'stagingPath', 'data/blobs/.staging'],
  ['BLOB_STORE_URL=s3://my-bucket', 'blobStore.location', bucket({})],
  ['BLOB_STORE_URL=s3://my-bucket/a/b/', 'blobStore.location', bucket({ prefix: 'a/b/' })],
  ['BLOB_STORE_URL=s3://my-bucket/.a/b..', 'blobStore.location', bucket({ prefix: '.a/b../' })],
  ['BLOB_STORE_URL=s3://my-bucket?region=x', 'blobStore.location', bucket({ region: 'x' })],
  [
    'BLOB_STORE_URL=s3://my-bucket/a?endpoint=http://127.0.0.1:9000/&region=eu-central-1&forcePathStyle=true&checksums=always',
    'blobStore.location',
    bucket({
      prefix: 'a/',
      endpoint: 'http://127.0.0.1:9000',
      region: 'eu-central-1',
      forcePathStyle: true,
      checksums: 'always',
    }),
  ],
  ['BLOB_STORE_URL=s3://my-bucket', 'stagingPath', 'data/staging'],
  [
    'BLOB_STORE_URL=s3://my-bucket and STATE_DIRECTORY=/var/lib/image-catalog',
    'stagingPath',
    '/var/lib/image-catalog/data/staging',
  ],
  [
    'BLOB_STORE_URL=s3://my-bucket and STATE_DIRECTORY=/var/lib/a:/var/lib/b',
    'stagingPath',
    '/var/lib/a/data/staging',
  ],
  [
    'BLOB_STORE_URL=s3://my-bucket and STATE_DIRECTORY=/var/lib/a and STAGING_URL=file:/var/tmp/images',
    'stagingPath',
    '/var/tmp/images',
  ],
  ['STATE_DIRECTORY=/var/lib/a', 'stagingPath', 'data/blobs/.staging'],
  ['BLOB_STORE_URL=s3://my-bucket and STAGING_URL=file:/var/tmp/images', 'stagingPath', '/var/tmp/images'],
  ['BLOB_STORE_URL=s3://my-bucket/a', 'renditions.cache.location', bucket({ prefix: 'a/' })],
  [
    'BLOB_STORE_URL=s3://my-bucket/a and RENDITION_CACHE_URL=file:/srv/cache',
    'renditions.cache.path',
    '/srv/cache',
  ],
  ['RENDITION_CACHE_URL=s3://my-bucket', 'renditions.cache.location', bucket({})],
  ['', 'renditions.cache.path', './data/renditions'],
  ['', 'renditions.cacheMaxBytes', 10_737_418_240],
  ['RENDITION_CACHE_MAX_BYTES=0', 'renditions.cacheMaxBytes', 0],
  ['BLOB_STORE_URL=s3://my-bucket and S3_DELIVERY=redirect', 'delivery', { kind: 'bucket' }],
  ['BLOB_STORE_URL=s3://my-bucket', 'delivery', { kind: 'service' }],
  ['UPLOAD_MAX_PIXELS=1000000', 'upload.maxPixels', 1_000_000],
  ['UPLOAD_MAX_FRAME_PIXELS=1000000', 'upload.maxFramePixels', 1_000_000],
  [
    'CORS_ORIGIN=https://a.example.com, http://localhost:5173',
    'corsOrigins',
    ['https://a.example.com', 'http://localhost:5173'],
  ],
  ['', 'cacheTagHeader', undefined],
  ['CACHE_TAG_HEADER=Cache-Tag', 'cacheTagHeader', 'Cache-Tag'],
  ['SCOPE_READ=read:images', 'scopes.read', 'read:images'],
  ['SCOPE_WRITE=write:images', 'scopes.write', 'write:images'],
  ['SCOPE_DELETE=delete:images', 'scopes.delete', 'delete:images'],
  ['SCOPE_PUBLISH=publish:images', 'scopes.publish', 'publish:images'],
  ['SPACE_CLAIM=org and SCOPE_ALL_SPACES=images:all', 'scopes.allSpaces', 'images:all'],
  ['PUBLISH_NAMES=true', 'publishNames', true],
  ['RENDITION_SIZES=200, 100,200', 'renditions.sizes', [100, 200]],
  ['INPUT_FORMATS=gif, jpeg,webp', 'upload.acceptedTypes', ['image/jpeg', 'image/webp', 'image/gif']],
  ['', 'renditions.prerendered', [webp(320)]],
  ['PRERENDER=320:webp, 640:webp,320:webp', 'renditions.prerendered', [webp(320), webp(640)]],
  ['PRERENDER= ', 'renditions.prerendered', []],
  ['RENDITION_SIZES=100', 'renditions.prerendered', []],
  ['', 'decoders', Math.min(64, Math.max(2, availableParallelism() + 1))],
  ['', 'decodersIdle', 1],
  ['DECODERS=3 and DECODERS_IDLE=3', 'decodersIdle', 3],
  ['DECODERS_IDLE=0', 'decodersIdle', 0],
  ['DECODERS=5', 'renditions.concurrency', 4],
  ['DECODERS=5 and RENDITION_CONCURRENCY=3', 'renditions.concurrency', 3],
  ['DECODERS=5 and RENDITION_CONCURRENCY=9', 'renditions.concurrency', 4],
  ['SWEEP_INTERVAL_SECONDS=60', 'sweep.intervalMs', 60_000],
  ['SWEEP_GRACE_SECONDS=0', 'sweep.graceMs', 0],
  ['REQUEST_TIMEOUT_SECONDS=5', 'requestTimeoutMs', 5_000],
  ['SHUTDOWN_GRACE_SECONDS=0', 'shutdownGraceMs', 0],
  ['', 'trashDays', 0],
  ['TRASH_DAYS=365', 'trashDays', 365],
  ['CHANGES_DAYS=3650', 'sweep.changesMs', 3650 * 24 * 60 * 60_000],
  ['', 'changes.streams', 1000],
  ['CHANGES_STREAMS=1', 'changes.streams', 1],
  ['', 'recordActor', true],
  ['RECORD_ACTOR=false', 'recordActor', false],
  ['IDP_ISSUER=urn:example:idp', 'idp.issuer', 'urn:example:idp'],
  ['', 'web.connectOrigins', []],
  [
    'WEB_CONNECT_ORIGINS=https://cats.auth.example.com  http://127.0.0.1:8080 http://[::1]:1',
    'web.connectOrigins',
    ['https://cats.auth.example.com', 'http://127.0.0.1:8080', 'http://[::1]:1'],
  ],
  ['', 'web.resource', undefined],
  ['WEB_RESOURCE=https://images.example.com/?a=b', 'web.resource', 'https://images.example.com/?a=b'],
  ['WEB_RESOURCE=urn:example:images', 'web.resource', 'urn:example:images'],
  ['', 'spaceClaim', undefined],
  ['SPACE_CLAIM=https://example.com/org', 'spaceClaim', 'https://example.com/org'],
  ['SPACE_CLAIM=/o/id', 'spaceClaim', '/o/id'],
  ['SPACE_CLAIM=/a~1b/~0c//', 'spaceClaim', '/a~1b/~0c//'],
  ['SPACE_CLAIM=a~b', 'spaceClaim', 'a~b'],
  ['', 'spaceLimits', { images: null, bytes: null }],
  ['CHANGES_PER_DAY=0', 'changesPerDay', 0],
  ['SPACE_MAX_IMAGES=0', 'spaceLimits', { images: 0, bytes: null }],
  ['SPACE_MAX_BYTES=0', 'spaceLimits', { images: null, bytes: 0 }],
  ['READ_ONLY=true', 'readOnly', true],
  [
    'ACCEL_REDIRECT_PREFIX=/_blobs/',
    'delivery',
    { kind: 'nginx', prefix: '/_blobs/', blobFolder: './data/blobs' },
  ],
  ['LOG_LEVEL=debug', 'logLevel', 'debug'],
  [
    'OTEL_EXPORTER_OTLP_ENDPOINT=http://collector:4318 and OTEL_SERVICE_NAME=pictures',
    'tracing',
    { endpoint: 'http://collector:4318', serviceName: 'pictures' },
  ],
];

describe('parseConfig', () => {
  describe('accepts', () => {
    for (const [described, path, value] of ACCEPTED) {
      it(`${described} as ${path}`, () => {
        expect(configOf(environmentOf(described))).to.have.deep.nested.property(path, value);
      });
    }

    for (const name of [
      'PORT',
      'CORS_ORIGIN',
      'SCOPE_READ',
      'DATABASE_URL',
      'LOG_LEVEL',
      'MANAGEMENT_PORT',
    ]) {
      it(`an empty ${name} like an unset one`, () => {
        expect(configOf({ [name]: '' })).to.deep.equal(configOf());
        expect(configOf({ [name]: '  ' })).to.deep.equal(configOf());
      });
    }

    for (const [ends, value] of [
      ['a line feed', `${REQUIRED.IDP_AUDIENCE}\n`],
      ['blanks, tabs and line ends of Windows', `\t ${REQUIRED.IDP_AUDIENCE} \r\n`],
      ['control characters and a byte order mark', `\ufeff\u0000${REQUIRED.IDP_AUDIENCE}\u001f\u0085`],
    ]) {
      it(`a value with ${ends} at its ends, without them`, () => {
        expect(configOf({ IDP_AUDIENCE: value })).to.deep.equal(configOf());
      });
    }

    it('a file and secrets that end with a line feed, without it', () => {
      const secret = `whsec_${Buffer.alloc(24).toString('base64')}`;
      const env = { WEBHOOK_URLS: 'https://a.example.com/', DATABASE_URL: 'sqlite:./x.sqlite' };
      const plain = configOf({ ...env, WEBHOOK_SECRETS: secret });

      const read = configOf({
        WEBHOOK_URLS: `${env.WEBHOOK_URLS}\n`,
        DATABASE_URL: `${env.DATABASE_URL}\n`,
        WEBHOOK_SECRETS: `\n${secret}\n`,
      });

      expect(read).to.deep.equal(plain);
    });

    it('a value of control characters alone like an unset one', () => {
      expect(configOf({ SCOPE_DELETE: '\r\n\t' })).to.deep.equal(configOf());
    });

    it('unknown variables and ignores them', () => {
      expect(configOf({ PATH: '/bin', IDP_SECRET: 'x' })).to.deep.equal(configOf());
    });
  });
});

/** The words of a text. */
function words(text: string): readonly string[] {
  return text.trim().split(/\s+/);
}

/** Of the one type of all numbers. */
const noWholeNumbers = ['-1', '1.5', '1e3', '0x10', 'many', '1 1', '+1', '1,000', '9'.repeat(20)];

const badBuckets = [
  ...words(`
    s3: s3:// s3:my-bucket s3://My_Bucket s3://ab s3://my-bucket:9000 s3://my-bucket//
    s3://my-bucket//a s3://my-bucket/a// s3://my-bucket/a//b s3://my-bucket/. s3://my-bucket/..
    s3://my-bucket/a/./b s3://my-bucket/a/../b s3://my-bucket/a/b/.. s3://my-bucket/a/%2e%2E/b
    s3://my-bucket/a#b s3://key:secret@my-bucket s3://my-bucket?endpiont=https://s3.example.com
    s3://my-bucket?endpoint=s3.example.com s3://my-bucket?endpoint=ftp://s3.example.com
    s3://my-bucket?endpoint=https://key:secret@s3.example.com s3://my-bucket?region=
    s3://my-bucket?region=a&region=b s3://my-bucket?forcePathStyle=1
    s3://my-bucket?checksums=sometimes
  `),
  's3://my-bucket/a\\b',
  's3://my-bucket/a\tb',
  's3://my-bucket/a b',
];

const refused: Readonly<Record<string, readonly string[]>> = {
  IDP_DOMAIN: [
    ...words(`
      tenant.example.com/ https://tenant.example.com http://tenant.example.com/
      http://localhost.example.com/ ftp://tenant.example.com/ https://tenant.example.com/?a=/
      https://tenant.example.com/#/ https:///
      https://login.example.com/{tenantid}/v2.0/ https://login.example.com/%7Btenantid%7D/
    `),
  ],
  IDP_ISSUER: ['https://login.example.com/{tenantid}/v2.0', 'urn:{tenant}', 'https://a.test/%7btenant%7d'],
  METADATA_GPS: ['true'],
  METADATA_KEYWORDS: ['store'],
  METADATA_TEXTS: ['tags'],
  CATALOG_TIMEZONE: ['Europe/Nowhere', '+02:00'],
  PORT: [...noWholeNumbers, '65536'],
  API_URL: [
    ...words(`
      images.example.com/ https://images.example.com https://images.example.com/catalog
      ftp://images.example.com/ https://images.example.com/?a=/ https://images.example.com/?
      https://images.example.com/#/ https://me@images.example.com/
      https://me:secret@images.example.com/ https:///
    `),
  ],
  MANAGEMENT_PORT: ['65536'],
  WEB_PORT: ['65536'],
  WEB_URL: ['https://cats.example.com'],
  WEB_CLIENT_ID: ['gällery', 'two\nlines'],
  WEB_TITLE: ['x'.repeat(41), '\u{1f408}'.repeat(41), 'two\nlines', 'tab\tstop', 'del\x7fete', 'c1\x85 c1'],
  WEB_CONNECT_ORIGINS: [
    ...words(`
      auth.example.com https://auth.example.com/ https://auth.example.com/token * https://*.example.com 'self'
      https://a.example.com,https://b.example.com http://auth.example.com ftp://a.example.com null
      https://a;script-src https://a'b https://me@a.example.com https://A.example.com https://a.example.com:443
    `),
    'https://a.example.com; script-src *',
    'https://a.example.com\nhttps://b.example.com',
  ],
  WEB_RESOURCE: [
    'images',
    '/images',
    'https://a.example.com/#x',
    'https://a.example.com/#',
    'urn:a b',
    'urn:ä',
  ],
  WEB_SCOPE: ['images:read', 'openid a"b', 'openid, images:read', 'open id'],
  DATABASE_URL: ['./catalog.sqlite', 'sqlite:', 'sqlite://host/catalog.sqlite', 'mysql://host/db', 'file:x'],
  BLOB_STORE_URL: ['./blobs', 'file:', 'file://host/blobs', 'https://host/blobs', 'sqlite:x', ...badBuckets],
  RENDITION_CACHE_URL: ['./cache', 'file://host/cache', ...badBuckets],
  STAGING_URL: ['./staging', 'file:', 'file://host/staging', 's3://my-bucket'],
  S3_DELIVERY: ['direct', 'PROXY', 'true'],
  UPLOAD_MAX_BYTES: ['0'],
  UPLOAD_MAX_PIXELS: ['0', '268402690'],
  UPLOAD_MAX_FRAME_PIXELS: ['0', '1099511627777'],
  INPUT_FORMATS: ['', ' ', 'jpg', 'jpeg,', 'jpeg;png', 'jpeg,avif', 'JPEG'],
  CORS_ORIGIN: [
    ...words(`
      app.example.com https://app.example.com/ https://app.example.com/path
      *,https://app.example.com https://*.example.com https://a.example.com, null
    `),
  ],
  CACHE_TAG_HEADER: [
    ...words(`
      Cache-Tag: tägs ETag etag CACHE-CONTROL CDN-Cache-Control Date X-Request-Id
      Access-Control-Allow-Origin
    `),
    'two words',
    'Cache-Tag, xkey',
  ],
  SCOPE_READ: ['two scopes', 'a"b', 'a\\b', 'übersicht'],
  SCOPE_WRITE: ['two scopes'],
  SCOPE_DELETE: ['two scopes'],
  SCOPE_PUBLISH: ['two scopes'],
  SCOPE_ALL_SPACES: ['two scopes', 'without-a-claim'],
  PUBLISH_NAMES: ['yes'],
  RENDITION_SIZES: ['0', '-1', 'large', '1.5', '100000', ','],
  PRERENDER: ['320', 'webp', '320:gif', '320x240:webp', '321:webp', '0:webp', '320:webp;640:webp'],
  DECODERS: ['0', '1', '65'],
  DECODERS_IDLE: ['65'],
  RENDITION_CONCURRENCY: ['0'],
  SWEEP_INTERVAL_SECONDS: ['0'],
  REQUEST_TIMEOUT_SECONDS: ['0'],
  CHANGES_DAYS: ['0', '3651'],
  CHANGES_PER_DAY: ['-1', '1.5', '9007199254740992'],
  TRASH_DAYS: ['366'],
  CHANGES_STREAMS: ['0', '100001'],
  RECORD_ACTOR: ['1', 'no', 'False'],
  SPACE_CLAIM: ['org\nunit', 'org\0unit', 'org\ud800', '/o/~', '/~2/id', '/a\nb'],
  SPACE_MAX_BYTES: ['9007199254740992'],
  SPACE_MAX_IMAGES: ['9007199254740992'],
  READ_ONLY: ['1', 'yes', 'on', 'TRUE', 'True', 'tr ue', 'false,true'],
  ACCEL_REDIRECT_PREFIX: [
    ...words('/ _blobs/ /_blobs // /a//b/ /../ /a?/ /api/ /api/image/ https://x/'),
    '/a b/',
  ],
  LOG_LEVEL: ['verbose', 'INFO', '30'],
  OTEL_EXPORTER_OTLP_ENDPOINT: ['collector:4318', 'grpc://collector:4317', '/v1/traces'],
};

describe('parseConfig rejects', () => {
  for (const [name, values] of Object.entries(refused)) {
    for (const value of values) {
      it(`${name}=${JSON.stringify(value)}, and names it once`, () => {
        expect(namesIn(problemsOf({ ...REQUIRED, [name]: value }))).to.deep.equal([name]);
      });
    }
  }

  for (const name of ['IDP_DOMAIN', 'IDP_AUDIENCE'] as const) {
    for (const value of [undefined, '', '  ']) {
      it(`${name} if it is ${JSON.stringify(value) ?? 'not set'}`, () => {
        expect(problemsOf({ ...REQUIRED, [name]: value })).to.deep.equal([`${name} is required`]);
      });
    }
  }
});

const SECRET = `whsec_${Buffer.alloc(32, 7).toString('base64')}`;
const OTHER_SECRET = `whsec_${Buffer.alloc(24, 8).toString('base64')}`;
const PRIVATE_URL = 'https://user:hunter2@a.example.com/hooks?key=opensesame';

describe('parseConfig for webhooks', () => {
  it('has none by default', () => {
    expect(configOf().webhooks).to.deep.equal([]);
  });

  it('takes URLs as they are written, and one group of secrets for all', () => {
    const environment = {
      WEBHOOK_URLS: ` ${PRIVATE_URL} , http://b.example.com`,
      WEBHOOK_SECRETS: `${SECRET} ${OTHER_SECRET}`,
    };
    const secrets = [SECRET, OTHER_SECRET];
    expect(configOf(environment).webhooks).to.deep.equal([
      { url: PRIVATE_URL, secrets },
      { url: 'http://b.example.com', secrets },
    ]);
  });

  it('takes one group of secrets for each URL, in their order', () => {
    const environment = {
      WEBHOOK_URLS: 'https://a.example.com,https://b.example.com',
      WEBHOOK_SECRETS: `${SECRET},${OTHER_SECRET}  ${SECRET}`,
    };
    expect(configOf(environment).webhooks.map(({ secrets }) => secrets)).to.deep.equal([
      [SECRET],
      [OTHER_SECRET, SECRET],
    ]);
  });

  const secretOf = (bytes: number): string => `whsec_${Buffer.alloc(bytes, 9).toString('base64')}`;
  const eleven = Array.from({ length: 11 }, (_, at) => `https://${at}.example.com`).join(',');
  const refused: ReadonlyArray<readonly [what: string, urls: string | undefined, secrets?: string]> = [
    ['a URL with a fragment', `${PRIVATE_URL}#there`],
    ['a URL with an empty fragment', `${PRIVATE_URL}#`],
    ['a URL twice', `${PRIVATE_URL},${PRIVATE_URL}`],
    ['an empty URL', `${PRIVATE_URL},`],
    ['a URL of another scheme', 'ftp://hunter2@a.example.com'],
    ['no URL', 'hunter2'],
    ['a password that is not encoded', 'https://%zz:hunter2@a.example.com'],
    ['eleven URLs', eleven],
    ['more groups of secrets than URLs', undefined, `${SECRET},${SECRET}`],
    ['an empty group of secrets', undefined, `${SECRET},`],
    ['a secret without its prefix', undefined, SECRET.slice('whsec_'.length)],
    ['a secret without padding', undefined, SECRET.slice(0, -1)],
    ['a secret of 23 bytes', undefined, secretOf(23)],
    ['a secret of 65 bytes', undefined, secretOf(65)],
  ];
  for (const [what, urls = PRIVATE_URL, secrets = SECRET] of refused) {
    const variable = urls === PRIVATE_URL ? 'WEBHOOK_SECRETS' : 'WEBHOOK_URLS';
    it(`rejects ${what}, and names ${variable} but no secret`, () => {
      expectRefused({ WEBHOOK_URLS: urls, WEBHOOK_SECRETS: secrets }, variable);
    });
  }

  for (const [variable, value] of Object.entries({ WEBHOOK_URLS: PRIVATE_URL, WEBHOOK_SECRETS: SECRET })) {
    it(`rejects ${variable} alone`, () => expectRefused({ [variable]: value }, variable));
  }

  function expectRefused(environment: Environment, variable: string): void {
    const problems = problemsOf({ ...REQUIRED, ...environment });
    expect(namesIn(problems)).to.deep.equal([variable]);
    expect(problems.join()).not.to.match(/hunter2|opensesame|[A-Za-z0-9+/]{30}/);
  }
});

describe('parseConfig with mistakes', () => {
  it('repeats nothing of a URL with a password', () => {
    const problems = problemsOf({ ...REQUIRED, BLOB_STORE_URL: 's3://key:hunter2@my-bucket' });
    expect(problems.join()).to.include('BLOB_STORE_URL').and.not.to.include('hunter2');
  });

  for (const [variable, environment] of [
    ['STAGING_URL', { STAGING_URL: 'file:/var/tmp' }],
    ['S3_DELIVERY', { S3_DELIVERY: 'redirect' }],
    ['ACCEL_REDIRECT_PREFIX', { BLOB_STORE_URL: 's3://my-bucket', ACCEL_REDIRECT_PREFIX: '/_blobs/' }],
    ['UPLOAD_MAX_BYTES', { BLOB_STORE_URL: 's3://my-bucket', UPLOAD_MAX_BYTES: '5368709121' }],
    ['RENDITION_CACHE_MAX_BYTES', { BLOB_STORE_URL: 's3://my-bucket', RENDITION_CACHE_MAX_BYTES: '1' }],
  ] as const) {
    it(`rejects ${described(environment)}, because ${variable} would have no effect`, () => {
      expect(namesIn(problemsOf({ ...REQUIRED, ...environment }))).to.deep.equal([variable]);
    });
  }

  for (const [other, environment] of [
    ['PORT', { WEB_PORT: '3000' }],
    ['PORT', { PORT: '4000', WEB_PORT: '4000' }],
    ['MANAGEMENT_PORT', { MANAGEMENT_PORT: '9000', WEB_PORT: '9000', WEB_HOST: '127.0.0.1' }],
  ] as const) {
    it(`rejects ${described(environment)}, and names WEB_PORT and ${other}`, () => {
      const problems = problemsOf({ ...REQUIRED, ...environment });
      expect(namesIn(problems)).to.deep.equal(['WEB_PORT']);
      expect(problems.join()).to.include(` ${other}:`);
    });
  }

  for (const name of ['SCOPE_READ', 'SCOPE_WRITE', 'SCOPE_DELETE', 'SCOPE_PUBLISH']) {
    it(`rejects SCOPE_ALL_SPACES with the scope of ${name}, whose tokens would reach every space`, () => {
      const environment = { SPACE_CLAIM: 'org', SCOPE_ALL_SPACES: 'images', [name]: 'images' };

      const problems = problemsOf({ ...REQUIRED, ...environment });

      expect(namesIn(problems)).to.deep.equal(['SCOPE_ALL_SPACES']);
      expect(problems.join()).to.include(` ${name}:`);
    });
  }

  it('rejects more decoders that stay without work than there may be', () => {
    const problems = problemsOf({ ...REQUIRED, DECODERS: '3', DECODERS_IDLE: '4' });

    expect(namesIn(problems)).to.deep.equal(['DECODERS_IDLE']);
  });

  for (const name of ['WEB_PORT', 'MANAGEMENT_PORT']) {
    it(`shows a service link of Kubernetes in ${name}, and says how to turn it off`, () => {
      expect(problemsOf({ ...REQUIRED, [name]: 'tcp://10.96.0.7:80' })).to.deep.equal([
        `${name} must be a whole number from 0 to 65535, and is tcp://10.96.0.7:80: Kubernetes sets it for a Service of that name. Set enableServiceLinks: false in the pod`,
      ]);
    });
  }

  it('reports all problems at once', () => {
    const problems = problemsOf({ PORT: 'x', LOG_LEVEL: 'loud', CORS_ORIGIN: 'here', UPLOAD_MAX_BYTES: '0' });
    expect(namesIn(problems)).to.have.members([
      'IDP_DOMAIN',
      'IDP_AUDIENCE',
      'PORT',
      'LOG_LEVEL',
      'CORS_ORIGIN',
      'UPLOAD_MAX_BYTES',
    ]);
  });

  it('lists each problem on a line of its message', () => {
    const { message } = new InvalidConfig(['A is required', 'B is required']);
    expect(message).to.match(/^[^\n]+\n +A is required\n +B is required$/);
  });

  it('names the commands that help if no provider is configured', () => {
    const both = /image-catalog init.*image-catalog demo/s;
    for (const name of ['IDP_DOMAIN', 'IDP_AUDIENCE']) {
      expect(new InvalidConfig([`${name} is required`]).message).to.match(both);
    }
    expect(new InvalidConfig(['PORT must be a whole number']).message).not.to.match(both);
  });

  it('returns an immutable object', () => {
    const config = configOf({ CORS_ORIGIN: 'https://app.example.com', MANAGEMENT_PORT: '1' });
    expect(mutableIn(config)).to.deep.equal([]);
  });
});

/** The environment as it is described. */
type Accepted = readonly [described: string, path: string, value: unknown];

function environmentOf(described: string): Environment {
  const assignments = described === '' ? [] : described.split(' and ');
  return Object.fromEntries(
    assignments.map((each) => /^(\w+)=([^]*)$/.exec(each)?.slice(1) as [string, string]),
  );
}

function described(environment: Environment): string {
  return Object.entries(environment)
    .map(([name, value]) => `${name}=${value}`)
    .join(' and ');
}

/** The paths of all objects in a value that can be changed. */
function mutableIn(value: unknown, path = 'config'): readonly string[] {
  if (typeof value !== 'object' || value === null) return [];
  const inside = Object.entries(value).flatMap(([name, member]) => mutableIn(member, `${path}.${name}`));
  return Object.isFrozen(value) ? inside : [path, ...inside];
}
