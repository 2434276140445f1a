import { createHash, randomBytes } from 'node:crypto';
import { expect } from 'chai';
import jwt, { type JwtPayload } from 'jsonwebtoken';
import { DEMO_CLIENT, DEMO_GALLERY_CLIENT_ID } from '../../demo/demo-client.ts';
import { type IdentityProvider, startIdentityProvider } from '../../demo/identity-provider.ts';
import { rejection } from '../support/fixtures/rejection.ts';
import { CookieBrowser, type Landing } from '../support/http/cookie-browser.ts';

const GALLERY = { clientId: DEMO_GALLERY_CLIENT_ID, url: 'http://127.0.0.1:3002/' };
const GALLERY_ORIGIN = 'http://127.0.0.1:3002';
const SCOPE = 'openid offline_access read write';

interface Tokens {
  readonly access_token: string;
  readonly id_token: string;
  readonly refresh_token: string;
  readonly expires_in: number;
}

let provider: IdentityProvider;
let browser: CookieBrowser;
const verifier = randomBytes(32).toString('base64url');

async function authorize(changes: Readonly<Record<string, string | undefined>> = {}): Promise<Landing> {
  const fields: Record<string, string | undefined> = {
    client_id: GALLERY.clientId,
    redirect_uri: GALLERY.url,
    response_type: 'code',
    scope: SCOPE,
    audience: DEMO_CLIENT.audience,
    code_challenge: createHash('sha256').update(verifier).digest('base64url'),
    code_challenge_method: 'S256',
    ...changes,
  };
  const query = new URLSearchParams(
    Object.entries(fields).flatMap(([name, value]): [string, string][] =>
      value === undefined ? [] : [[name, value]],
    ),
  );
  return await browser.open(`${provider.issuer}auth?${query.toString()}`, new URL(provider.issuer).origin);
}

async function signIn(changes?: Readonly<Record<string, string | undefined>>): Promise<Tokens> {
  const { url } = await browser.press(await authorize(changes));
  const code = new URL(url).searchParams.get('code') ?? '';
  const response = await postForm({
    grant_type: 'authorization_code',
    code,
    code_verifier: verifier,
    redirect_uri: GALLERY.url,
  });
  expect(response.status).to.equal(200);
  return (await response.json()) as Tokens;
}

async function refresh(token: string, origin?: string): Promise<Response> {
  return await postForm({ grant_type: 'refresh_token', refresh_token: token }, origin);
}

async function postForm(fields: Readonly<Record<string, string>>, origin?: string): Promise<Response> {
  return await fetch(`${provider.issuer}oauth/token`, {
    method: 'POST',
    body: new URLSearchParams({ client_id: GALLERY.clientId, ...fields }),
    headers: origin === undefined ? {} : { origin },
  });
}

describe('signing in at the demo identity provider', () => {
  before(async () => {
    provider = await startIdentityProvider({
      ...DEMO_CLIENT,
      port: 0,
      scopes: ['read', 'write'],
      gallery: GALLERY,
      accessTokenLifetimeSeconds: 5,
    });
  });

  after(() => provider.close());

  beforeEach(() => {
    browser = new CookieBrowser();
  });

  tokensOfTheProvider();

  it('lets the gallery renew tokens from its own origin, and no other origin', async () => {
    const { refresh_token: token } = await signIn();

    const foreign = await refresh(token, 'http://127.0.0.1:3999');
    expect(foreign.status).to.equal(400);
    expect(foreign.headers.has('access-control-allow-origin')).to.equal(false);
    const own = await refresh(token, GALLERY_ORIGIN);
    expect(own.status).to.equal(200);
    expect(own.headers.get('access-control-allow-origin')).to.equal(GALLERY_ORIGIN);
  });

  refusedRequests();
});

function tokensOfTheProvider(): void {
  it('gives JWT access tokens for the audience, with the requested scopes and the configured lifetime', async () => {
    const tokens = await signIn();

    expect(tokens.expires_in).to.equal(5);
    expect(payloadOf(tokens.access_token)).to.include({
      aud: DEMO_CLIENT.audience,
      iss: provider.issuer,
      client_id: GALLERY.clientId,
      scope: 'read write',
    });
    expect(payloadOf(tokens.id_token)).to.include({ aud: GALLERY.clientId, name: 'Demo' });
    expect(payloadOf(tokens.id_token).sub).to.equal(payloadOf(tokens.access_token).sub);
  });

  it('renews tokens, and accepts each refresh token once', async () => {
    const { refresh_token: first } = await signIn();

    const renewed = (await (await refresh(first)).json()) as Tokens;

    expect(payloadOf(renewed.access_token)).to.include({ aud: DEMO_CLIENT.audience, scope: 'read write' });
    expect(renewed.refresh_token).to.not.equal(first);
    const replay = await refresh(first);
    expect(replay.status).to.equal(400);
    expect(await replay.json()).to.include({ error: 'invalid_grant' });
  });

  it('keeps sessions and tokens while it is suspended', async () => {
    const { refresh_token: token, access_token: signed } = await signIn();

    await provider.suspend();
    expect(await rejection(refresh(token))).to.be.instanceOf(TypeError);
    await provider.resume();

    const renewed = (await (await refresh(token)).json()) as Tokens;
    expect(headerOf(renewed.access_token).kid).to.equal(headerOf(signed).kid);
  });
}

function refusedRequests(): void {
  const refusals: readonly [string, Readonly<Record<string, string | undefined>>][] = [
    ['another redirect address', { redirect_uri: 'http://127.0.0.1:3002/other' }],
    ['an unknown client', { client_id: 'other' }],
  ];
  for (const [title, changes] of refusals) {
    it(`shows a page and does not redirect for ${title}`, async () => {
      const page = await authorize(changes);

      expect(page.status).to.equal(400);
      expect(page.html).to.include('The request was refused');
    });
  }

  const redirected: readonly [string, Readonly<Record<string, string | undefined>>, string][] = [
    ['an unknown audience', { audience: 'https://other.example/' }, 'invalid_target'],
    [
      'a request without PKCE',
      { code_challenge: undefined, code_challenge_method: undefined },
      'invalid_request',
    ],
    ['a silent request without a session', { prompt: 'none' }, 'login_required'],
  ];
  for (const [title, changes, error] of redirected) {
    it(`reports ${title} to the gallery`, async () => {
      const landing = await authorize(changes);

      expect(landing.url.startsWith(GALLERY.url), landing.html).to.equal(true);
      expect(new URL(landing.url).searchParams.get('error')).to.equal(error);
    });
  }
}

function payloadOf(token: string): JwtPayload {
  const payload = jwt.decode(token);
  if (payload === null || typeof payload === 'string') throw new TypeError(`${token} is no JWT`);
  return payload;
}

function headerOf(token: string): jwt.JwtHeader {
  const decoded = jwt.decode(token, { complete: true });
  if (decoded === null) throw new TypeError(`${token} is no JWT`);
  return decoded.header;
}
