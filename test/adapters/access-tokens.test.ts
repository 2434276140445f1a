import { expect } from 'chai';
import { DEMO_CLIENT } from '../../demo/demo-client.ts';
import { startIdentityProvider } from '../../demo/identity-provider.ts';
import { AccessTokens, type ProviderSettings } from '../../src/adapters/openid/access-tokens.ts';
import { rejection } from '../support/fixtures/rejection.ts';
import { json, ScriptedServer, type SeenRequest, type Step } from '../support/servers/scripted-server.ts';

const NONE = { clientSecret: undefined, audience: undefined, resource: undefined, scope: undefined };

describe('AccessTokens with client credentials', () => {
  let provider: Awaited<ReturnType<typeof startIdentityProvider>>;

  beforeEach(async () => {
    provider = await startIdentityProvider({ ...DEMO_CLIENT, port: 0 });
  });

  afterEach(() => provider.close());

  function tokens(settings: Partial<ProviderSettings> = {}): AccessTokens {
    const { clientId, clientSecret, audience } = DEMO_CLIENT;
    const all = { ...NONE, issuer: provider.issuer, clientId, clientSecret, resource: audience, ...settings };
    return new AccessTokens(all, () => undefined);
  }

  it('gets a token for the resource', async () => {
    const [, payload = ''] = (await tokens().next()).split('.');

    const claims = JSON.parse(Buffer.from(payload, 'base64url').toString()) as object;

    expect(claims).to.include({ iss: provider.issuer, aud: DEMO_CLIENT.audience });
  });

  it('is denied with a wrong secret', async () => {
    const error = await rejection(tokens({ clientSecret: 'wrong' }).next());

    expect(error).to.include({ kind: 'unauthorized', code: 'token_refused' });
  });

  it('reports a provider that is away, and gets a token when it is back', async () => {
    const waiting = tokens();
    const { port } = new URL(provider.issuer);
    await provider.close();

    expect(await rejection(waiting.next())).to.include({
      kind: 'busy',
      code: 'provider_unavailable',
    });
    provider = await startIdentityProvider({ ...DEMO_CLIENT, port: Number(port) });
    expect(await waiting.next()).to.be.a('string');
  });
});

describe('AccessTokens with a device code', () => {
  let server: ScriptedServer;
  const shown: object[] = [];

  afterEach(async () => {
    shown.length = 0;
    await server.stop();
  });

  const DEVICE = {
    device_code: 'd-1',
    user_code: 'ABCD-EFGH',
    verification_uri: 'https://login.example.test/device',
    expires_in: 60,
    interval: 0.001,
  };

  /** Discovery and the device endpoint; the token endpoint gives these responses in order. */
  async function start(...tokenResponses: readonly Step[]): Promise<AccessTokens> {
    const responses = [...tokenResponses];
    server = await ScriptedServer.start((response, request) => {
      const step = request.url === '/token' ? responses.shift() : stepFor(request);
      step?.(response, request);
    });
    const settings = { ...NONE, issuer: server.url, clientId: 'import', scope: 'openid offline_access' };
    return new AccessTokens(settings, (code) => shown.push(code));
  }

  function stepFor({ url }: SeenRequest): Step {
    return url === '/device' ? json(200, DEVICE) : json(200, metadataOf(server.url));
  }

  it('shows the code, and waits until a person has confirmed it', async () => {
    const tokens = await start(
      json(400, { error: 'authorization_pending' }),
      json(200, { access_token: 't-1', token_type: 'bearer', expires_in: 60 }),
    );

    expect(await tokens.next()).to.equal('t-1');
    expect(shown).to.deep.equal([{ address: DEVICE.verification_uri, userCode: DEVICE.user_code }]);
  });

  it('uses the refresh token before it asks again', async () => {
    const tokens = await start(
      json(200, { access_token: 't-1', token_type: 'bearer', refresh_token: 'r-1' }),
      json(200, { access_token: 't-2', token_type: 'bearer' }),
      json(400, { error: 'invalid_grant' }),
      json(200, { access_token: 't-3', token_type: 'bearer' }),
    );

    expect([await tokens.next(), await tokens.next(), await tokens.next()]).to.deep.equal([
      't-1',
      't-2',
      't-3',
    ]);
    expect(shown).to.have.lengthOf(2);
  });

  it('is denied if the person refuses', async () => {
    const tokens = await start(json(400, { error: 'access_denied' }));

    expect(await rejection(tokens.next())).to.include({ kind: 'unauthorized' });
  });
});

function metadataOf(issuer: string): object {
  return {
    issuer,
    token_endpoint: `${issuer}/token`,
    device_authorization_endpoint: `${issuer}/device`,
    response_types_supported: ['code'],
  };
}
