import { readdir, readFile } from 'node:fs/promises';
import { join, relative } from 'node:path';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { expect } from 'chai';
import { RawConnection, requestHead } from '../support/http/raw-connection.ts';
import { RunningCatalog } from '../support/servers/running-catalog.ts';
import { PROJECT_FOLDER } from '../support/servers/service-process.ts';

const PAGES = join(PROJECT_FOLDER, 'dist/web');

function webUrl(catalog: RunningCatalog): string {
  return `http://127.0.0.1:${String(catalog.logged(({ msg }) => msg === 'web listening')[0]?.['port'])}/`;
}

/** The addresses that a page names, absolute. */
function linkedFrom(page: string, address: string): readonly string[] {
  return [...page.matchAll(/(?:src|href)="([^"]+)"/g)].map(([, link = '']) => new URL(link, address).href);
}

describe('The built pages', () => {
  let names: readonly string[];

  before(async () => {
    const entries = await readdir(PAGES, { recursive: true, withFileTypes: true });
    names = entries
      .filter((entry) => entry.isFile())
      .map(({ parentPath, name }) => relative(PAGES, join(parentPath, name)));
  });

  it('are three, beside what an installation needs, and the names of all other files have a hash', () => {
    const plain = names.filter((name) => !/\.(?:br|gz)$/.test(name));
    const assets = plain.filter((name) => name.startsWith('assets/'));
    const pages = plain.filter((name) => !name.startsWith('assets/'));
    expect(pages).to.have.members([
      'index.html',
      'docs/index.html',
      'docs/oauth2-redirect.html',
      'manifest.webmanifest',
      'icons/icon.svg',
      'icons/icon-192.png',
      'icons/icon-512.png',
      'icons/maskable-512.png',
    ]);
    for (const name of assets) expect(name).to.match(/^assets\/[\w-]+-[\w-]{8}\.(?:css|js|svg)$/);
  });

  it('have no inline code, and name no other host', async () => {
    for (const name of names.filter((each) => each.endsWith('.html'))) {
      const page = await readFile(join(PAGES, name), 'utf8');
      expect(page).not.to.match(/<style|style=|\son\w+=|javascript:|https?:|src="\/|href="\//);
      expect(page).not.to.match(/<script(?![^>]* src=)/);
    }
  });

  it('have compressed variants of the same content', async () => {
    for (const name of names.filter((each) => /\.(?:html|js|css|svg)$/.test(each))) {
      const bytes = await readFile(join(PAGES, name));
      expect(brotliDecompressSync(await readFile(join(PAGES, `${name}.br`))).equals(bytes)).to.equal(true);
      expect(gunzipSync(await readFile(join(PAGES, `${name}.gz`))).equals(bytes)).to.equal(true);
    }
  });

  it('come with the licenses of their packages', async () => {
    const licenses = await readFile(join(PROJECT_FOLDER, 'dist/THIRD-PARTY-LICENSES.txt'), 'utf8');
    for (const name of ['react-dom', '@tanstack/react-query', 'oidc-client-ts', 'swagger-ui-dist']) {
      expect(licenses).to.match(new RegExp(`^${name} [\\d.]+ \\(`, 'm'));
    }
    expect(licenses).to.include('Packages in swagger-ui-bundle.js').and.include('DOMPurify');
  });
});

let catalog: RunningCatalog;

describe('The built service with WEB_PORT', () => {
  beforeEach(async () => {
    const env = {
      WEB_HOST: '127.0.0.1',
      WEB_PORT: '0',
      WEB_CLIENT_ID: 'gallery',
      CORS_ORIGIN: 'http://a.test',
    };
    catalog = await RunningCatalog.start({ env });
  });

  afterEach(() => catalog.stop());

  it('serves the pages and all files that they name', async () => {
    const url = webUrl(catalog);
    for (const address of [url, `${url}docs/`, `${url}docs/oauth2-redirect.html`]) {
      const page = await fetch(address);
      const files = linkedFrom(await page.text(), address);
      expect([page.status, page.headers.get('cache-control')]).to.deep.equal([200, 'no-cache']);
      expect(files.length).to.be.greaterThan(1);
      for (const file of files.filter((each) => each.includes('/assets/'))) {
        const response = await fetch(file, { headers: { 'accept-encoding': 'gzip, br' } });
        const { status, headers } = response;
        const { byteLength } = await response.arrayBuffer();
        // Some bytes are as long when they are compressed.
        const coding = byteLength > 100 ? 'br' : null;
        expect([status, headers.get('content-encoding')]).to.deep.equal([200, coding]);
        expect(headers.get('cache-control')).to.equal('public, max-age=31536000, immutable');
      }
    }
  });

  it('serves the manifest of an installation and its icons, which caches ask for again', async () => {
    const url = webUrl(catalog);
    const served = async (path: string): Promise<readonly unknown[]> => {
      const response = await fetch(`${url}${path}`);
      const bytes = (await response.arrayBuffer()).byteLength;
      const { headers } = response;
      expect(headers.get('etag'), path).to.match(/^"/);
      return [response.status, headers.get('content-type'), headers.get('cache-control'), bytes > 0];
    };
    const manifest = (await (await fetch(`${url}manifest.webmanifest`)).json()) as {
      readonly icons: readonly { readonly src: string; readonly type: string }[];
    };

    expect(await served('manifest.webmanifest')).to.deep.equal([
      200,
      'application/manifest+json; charset=utf-8',
      'no-cache',
      true,
    ]);
    expect(manifest.icons).to.have.length(4);
    for (const { src, type } of manifest.icons) {
      expect(await served(src), src).to.deep.equal([200, type, 'no-cache', true]);
    }
  });

  it('tells the pages its addresses, whose ports the system has picked', async () => {
    const response = await fetch(`${webUrl(catalog)}config.json`);
    expect(await response.json()).to.include({
      apiUrl: catalog.url,
      issuer: catalog.issuer,
      clientId: 'gallery',
    });
  });

  it('lets pages of all origins read 431 on the web listener, and with CORS_ORIGIN=* on that of the API', async () => {
    const originsOf = async (...addresses: readonly string[]): Promise<readonly unknown[]> => {
      const head = requestHead('GET', '/', { Authorization: `Bearer ${'x'.repeat(20_000)}` });
      const allowed = addresses.map(async (address) => {
        const connection = await RawConnection.open(Number(new URL(address).port));
        connection.send(head);
        const { status, headers } = await connection.response();
        return [status, headers['access-control-allow-origin']];
      });
      return await Promise.all(allowed);
    };

    expect(await originsOf(webUrl(catalog), catalog.url)).to.deep.equal([
      [431, '*'],
      [431, undefined],
    ]);
    await catalog.stop();
    catalog = await RunningCatalog.start({ env: { NODE_OPTIONS: '--max-http-header-size=19000' } });
    expect(await originsOf(catalog.url)).to.deep.equal([[431, '*']]);
    const response = await fetch(catalog.url, { headers: { Authorization: `Bearer ${'x'.repeat(17_000)}` } });
    expect(response.status).to.equal(200);
  });

  it('stops with the other listeners, also while a client keeps a connection', async () => {
    const connection = await RawConnection.open(Number(new URL(webUrl(catalog)).port));
    connection.send(requestHead('GET', '/config.json'));
    const { status } = await connection.response();
    const exit = await catalog.process.stop();
    connection.close();
    expect([status, exit]).to.deep.equal([200, { code: 0, signal: null }]);
  });
});
