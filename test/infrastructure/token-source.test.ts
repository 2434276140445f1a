import { expect } from 'chai';
import type { CatalogError } from '../../client/src/node.ts';
import { DEMO_CLIENT } from '../../demo/demo-client.ts';
import { startIdentityProvider } from '../../demo/identity-provider.ts';
import { tokenSource } from '../../src/infrastructure/commands/token-source.ts';
import type { Environment } from '../../src/infrastructure/config/variable-table.ts';
import { rejection } from '../support/fixtures/rejection.ts';
import { json, ScriptedServer } from '../support/servers/scripted-server.ts';

const { clientId, clientSecret, audience } = DEMO_CLIENT;

function source(env: Environment): () => Promise<string> {
  const client = { CATALOG_CLIENT_ID: clientId, CATALOG_CLIENT_SECRET: clientSecret };
  return tokenSource({ ...client, ...env }, () => undefined);
}

describe('The tokens of a provider', () => {
  let provider: Awaited<ReturnType<typeof startIdentityProvider>>;

  before(async () => {
    provider = await startIdentityProvider({ ...DEMO_CLIENT, port: 0 });
  });

  after(() => provider.close());

  it('are those for CATALOG_RESOURCE', async () => {
    const token = await source({ CATALOG_ISSUER: provider.issuer, CATALOG_RESOURCE: audience })();
    expect(token.split('.')).to.have.lengthOf(3);
  });
});

describe('A token that is opaque', () => {
  let provider: ScriptedServer;

  before(async () => {
    provider = await ScriptedServer.start((response, request) => {
      const issuer = `http://${request.headers.host}`;
      const body = request.url.startsWith('/.well-known/')
        ? { issuer, token_endpoint: `${issuer}/token` }
        : { access_token: 'opaque', token_type: 'Bearer' };
      json(200, body)(response, request);
    });
  });

  after(() => provider.stop());

  for (const [title, env, advice] of [
    [
      'names both variables if neither is set',
      {},
      'set CATALOG_AUDIENCE or CATALOG_RESOURCE, whichever the provider reads, to the audience of the service',
    ],
    [
      'names CATALOG_RESOURCE if only CATALOG_AUDIENCE is set',
      { CATALOG_AUDIENCE: 'images' },
      'CATALOG_RESOURCE is not set, and many providers ignore CATALOG_AUDIENCE: set it to the audience of the service',
    ],
    [
      'names CATALOG_AUDIENCE if only CATALOG_RESOURCE is set',
      { CATALOG_RESOURCE: 'images' },
      'CATALOG_AUDIENCE is not set, and many providers ignore CATALOG_RESOURCE: set it to the audience of the service',
    ],
    [
      'names the provider if both are set',
      { CATALOG_AUDIENCE: 'images', CATALOG_RESOURCE: 'images' },
      'let the provider issue JWT access tokens for this audience',
    ],
  ] as const) {
    it(title, async () => {
      const error = (await rejection(source({ CATALOG_ISSUER: provider.url, ...env })())) as CatalogError;

      expect(error).to.include({ code: 'token_refused', kind: 'unauthorized' });
      expect(error.message).to.equal(
        `The identity provider gave an opaque access token, and the service accepts only JWTs: ${advice}`,
      );
    });
  }
});
