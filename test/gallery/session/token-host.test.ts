import { expect } from 'chai';
import { DEMO_CLIENT } from '../../../demo/demo-client.ts';
import { expectSoon } from '../support/expect-soon.ts';
import { startTokenHost, type TokenHost } from '../support/token-host.ts';
import { begin, describeVisits, gallery, load, servers, startServers } from '../support/visits.ts';

const TOKEN_LIFETIME_SECONDS = 7;

let host: TokenHost | undefined;

/** The discovery document names the token endpoint on the other host. */
async function moveTokenEndpoint(): Promise<string> {
  host = await startTokenHost(servers.provider.issuer);
  const { origin } = host;
  await gallery.page.context().route(/openid-configuration$/, async (route) => {
    const response = await route.fetch();
    const document = (await response.json()) as Readonly<Record<string, unknown>>;
    const token = new URL(String(document['token_endpoint'])).pathname;
    await route.fulfill({ response, json: { ...document, token_endpoint: `${origin}${token}` } });
  });
  return origin;
}

describeVisits('a provider whose token endpoint has another host', undefined, () => {
  afterEach(async () => {
    await host?.stop();
    host = undefined;
  });

  it('cannot be used without WEB_CONNECT_ORIGINS, and the page says why', async () => {
    await startServers();
    await begin();
    const origin = await moveTokenEndpoint();
    gallery.watch.expectFault(/Content Security Policy|Refused to connect|Fetch API cannot load/);
    await load();

    await gallery.signInButton.click();
    await gallery.personButton.click();

    await gallery.page
      .getByText(`it allows no requests to ${origin}. For the operator: add it to WEB_CONNECT_ORIGINS.`)
      .waitFor();
    expect(await gallery.page.getByText('cannot be reached').count()).to.equal(0);
  });

  it('signs in and renews tokens with WEB_CONNECT_ORIGINS', async () => {
    await startServers({ accessTokenLifetimeSeconds: TOKEN_LIFETIME_SECONDS });
    await begin();
    const origin = await moveTokenEndpoint();
    await servers.stopService();
    await servers.startService({ WEB_CONNECT_ORIGINS: origin });
    const grants: string[] = [];
    // A page that is loaded again ends its requests.
    gallery.page.on('requestfinished', (request) => {
      if (!request.url().startsWith(origin) || request.method() !== 'POST') return;
      grants.push(new URLSearchParams(request.postData() ?? '').get('grant_type') ?? '');
    });
    await load();

    await gallery.signIn();

    await expectSoon(() => grants.slice(0, 2), ['authorization_code', 'refresh_token']);
    gallery.watch.expectCalm('a token endpoint on another host');
  });
});

describeVisits('a provider that needs a resource', undefined, () => {
  it('gets WEB_RESOURCE with each request', async () => {
    await startServers({
      accessTokenLifetimeSeconds: TOKEN_LIFETIME_SECONDS,
      env: { WEB_RESOURCE: DEMO_CLIENT.audience },
    });
    await begin();
    const sent: Array<readonly (string | null)[]> = [];
    gallery.page.context().on('request', (request) => {
      const { origin, pathname, searchParams } = new URL(request.url());
      if (origin !== new URL(servers.provider.issuer).origin) return;
      const form = new URLSearchParams(request.postData() ?? '');
      if (searchParams.has('code_challenge')) sent.push(['code', ...searchParams.getAll('resource')]);
      if (pathname.endsWith('/oauth/token') && request.method() === 'POST') {
        sent.push([form.get('grant_type'), ...form.getAll('resource')]);
      }
    });
    await load();

    await gallery.signIn();

    const { audience } = DEMO_CLIENT;
    await expectSoon(
      () => sent.slice(0, 3),
      [
        ['code', audience],
        ['authorization_code', audience],
        ['refresh_token', audience],
      ],
    );
  });
});
