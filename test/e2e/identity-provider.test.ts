import { createPublicKey, type JsonWebKey } from 'node:crypto';
import { expect } from 'chai';
import jwt, { type JwtPayload } from 'jsonwebtoken';
import { DEMO_CLIENT, DEMO_GALLERY_CLIENT_ID } from '../../demo/demo-client.ts';
import { type IdentityProvider, startIdentityProvider } from '../../demo/identity-provider.ts';
import { rejection } from '../support/fixtures/rejection.ts';
import { temporaryFolder } from '../support/fixtures/temporary-folder.ts';
import { requestToken } from '../support/http/catalog-client.ts';
import { startIdentityProviderProcess } from '../support/servers/service-process.ts';

const PAGE_ORIGIN = 'http://127.0.0.1:5173';
const GALLERY = {
  clientId: DEMO_GALLERY_CLIENT_ID,
  url: 'http://127.0.0.1:3002/',
  pageOrigin: PAGE_ORIGIN,
};

/** Of an authorization request, without the redirect address. */
const SIGN_IN = {
  client_id: GALLERY.clientId,
  response_type: 'code',
  scope: 'openid',
  code_challenge: 'a'.repeat(43),
  code_challenge_method: 'S256',
};

let provider: IdentityProvider;

describe('the demo identity provider', () => {
  const scopes = ['read', 'write'];
  before(async () => {
    provider = await startIdentityProvider({ ...DEMO_CLIENT, port: 0, scopes, gallery: GALLERY });
  });

  after(() => provider.close());

  it('issues RS256 tokens for the audience, signed with the published key', async () => {
    const token = await requestToken(provider.issuer, DEMO_CLIENT);

    const { header, payload } = await verify(token, provider.issuer);
    expect(header.alg).to.equal('RS256');
    expect(payload).to.include({
      aud: DEMO_CLIENT.audience,
      iss: provider.issuer,
      sub: DEMO_CLIENT.clientId,
    });
    expect(payload.exp).to.be.greaterThan(Date.now() / 1000);
  });

  it('grants the requested scope', async () => {
    const response = await post({ ...tokenRequest(), scope: 'write' });

    expect(await response.json()).to.include({ scope: 'write' });
  });

  it('accepts the form of RFC 6749 too', async () => {
    const { audience, ...fields } = tokenRequest();
    const response = await fetch(new URL('oauth/token', provider.issuer), {
      method: 'POST',
      body: new URLSearchParams({ ...fields, resource: audience }),
    });

    expect(response.status).to.equal(200);
  });

  it('accepts a form that names the audience, and grants all scopes', async () => {
    const response = await fetch(new URL('oauth/token', provider.issuer), {
      method: 'POST',
      body: new URLSearchParams(tokenRequest()),
    });

    expect(response.status).to.equal(200);
    expect(await response.json()).to.include({ scope: 'read write' });
  });

  const refusals: readonly [string, object | string, number, string][] = [
    ['an unknown audience', { ...tokenRequest(), audience: 'https://other.example/' }, 400, 'invalid_target'],
    ['a missing audience', { ...tokenRequest(), audience: undefined }, 400, 'invalid_target'],
    ['a wrong secret', { ...tokenRequest(), client_secret: 'wrong' }, 401, 'invalid_client'],
    ['another grant', { ...tokenRequest(), grant_type: 'password' }, 400, 'unsupported_grant_type'],
    ['malformed JSON', '{"client_id":', 400, 'invalid_request'],
    ['JSON that is not an object of strings', { ...tokenRequest(), client_id: 1 }, 400, 'invalid_request'],
    ['a body that is too large', { ...tokenRequest(), padding: 'x'.repeat(20_000) }, 413, 'invalid_request'],
  ];
  for (const [title, body, status, error] of refusals) {
    it(`rejects ${title}`, async () => {
      const response = await post(body);

      expect(response.status).to.equal(status);
      expect(await response.json()).to.include({ error });
    });
  }

  pagesOfTheProvider();

  it('rejects an audience that is not a URI at its start', async () => {
    expect(
      await rejection(startIdentityProvider({ ...DEMO_CLIENT, port: 0, audience: 'catalog' })),
    ).to.be.instanceOf(TypeError);
  });

  it('has a new key at every start', async () => {
    const other = await startIdentityProvider({ ...DEMO_CLIENT, port: 0 });
    try {
      expect((await publishedKey(other.issuer)).n).to.not.equal((await publishedKey(provider.issuer)).n);
    } finally {
      await other.close();
    }
  });

  it('runs as a process that prints its issuer only and ends on SIGTERM', async () => {
    const folder = await temporaryFolder();
    const { process, issuer } = await startIdentityProviderProcess(folder.path);
    await requestToken(issuer, DEMO_CLIENT);

    expect(await process.stop('SIGTERM')).to.deep.equal({ code: 0, signal: null });
    expect(process.stdout).to.equal(JSON.stringify({ issuer }));
    expect(process.stderr).to.equal('');
    await folder.remove();
  });

  async function post(body: object | string): Promise<Response> {
    return await fetch(new URL('oauth/token', provider.issuer), {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: typeof body === 'string' ? body : JSON.stringify(body),
    });
  }
});

function pagesOfTheProvider(): void {
  it('reports an unknown audience to the gallery', async () => {
    const asked = { ...SIGN_IN, redirect_uri: GALLERY.url, audience: 'https://other.example/' };
    const page = `${provider.issuer}auth?${new URLSearchParams(asked).toString()}`;

    const location = (await fetch(page, { redirect: 'manual' })).headers.get('location') ?? '';
    expect(location.startsWith(GALLERY.url), location).to.equal(true);
    expect(new URL(location).searchParams.get('error')).to.equal('invalid_target');
  });

  it('redirects to the gallery and to the page of the other origin, and to no other address', async () => {
    const statusFor = async (redirect: string): Promise<number> => {
      const search = new URLSearchParams({ ...SIGN_IN, redirect_uri: redirect });
      return (await fetch(`${provider.issuer}auth?${search.toString()}`, { redirect: 'manual' })).status;
    };

    expect(await statusFor(GALLERY.url)).to.equal(303);
    expect(await statusFor(`${PAGE_ORIGIN}/`)).to.equal(303);
    expect(await statusFor(`${PAGE_ORIGIN}/other`)).to.equal(400);
    expect(await statusFor('http://127.0.0.1:3999/')).to.equal(400);
  });

  it('lets pages of the origins of the gallery and of the other page read its responses, and no others', async () => {
    const grant = { client_id: GALLERY.clientId, grant_type: 'refresh_token', refresh_token: 'none' };
    const allowed = async (origin: string): Promise<string | null> => {
      const request = { method: 'POST', body: new URLSearchParams(grant), headers: { origin } };
      const { headers } = await fetch(new URL('oauth/token', provider.issuer), request);
      return headers.get('access-control-allow-origin');
    };

    expect(await allowed('http://127.0.0.1:3999')).to.equal(null);
    expect(await allowed('http://127.0.0.1:3002')).to.equal('http://127.0.0.1:3002');
    expect(await allowed(PAGE_ORIGIN)).to.equal(PAGE_ORIGIN);
  });
}

function tokenRequest(): Record<'client_id' | 'client_secret' | 'audience' | 'grant_type', string> {
  return {
    client_id: DEMO_CLIENT.clientId,
    client_secret: DEMO_CLIENT.clientSecret,
    audience: DEMO_CLIENT.audience,
    grant_type: 'client_credentials',
  };
}

async function verify(
  token: string,
  issuer: string,
): Promise<{ header: jwt.JwtHeader; payload: JwtPayload }> {
  const jwk = await publishedKey(issuer);
  const verified = jwt.verify(token, createPublicKey({ key: jwk, format: 'jwk' }), { complete: true });
  if (typeof verified.payload === 'string') throw new TypeError('The payload is not a JSON object');
  expect(verified.header.kid).to.equal(jwk.kid);
  return { header: verified.header, payload: verified.payload };
}

async function publishedKey(issuer: string): Promise<JsonWebKey & { kid: string }> {
  const response = await fetch(new URL('.well-known/jwks.json', issuer));
  const { keys } = (await response.json()) as { keys: (JsonWebKey & { kid: string })[] };
  const [key] = keys;
  if (key === undefined || keys.length > 1) throw new Error(`${keys.length} keys are published`);
  expect(key).to.not.have.property('d');
  return key;
}
