import { expect } from 'chai';
import type { Locator, Page, Route } from 'playwright-core';
import { expectSoon } from '../support/expect-soon.ts';
import { begin, describeVisits, gallery, load, servers, startServers } from '../support/visits.ts';

const TOKEN_LIFETIME_SECONDS = 7;

/** Parameters of the requests for a code. */
let requests: Array<Readonly<Record<'prompt' | 'nonce' | 'state', string | null>>> = [];

type Tokens = Readonly<Record<string, unknown>>;

/** Notes the requests for codes, and changes the responses of the token endpoint. */
async function changeTokens(change: (tokens: Tokens, form: URLSearchParams) => Tokens): Promise<void> {
  const context = gallery.page.context();
  requests = [];
  context.on('request', (request) => {
    const { searchParams } = new URL(request.url());
    if (!searchParams.has('code_challenge')) return;
    const [prompt = null, nonce = null, state = null] = ['prompt', 'nonce', 'state'].map((name) =>
      searchParams.get(name),
    );
    requests.push({ prompt, nonce, state });
  });
  await context.route(/\/oauth\/token$/, async (route: Route) => {
    const response = await route.fetch();
    const form = new URLSearchParams(route.request().postData() ?? '');
    await route.fulfill({ response, json: change((await response.json()) as Tokens, form) });
  });
}

function withoutRefreshToken(tokens: Tokens): Tokens {
  return Object.fromEntries(Object.entries(tokens).filter(([name]) => name !== 'refresh_token'));
}

/** As oidc-provider, Logto and Authentik do it. */
function unlessConsented(tokens: Tokens): Tokens {
  return requests.at(-1)?.prompt === 'consent' ? tokens : withoutRefreshToken(tokens);
}

function prompts(): ReadonlyArray<string | null> {
  return requests.map(({ prompt }) => prompt);
}

async function signInTwice(): Promise<void> {
  await gallery.signInButton.click();
  await gallery.personButton.click();
  await expectSoon(prompts, [null, 'consent']);
  await gallery.personButton.click();
  await gallery.accountButton.waitFor();
}

/** In another window, after a session has ended, until that window asks for consent. */
async function signInAside(): Promise<{ readonly aside: Page; readonly person: Locator }> {
  await startServers({ accessTokenLifetimeSeconds: TOKEN_LIFETIME_SECONDS });
  await begin();
  let isStrict = true;
  await changeTokens((tokens) => (isStrict ? withoutRefreshToken(tokens) : unlessConsented(tokens)));
  await load();
  await signInTwice();
  await gallery.banner('Your session has ended').waitFor();
  isStrict = false;
  requests = [];
  await gallery.page.context().clearCookies();

  const [aside] = await Promise.all([gallery.page.waitForEvent('popup'), gallery.signInButton.click()]);
  const person = aside.getByRole('button', { name: 'Sign in as Demo' });
  await person.click({ noWaitAfter: true });
  await expectSoon(prompts, [null, 'consent']);
  return { aside, person };
}

describeVisits('a provider that issues refresh tokens', {}, () => {
  it('gets a new nonce with each request, and is not asked for consent', async () => {
    await begin();
    await changeTokens((tokens) => tokens);
    await load();

    await gallery.signIn();
    await gallery.page.evaluate('sessionStorage.clear()');
    await gallery.page.reload();
    await gallery.signInButton.click();
    await gallery.accountButton.waitFor();

    expect(prompts()).to.deep.equal([null, null]);
    const nonces = new Set(requests.map(({ nonce }) => nonce ?? ''));
    expect(nonces.size).to.equal(2);
    for (const nonce of nonces) expect(nonce).to.have.length.above(20);
  });

  it('is not believed if the ID token has another nonce', async () => {
    await begin();
    await changeTokens(({ id_token: idToken, ...tokens }) => {
      const [header, , signature] = String(idToken).split('.');
      const claims = Buffer.from(JSON.stringify({ sub: 'mallory', nonce: 'other' })).toString('base64url');
      return { ...tokens, id_token: [header, claims, signature].join('.') };
    });
    await load();

    await gallery.signInButton.click();
    await gallery.personButton.click();

    await gallery.page.getByText('The sign-in was interrupted').waitFor();
  });
});

describeVisits('a provider that issues refresh tokens only after consent', undefined, () => {
  it('is asked for consent once, in the same sign-in, and the session lasts', async () => {
    await startServers({ accessTokenLifetimeSeconds: TOKEN_LIFETIME_SECONDS });
    await begin();
    const grants: Array<string | null> = [];
    await changeTokens((tokens, form) => {
      grants.push(form.get('grant_type'));
      return form.has('refresh_token') ? tokens : unlessConsented(tokens);
    });
    await load('?sort=added');

    await signInTwice();

    await expectSoon(() => new URL(gallery.page.url()).search, '?sort=added');
    await expectSoon(() => grants.slice(0, 3), ['authorization_code', 'authorization_code', 'refresh_token']);
    expect(prompts()).to.deep.equal([null, 'consent']);
    gallery.watch.expectCalm('a sign-in with consent');
  });

  it('is asked in the same window if a session has ended', async () => {
    const { aside, person } = await signInAside();
    await Promise.all([aside.waitForEvent('close'), person.click({ noWaitAfter: true })]);

    await gallery.banner('Your session has ended').waitFor({ state: 'detached' });
    expect(prompts()).to.deep.equal([null, 'consent']);
  });

  it('is not asked again by a person who has closed that window, and who is signed in without consent', async () => {
    const { aside, person } = await signInAside();
    await person.waitFor();
    await aside.close();
    await gallery.signInButton.click();

    await gallery.banner('Your session has ended').waitFor({ state: 'detached' });
    expect(prompts()).to.deep.equal([null, 'consent']);
  });
});

describeVisits('a provider that issues no refresh tokens', {}, () => {
  it('is asked for consent once, and signs the person in', async () => {
    await begin();
    await changeTokens(withoutRefreshToken);
    await load();

    await signInTwice();

    expect(prompts()).to.deep.equal([null, 'consent']);
    gallery.watch.expectCalm('a session without a refresh token');
  });

  it('signs the person in also if consent is refused', async () => {
    await begin();
    await changeTokens(withoutRefreshToken);
    await load();
    await gallery.signInButton.click();
    await gallery.personButton.click();
    await expectSoon(prompts, [null, 'consent']);

    await gallery.personButton.waitFor();
    await gallery.page.goto(`${servers.url}?error=access_denied&state=${requests.at(-1)?.state}`);

    await gallery.accountButton.waitFor();
    expect(prompts()).to.deep.equal([null, 'consent']);
  });
});

describeVisits('a provider that issues opaque access tokens', {}, () => {
  it('is named, with what the operator has to change', async () => {
    await begin();
    await changeTokens((tokens) => ({ ...tokens, access_token: 'opaque' }));
    await load();

    await gallery.signInButton.click();
    await gallery.personButton.click();

    await gallery.page.getByText(/opaque access token.*must issue JWT access tokens/).waitFor();
    expect(await gallery.page.getByText('Your session has ended').count()).to.equal(0);
  });
});
