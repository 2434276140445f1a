import { access } from 'node:fs/promises';
import { expect } from 'chai';
import { type Browser, chromium, type Page } from 'playwright-core';
import { DEMO_CLIENT, DEMO_GALLERY_CLIENT_ID } from '../../demo/demo-client.ts';
import { type IdentityProvider, startIdentityProvider } from '../../demo/identity-provider.ts';
import { type TemporaryFolder, temporaryFolder } from '../support/fixtures/temporary-folder.ts';
import { requestToken } from '../support/http/catalog-client.ts';
import { lastingPort } from '../support/servers/lasting-port.ts';
import { type RunningService, startService } from '../support/servers/service-process.ts';
import { skipAloud } from '../support/skipped/skip-aloud.ts';
import { HANG_GUARD_MS } from '../support/time/hang-guard.ts';

const CHROMIUM = process.env.CHROMIUM ?? '/usr/bin/chromium';

let folder: TemporaryFolder;
let provider: IdentityProvider;
let service: RunningService;
let webUrl: string;
let browser: Browser;
let page: Page;
let faults: string[];

/** The status and the body of `GET /api/tags`. */
async function tryOut(): Promise<readonly (string | undefined)[]> {
  const operation = page.locator('.opblock', { hasText: '/api/tags' });
  await operation.locator('.opblock-summary-control').click();
  await operation.getByRole('button', { name: 'Try it out' }).click();
  await operation.getByRole('button', { name: 'Execute' }).click();
  const response = operation.locator('.live-responses-table .response').first();
  await response.waitFor();
  const body = await response.locator('.highlight-code code').first().textContent();
  return [(await response.locator('.response-col_status').textContent())?.trim(), body?.trim()];
}

describe('The API reference in Chromium', () => {
  before(async function () {
    const isThere = await access(CHROMIUM).then(
      () => true,
      () => false,
    );
    if (!isThere) skipAloud(this, `There is no ${CHROMIUM}`);
    folder = await temporaryFolder();
    const webPort = await lastingPort();
    webUrl = `http://127.0.0.1:${webPort}/`;
    const gallery = { clientId: DEMO_GALLERY_CLIENT_ID, url: webUrl };
    provider = await startIdentityProvider({ ...DEMO_CLIENT, port: 0, scopes: ['images:read'], gallery });
    const env = {
      IDP_DOMAIN: provider.issuer,
      IDP_AUDIENCE: DEMO_CLIENT.audience,
      WEB_HOST: '127.0.0.1',
      WEB_PORT: String(webPort),
      WEB_CLIENT_ID: DEMO_GALLERY_CLIENT_ID,
      WEB_SCOPE: 'openid images:read',
      WEB_RESOURCE: DEMO_CLIENT.audience,
      SCOPE_READ: 'images:read',
      CORS_ORIGIN: 'https://app.example.com',
    };
    service = await startService({ folder: folder.path, env });
    browser = await chromium.launch({
      executablePath: CHROMIUM,
      args: ['--no-sandbox'],
      timeout: HANG_GUARD_MS,
    });
  });

  after(async () => {
    await browser?.close();
    await service?.process.stop();
    await provider?.close();
    await folder?.remove();
  });

  beforeEach(async () => {
    faults = [];
    const context = await browser.newContext();
    const known = [webUrl, service.url, provider.issuer];
    context.on('request', (request) => {
      if (!known.some((url) => request.url().startsWith(url))) faults.push(`foreign: ${request.url()}`);
    });
    context.on('weberror', (error) => faults.push(String(error.error())));
    context.on('console', (message) => {
      const isOwn = message.page()?.url().startsWith(webUrl) === true;
      if (isOwn && message.type() === 'error') faults.push(message.text());
    });
    context.setDefaultTimeout(HANG_GUARD_MS);
    page = await context.newPage();
    await page.goto(`${webUrl}docs/`);
    await page.getByText('/api/images/timeline').waitFor();
  });

  afterEach(() => page?.context().close());

  it('shows every operation, breaks no policy and calls no other host', async () => {
    const { paths } = (await (await fetch(`${webUrl}openapi.json`)).json()) as { paths: object };
    for (const path of Object.keys(paths)) {
      expect(await page.locator(`.opblock-summary-path[data-path="${path}"]`).count()).to.be.greaterThan(0);
    }
    for (const path of ['/api/upload', '/api/image/{id}/file']) {
      const operation = page.locator('.opblock', { has: page.locator(`[data-path="${path}"]`) });
      await operation.locator('.opblock-summary-control').click();
      await operation.locator('.responses-table').first().waitFor();
    }
    expect(faults).to.deep.equal([]);
  });

  it('signs in at the identity provider, and calls the API with the token', async () => {
    const resources: Array<readonly string[]> = [];
    page.context().on('request', (request) => {
      const { searchParams, pathname } = new URL(request.url());
      const form = new URLSearchParams(request.postData() ?? '');
      const isToken = pathname === '/oauth/token' && request.method() === 'POST';
      if (isToken || searchParams.has('code_challenge')) {
        resources.push([...searchParams.getAll('resource'), ...form.getAll('resource')]);
      }
    });
    await page.getByRole('button', { name: 'Authorize' }).first().click();
    const dialog = page.locator('.auth-container', { hasText: 'authorizationCode' });
    const [provided] = await Promise.all([
      page.waitForEvent('popup'),
      dialog.getByRole('button', { name: 'Apply given OAuth2 credentials' }).click(),
    ]);
    const closed = provided.waitForEvent('close');
    await provided.getByRole('button', { name: /Sign in/ }).click();
    await closed;
    await dialog.getByText('Logout').waitFor();
    await dialog.getByRole('button', { name: 'Close' }).click();

    expect(await tryOut()).to.deep.equal(['200', '[]']);
    expect(resources).to.deep.equal([[DEMO_CLIENT.audience], [DEMO_CLIENT.audience]]);
    expect(faults).to.deep.equal([]);
  });

  it('calls the API with a token that is pasted', async () => {
    const token = await requestToken(provider.issuer, DEMO_CLIENT);
    await page.getByRole('button', { name: 'Authorize' }).first().click();
    const dialog = page.locator('.auth-container', { hasText: 'accessToken' });
    await dialog.locator('input').fill(token);
    await dialog.getByRole('button', { name: 'Apply credentials' }).click();
    await dialog.getByRole('button', { name: 'Close' }).click();

    expect(await tryOut()).to.deep.equal(['200', '[]']);
    expect(faults).to.deep.equal([]);
  });

  refusedSignIns();

  it('explains the page that ends a sign-in to a person who opens it', async () => {
    await page.goto(`${webUrl}docs/oauth2-redirect.html?code=1&state=2`);
    await page.getByRole('link', { name: 'API reference' }).click();
    await page.getByText('/api/images/timeline').waitFor();
    expect(faults).to.deep.equal([]);
  });
});

function refusedSignIns(): void {
  const refusals: ReadonlyArray<readonly [what: string, query: string, message: string]> = [
    ['of another sign-in', '?code=1&state=other', 'The sign-in is not the one that was begun'],
    ['with an error', '?error=access_denied&error_description=No&state=mine', 'access_denied: No'],
    ['without a code', '?state=mine', 'The identity provider sent no code'],
  ];
  for (const [what, query, message] of refusals) {
    it(`refuses a response of the identity provider ${what}`, async () => {
      const refusal = await page.evaluate(
        `new Promise((resolve) => {
          const callback = () => resolve({ message: 'accepted' });
          window.swaggerUIRedirectOauth2 = { state: 'mine', auth: { name: 'signIn' }, callback, errCb: resolve };
          window.open('oauth2-redirect.html${query}');
        })`,
      );
      expect(refusal).to.include({ message });
      expect(faults).to.deep.equal([]);
    });
  }
}
