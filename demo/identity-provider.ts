import { generateKeyPair, type JsonWebKey, randomBytes, randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { promisify } from 'node:util';
import type * as OidcProvider from 'oidc-provider';
import { acceptJsonTokenRequests } from './json-token-request.ts';

/** The only address that the provider listens on: its secrets are printed, so nobody else may reach it. */
const LOOPBACK = '127.0.0.1';
const TOKEN_PATH = '/oauth/token';
const TOKEN_LIFETIME_SECONDS = 3600;

export interface IdentityProviderOptions {
  /** 0 picks a free port. */
  readonly port: number;
  /** The one audience that tokens are given for: an absolute URI. */
  readonly audience: string;
  readonly clientId: string;
  readonly clientSecret: string;
  /** What the client may ask for, and gets where it asks for none. */
  readonly scopes?: readonly string[];
}

export interface IdentityProvider {
  /** With a trailing slash, as `IDP_DOMAIN` wants it. */
  readonly issuer: string;
  close(): Promise<void>;
}

/**
 * Starts an OpenID provider for development: one client, one audience, the client credentials grant, and a signing key
 * that is new at every start. It is bound to loopback and keeps nothing.
 *
 * @throws {TypeError} where the audience is not an absolute URI
 * @throws the listener's error, such as `EADDRINUSE`
 */
export async function startIdentityProvider(options: IdentityProviderOptions): Promise<IdentityProvider> {
  if (!URL.canParse(options.audience))
    throw new TypeError(`The audience ${options.audience} is not an absolute URI`);
  const [oidc, signingKey] = await Promise.all([loadOidcProvider(), generateSigningKey()]);
  const server = createServer();
  // The issuer names the port, so the port comes first. No request is lost: the handler is there before the next event.
  const issuer = `http://${LOOPBACK}:${await listen(server, options.port)}/`;
  server.on('request', createProvider(oidc, issuer, signingKey, options).callback());
  return { issuer, close: () => close(server) };
}

function createProvider(
  oidc: typeof OidcProvider,
  issuer: string,
  signingKey: JsonWebKey,
  { audience, clientId, clientSecret, scopes = [] }: IdentityProviderOptions,
): OidcProvider.Provider {
  const provider = new oidc.Provider(issuer, {
    adapter: () => KEEPS_NOTHING,
    clients: [
      {
        client_id: clientId,
        client_secret: clientSecret,
        grant_types: ['client_credentials'],
        response_types: [],
        redirect_uris: [],
        token_endpoint_auth_method: 'client_secret_post',
      },
    ],
    cookies: { keys: [randomBytes(32).toString('hex')] },
    features: {
      clientCredentials: { enabled: true },
      devInteractions: { enabled: false },
      resourceIndicators: {
        enabled: true,
        defaultResource: () => {
          throw new oidc.errors.InvalidTarget('an audience is required');
        },
        getResourceServerInfo: (_ctx, resource) => {
          if (resource !== audience) throw new oidc.errors.InvalidTarget('the audience is unknown');
          return resourceServer(audience, scopes);
        },
      },
    },
    jwks: { keys: [signingKey] },
    responseTypes: [],
    routes: { jwks: '/.well-known/jwks.json', token: TOKEN_PATH },
    scopes,
    ttl: { ClientCredentials: TOKEN_LIFETIME_SECONDS },
  });
  provider.use(acceptJsonTokenRequests(TOKEN_PATH, scopes));
  return provider;
}

function resourceServer(audience: string, scopes: readonly string[]): OidcProvider.ResourceServer {
  return {
    audience,
    scope: scopes.join(' '),
    accessTokenFormat: 'jwt',
    accessTokenTTL: TOKEN_LIFETIME_SECONDS,
    jwt: { sign: { alg: 'RS256' } },
  };
}

/** Clients are configured and tokens are self-contained, so there is nothing to keep; giving none would print a warning. */
const KEEPS_NOTHING: OidcProvider.Adapter = {
  upsert: async () => undefined,
  find: async () => undefined,
  findByUserCode: async () => undefined,
  findByUid: async () => undefined,
  consume: async () => undefined,
  destroy: async () => undefined,
  revokeByGrantId: async () => undefined,
};

async function generateSigningKey(): Promise<JsonWebKey> {
  const { privateKey } = await promisify(generateKeyPair)('rsa', { modulusLength: 2048 });
  return { ...privateKey.export({ format: 'jwk' }), kid: randomUUID(), alg: 'RS256', use: 'sig' };
}

/**
 * On Node 20, `oidc-provider` warns while it is loaded that it supports Node 22 and later. What the demo uses of it works on
 * 20 as well (the end-to-end tests see to that), and the warning would be the first thing a new user reads.
 */
async function loadOidcProvider(): Promise<typeof OidcProvider> {
  const { warn } = console;
  console.warn = (...args: unknown[]): void => {
    if (!String(args[0]).includes('Unsupported runtime')) warn(...args);
  };
  try {
    return await import('oidc-provider');
  } finally {
    console.warn = warn;
  }
}

async function listen(server: Server, port: number): Promise<number> {
  server.listen(port, LOOPBACK);
  await once(server, 'listening');
  return (server.address() as AddressInfo).port;
}

async function close(server: Server): Promise<void> {
  const closed = once(server, 'close');
  server.close();
  server.closeAllConnections();
  await closed;
}
