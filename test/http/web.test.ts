import { brotliCompressSync, gzipSync } from 'node:zlib';
import { expect } from 'chai';
import type { Response } from 'supertest';
import { pagePolicy } from '../../src/adapters/http/response/content-security-policy.ts';
import { type WebFile, webFile } from '../../src/adapters/http/response/web-file.ts';
import type { WebFiles } from '../../src/adapters/http/web/read-web-files.ts';
import { startFor } from '../support/http/start-for.ts';
import { TestService } from '../support/http/test-service.ts';
import { WebListener } from '../support/http/web-listener.ts';

const HTML = 'text/html; charset=utf-8';
const SCRIPT = 'text/javascript; charset=utf-8';
const PAGE = Buffer.from('<!doctype html><title>Cats</title>'.padEnd(200));
const CODE = Buffer.from('console.log("cats");'.padEnd(200));
const MANIFEST = Buffer.from('{"name":"Image Catalog","short_name":"Catalog","lang":"en"}'.padEnd(200));
const FILES: WebFiles = new Map([
  ['/', compressedFile(HTML, PAGE)],
  ['/docs/', compressedFile(HTML, PAGE)],
  ['/assets/index-0a1b2c3d.js', compressedFile(SCRIPT, CODE)],
  ['/manifest.webmanifest', compressedFile('application/manifest+json', MANIFEST)],
  ['/robots.txt', webFile('text/plain; charset=utf-8', Buffer.from('User-agent: *'))],
]);

function compressedFile(mediaType: string, bytes: Buffer): WebFile {
  return webFile(mediaType, bytes, { br: brotliCompressSync(bytes), gzip: gzipSync(bytes) });
}

const ASSET = '/assets/index-0a1b2c3d.js';
const WEB_URL = 'https://cats.example.com/gallery/';

const service = startFor('all', () =>
  TestService.start({
    webUrl: WEB_URL,
    scopes: { write: 'images:write' },
    prerender: '320:webp,64:jpeg',
  }),
);
const web = startFor('all', () => WebListener.start(service, FILES));
let agent: WebListener['agent'];

async function contentOf(path: string): Promise<string> {
  if (path === '/openapi.json') return (await service.get('/api/openapi.json')).text;
  return (path === '/' ? PAGE : CODE).toString();
}

describe('The web listener', () => {
  before(() => {
    agent = web.agent;
  });

  it('returns the settings of the pages for /config.json', async () => {
    const response = await agent.get('/config.json');
    expect(response.body).to.deep.equal({
      apiUrl: 'http://localhost:3000/',
      issuer: service.identityProvider.domain,
      clientId: null,
      audience: 'https://images.example.test/api',
      scope: 'openid',
      resource: null,
      timeZone: 'UTC',
      uploadMaxBytes: 200_000,
      inputFormats: ['jpeg', 'png'],
      readOnly: false,
      scopes: { read: null, write: 'images:write', delete: null, publish: null },
      publishNames: false,
      trashDays: 0,
      prerender: ['320:webp', '64:jpeg'],
      title: null,
    });
    expect(response.headers).to.include({
      'content-type': 'application/json; charset=utf-8',
      'cache-control': 'no-cache',
    });
  });

  it('returns the bytes and the ETag of /api/openapi.json for /openapi.json', async () => {
    const uncompressed = agent.get('/openapi.json').set('Accept-Encoding', 'identity');
    const [own, ofTheApi] = [
      await uncompressed,
      await service.get('/api/openapi.json').set('Accept-Encoding', 'identity'),
    ];
    expect(own.status).to.equal(200);
    expect(own.headers['cache-control']).to.equal('no-cache');
    expect(own.headers['etag']).to.equal(ofTheApi.headers['etag']);
    expect(own.text).to.equal(ofTheApi.text);
  });

  for (const [path, openerPolicy] of [
    ['/', 'same-origin-allow-popups'],
    // Swagger UI signs in through the opener of its window.
    ['/docs/', undefined],
  ] as const) {
    it(`returns ${path} with a policy that allows no inline code`, async () => {
      const response = await agent.get(path);
      const { origin } = new URL(service.identityProvider.domain);
      expect(response.text).to.equal(PAGE.toString());
      expect(response.headers['cross-origin-opener-policy']).to.equal(openerPolicy);
      expect(response.headers).to.include({
        'content-type': HTML,
        'cache-control': 'no-cache',
        'content-security-policy': [
          "default-src 'none'",
          "script-src 'self'",
          "style-src 'self'",
          "font-src 'self'",
          "img-src 'self' blob: data: https://cats.example.com",
          `connect-src 'self' http://localhost:3000 ${origin}`,
          "form-action 'self'",
          "manifest-src 'self'",
          "base-uri 'none'",
          "frame-ancestors 'none'",
        ].join('; '),
        'x-content-type-options': 'nosniff',
        'referrer-policy': 'no-referrer',
      });
    });
  }

  it('returns files with a hash in their name for caches to keep', async () => {
    const response = await agent.get(ASSET).set('Accept-Encoding', 'identity');
    expect(response.headers).to.include({
      'content-type': SCRIPT,
      'cache-control': 'public, max-age=31536000, immutable',
      'x-content-type-options': 'nosniff',
    });
    expect(response.text).to.equal(CODE.toString());
  });

  compressedFiles();

  it('ignores queries', async () => {
    for (const path of ['/', '/config.json', '/openapi.json', '/docs/', ASSET]) {
      expect((await agent.get(`${path}?code=1&a=b&a=c`)).status).to.equal(200);
    }
  });

  methodsAndPaths();
});

function compressedFiles(): void {
  const codings: ReadonlyArray<readonly [accepted: string, coding: string | undefined]> = [
    ['gzip, deflate, br, zstd', 'br'],
    ['BR;q=1.0', 'br'],
    ['gzip', 'gzip'],
    ['x-gzip', 'gzip'],
    ['gzip, br;q=0', 'gzip'],
    ['br;q=0.000, gzip ; q=0.001', 'gzip'],
    ['*, br;q=0', 'gzip'],
    ['identity, gzip;q=0.5', undefined],
    ['identity;q=0.5, gzip;q=0.5', 'gzip'],
    ['gzip;q=0, br;q=0', undefined],
    ['br;q=2, gzip;q=high', undefined],
    ['', undefined],
  ];
  for (const path of ['/', ASSET, '/openapi.json']) {
    for (const [accepted, coding] of codings) {
      it(`returns ${path} as ${coding ?? 'it is'} for Accept-Encoding: ${accepted}`, async () => {
        const response = await agent.get(path).set('Accept-Encoding', accepted);
        expect(response.headers['content-encoding']).to.equal(coding);
        expect(response.headers['vary']).to.equal('Accept-Encoding');
        expect(response.text).to.equal(await contentOf(path));
      });
    }

    it(`gives each variant of ${path} an ETag of its own`, async () => {
      const tags = ['br', 'gzip', 'identity'].map(
        async (coding) => (await agent.get(path).set('Accept-Encoding', coding)).headers['etag'] as string,
      );
      expect(new Set(await Promise.all(tags)).size).to.equal(3);
    });
  }
}

function methodsAndPaths(): void {
  for (const path of ['/', '/config.json', '/openapi.json', '/docs/', ASSET]) {
    it(`returns 304 for ${path} to a client that has it`, async () => {
      const first = await agent.get(path);
      const tag = String(first.headers['etag']);
      expect(tag).to.match(/^"[0-9a-f-]+"$/);
      const second = await agent.get(path).set('If-None-Match', `"other", ${tag}`);
      expect([second.status, second.text]).to.deep.equal([304, '']);
      for (const name of ['etag', 'cache-control', 'vary', 'content-security-policy']) {
        expect(second.headers[name]).to.equal(first.headers[name]);
      }
    });

    it(`returns the headers of GET for HEAD of ${path}`, async () => {
      const [get, head] = await Promise.all(
        (['get', 'head'] as const).map((method) => agent[method](path).set('Accept-Encoding', 'gzip')),
      );
      expect([head?.status, head?.text]).to.deep.equal([200, undefined]);
      for (const name of ['etag', 'content-length', 'content-type', 'content-encoding']) {
        expect(head?.headers[name]).to.equal(get?.headers[name]);
      }
    });

    for (const method of ['post', 'put', 'patch', 'delete', 'options'] as const) {
      it(`returns 405 for ${method.toUpperCase()} ${path}`, async () => {
        const response = await agent[method](path);
        expect([response.status, response.headers['allow']]).to.deep.equal([405, 'GET, HEAD']);
        expect(response.body).to.deep.include({ code: 'method_not_allowed' });
      });
    }
  }

  const unknown = `
    /index.html /docs /docs/index.html /nowhere /assets/ /assets/index-ffffffff.js /assets/..%2findex.html /%2e/config.json //config.json
    /config.json/ /api/ /api/images /api/upload /api/openapi.json /livez /metrics /d/ /d/1/320/1/ /d/1/320/1/mac/more
    ${ASSET}.br
  `;
  for (const path of unknown.trim().split(/\s+/)) {
    it(`returns 404 for ${path}`, async () => {
      for (const method of ['get', 'head', 'post', 'delete'] as const) {
        const response = await agent[method](path).set('Authorization', service.bearer);
        expect(response.status).to.equal(404);
        expect(response.headers['x-request-id']).to.match(/^[0-9a-f-]{36}$/);
        expect(response.headers['cache-control']).to.equal('no-store');
        if (method !== 'head') expect(response.body).to.have.all.keys('code', 'message');
      }
    });
  }
}

describe('The policy of the pages', () => {
  const issuers: ReadonlyArray<readonly [issuer: string, origin: string]> = [
    ['https://cats.eu.example.com/tenant', 'https://cats.eu.example.com'],
    ['cats', 'https://login.example.com'],
    ['urn:example:cats', 'https://login.example.com'],
    ['http:', 'https://login.example.com'],
  ];
  for (const [issuer, origin] of issuers) {
    it(`allows requests to ${origin} if the issuer is ${issuer}`, () => {
      const policy = pagePolicy({
        apiUrl: 'https://api.example.com/v1/',
        webUrl: WEB_URL,
        idp: { issuer, domain: 'https://login.example.com/' },
        connectOrigins: ['https://token.example.com', origin],
      });
      expect(policy).to.include(
        `connect-src 'self' https://api.example.com ${origin} https://token.example.com;`,
      );
    });
  }
});

describe('The web listener with WEB_CONNECT_ORIGINS and WEB_RESOURCE', () => {
  const own = startFor('all', () =>
    TestService.start({
      webUrl: WEB_URL,
      env: {
        WEB_CONNECT_ORIGINS: 'https://token.example.com https://oauth2.example.com',
        WEB_RESOURCE: 'urn:example:images',
      },
    }),
  );
  const listener = startFor('all', () => WebListener.start(own, FILES));

  for (const path of ['/', '/docs/']) {
    it(`allows requests to these origins on ${path}`, async () => {
      const { headers } = await listener.get(path);
      const { origin } = new URL(own.identityProvider.domain);
      expect(headers['content-security-policy']).to.include(
        `; connect-src 'self' http://localhost:3000 ${origin} https://token.example.com https://oauth2.example.com;`,
      );
    });
  }

  it('names the resource in config.json, but not the origins', async () => {
    const { body, text } = await listener.get('/config.json');
    expect(body).to.include({ resource: 'urn:example:images' });
    expect(text).not.to.include('token.example.com');
  });
});

describe('The web listener with WEB_TITLE', () => {
  /** By the name. */
  async function responsesWith(
    webTitle: string | undefined,
  ): Promise<readonly [config: Response, manifest: Response]> {
    const service = await TestService.start({ webUrl: WEB_URL, ...(webTitle !== undefined && { webTitle }) });
    const web = await WebListener.start(service, FILES);
    const responses = [
      await web.agent.get('/config.json').expect(200),
      await web.agent.get('/manifest.webmanifest').expect(200),
    ] as const;
    await web.stop();
    await service.stop();
    return responses;
  }

  it('has the name in config.json and in the manifest, whose ETag changes with it', async () => {
    const [, plain] = await responsesWith(undefined);
    const [config, manifest] = await responsesWith('Cats "&" dogs');
    const [, other] = await responsesWith('Cats');

    expect((config.body as { readonly title: string }).title).to.equal('Cats "&" dogs');
    expect(JSON.parse(manifestTextOf(plain))).to.include({ name: 'Image Catalog', short_name: 'Catalog' });
    expect(JSON.parse(manifestTextOf(manifest))).to.deep.equal({
      name: 'Cats "&" dogs',
      short_name: 'Cats "&" dogs',
      lang: 'en',
    });
    expect(manifest.headers['content-type']).to.match(/^application\/manifest\+json/);
    expect(new Set([plain, manifest, other].map(({ headers }) => String(headers['etag'])))).to.have.property(
      'size',
      3,
    );
  });
});

function manifestTextOf({ text, body }: Response): string {
  return text ?? (body as Buffer).toString();
}
