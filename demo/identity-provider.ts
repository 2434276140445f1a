import { generateKeyPair, type JsonWebKey, randomBytes, randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { promisify } from 'node:util';
import type { Context } from 'koa';
import type * as OidcProvider from 'oidc-provider';
import { escapeHtml, showPage } from './provider-page.ts';
import { ProviderState } from './provider-state.ts';
import { type Person, signIn, signInPath } from './sign-in.ts';
import { acceptTokenRequests } from './token-request.ts';

/** The only address that the provider listens on: its secrets are printed, so no other machine may reach it. */
const LOOPBACK = '127.0.0.1';
const TOKEN_PATH = '/oauth/token';
const TOKEN_LIFETIME_SECONDS = 3600;
const SESSION_LIFETIME_SECONDS = 24 * 3600;
const LIFETIMES_SECONDS = {
  AuthorizationCode: 60,
  ClientCredentials: TOKEN_LIFETIME_SECONDS,
  Grant: SESSION_LIFETIME_SECONDS,
  IdToken: TOKEN_LIFETIME_SECONDS,
  Interaction: 600,
  RefreshToken: SESSION_LIFETIME_SECONDS,
  Session: SESSION_LIFETIME_SECONDS,
};
const PERSON: Person = { sub: 'demo-person', name: 'Demo' };
const SIGN_OUT: OidcProvider.Configuration['features']['rpInitiatedLogout'] = {
  enabled: true,
  logoutSource: (ctx, form) =>
    showPage(
      ctx,
      'Sign out',
      `${form}<button autofocus form="op.logoutForm" name="logout" value="yes">Sign out</button>`,
    ),
  postLogoutSuccessSource: (ctx) => showPage(ctx, 'You are signed out', ''),
};

/** The client of a gallery: a page in a browser, so it has no secret. */
export interface GalleryClient {
  readonly clientId: string;
  /** The gallery's address, with a trailing slash. Redirects go there, and to the API reference's page below it. */
  readonly url: string;
  /** The origin of one more page that may sign in with this client; redirects go to its path `/`. */
  readonly pageOrigin?: string;
}

export interface IdentityProviderOptions {
  /** 0 picks a free port. */
  readonly port: number;
  /** The one audience that tokens are given for: an absolute URI. */
  readonly audience: string;
  readonly clientId: string;
  readonly clientSecret: string;
  /** The scopes that clients may request. A program that requests none gets all of them. */
  readonly scopes?: readonly string[];
  /** Without it, only programs get tokens. */
  readonly gallery?: GalleryClient;
  /** Of the gallery's tokens; default: an hour. */
  readonly accessTokenLifetimeSeconds?: number;
}

export interface IdentityProvider {
  /** With a trailing slash, as `IDP_DOMAIN` wants it. */
  readonly issuer: string;
  /**
   * Refuses connections until `resume`; keys, sessions and tokens stay. Requests under way get their responses: who misses one
   * would not know the refresh token that comes next.
   */
  suspend(): Promise<void>;
  /** Listens on the same port again. */
  resume(): Promise<void>;
  close(): Promise<void>;
}

/**
 * Starts an OpenID provider for development: one audience, a client for programs (client credentials), a client for the
 * gallery (authorization code with PKCE), one person, and a signing key that is new at every start. It listens on
 * loopback and keeps its state in memory.
 *
 * @throws {TypeError} if the audience is not an absolute URI
 * @throws the listener's error, such as `EADDRINUSE`
 */
export async function startIdentityProvider(options: IdentityProviderOptions): Promise<IdentityProvider> {
  if (!URL.canParse(options.audience)) {
    throw new TypeError(`The audience ${options.audience} is not an absolute URI`);
  }
  const [oidc, signingKey] = await Promise.all([loadOidcProvider(), generateSigningKey()]);
  const server = createServer();
  // The issuer names the port, so the port comes first. No request is lost: the handler is there before the next event.
  const port = await listen(server, options.port);
  const issuer = `http://${LOOPBACK}:${port}/`;
  const underWay = new Set<ServerResponse>();
  server.on('request', (_request, response) => {
    underWay.add(response);
    response.once('close', () => underWay.delete(response));
  });
  server.on('request', createProvider(oidc, issuer, signingKey, options).callback());
  return {
    issuer,
    suspend: () => close(server, underWay),
    resume: async () => void (await listen(server, port)),
    close: () => close(server),
  };
}

function createProvider(
  oidc: typeof OidcProvider,
  issuer: string,
  signingKey: JsonWebKey,
  options: IdentityProviderOptions,
): OidcProvider.Provider {
  const { audience, gallery, scopes = [], accessTokenLifetimeSeconds } = options;
  const state = new ProviderState();
  const origins = gallery === undefined ? [] : [new URL(gallery.url).origin, gallery.pageOrigin];
  const provider = new oidc.Provider(issuer, {
    adapter: (model) => state.adapter(model),
    claims: { openid: ['sub', 'name'] },
    clientBasedCORS: (_ctx, origin, client) =>
      client.clientId === gallery?.clientId && origins.includes(origin),
    clients: [programClient(options), ...(gallery === undefined ? [] : [galleryClient(gallery)])],
    conformIdTokenClaims: false,
    cookies: { keys: [randomBytes(32).toString('hex')] },
    expiresWithSession: () => false,
    // As Auth0 names the resource. The authorization endpoint alone gets it; `defaultResource` does the rest.
    extraParams: {
      audience: (_ctx, value) => {
        if (value !== undefined) checkAudience(oidc, value, audience);
      },
    },
    features: {
      clientCredentials: { enabled: true },
      devInteractions: { enabled: false },
      resourceIndicators: resourceIndicators(oidc, options),
      rpInitiatedLogout: SIGN_OUT,
    },
    findAccount: (_ctx, id) =>
      id === PERSON.sub ? { accountId: id, claims: async () => PERSON } : undefined,
    interactions: { url: (_ctx, { uid }) => signInPath(uid) },
    // Also without `prompt=consent`, without which `oidc-provider` drops the scope `offline_access`.
    issueRefreshToken: (_ctx, client) => client.grantTypeAllowed('refresh_token'),
    jwks: { keys: [signingKey] },
    pkce: { required: () => true },
    renderError: showError,
    responseTypes: ['code'],
    rotateRefreshToken: true,
    routes: { jwks: '/.well-known/jwks.json', token: TOKEN_PATH },
    scopes: ['openid', 'offline_access', ...scopes],
    ttl: { ...LIFETIMES_SECONDS, AccessToken: accessTokenLifetimeSeconds ?? TOKEN_LIFETIME_SECONDS },
  });
  provider.use(acceptTokenRequests(TOKEN_PATH, scopes));
  provider.use(
    signIn(provider, {
      person: PERSON,
      audience,
      isOver: (error) => error instanceof oidc.errors.SessionNotFound,
    }),
  );
  return provider;
}

/** One audience. Programs must name it; the gallery may. */
function resourceIndicators(
  oidc: typeof OidcProvider,
  options: IdentityProviderOptions,
): OidcProvider.Configuration['features']['resourceIndicators'] {
  const { audience, gallery } = options;
  return {
    enabled: true,
    defaultResource: (_ctx, client) => {
      if (client.clientId === gallery?.clientId) return audience;
      throw new oidc.errors.InvalidTarget('an audience is required');
    },
    getResourceServerInfo: (_ctx, resource) => {
      checkAudience(oidc, resource, audience);
      return resourceServer(options);
    },
    useGrantedResource: () => true,
  };
}

function programClient({ clientId, clientSecret }: IdentityProviderOptions): OidcProvider.ProviderClient {
  return {
    client_id: clientId,
    client_secret: clientSecret,
    grant_types: ['client_credentials'],
    response_types: [],
    redirect_uris: [],
    token_endpoint_auth_method: 'client_secret_post',
  };
}

function galleryClient({ clientId, url, pageOrigin }: GalleryClient): OidcProvider.ProviderClient {
  const pages = pageOrigin === undefined ? [url] : [url, `${pageOrigin}/`];
  return {
    client_id: clientId,
    client_name: 'Image Catalog',
    grant_types: ['authorization_code', 'refresh_token'],
    response_types: ['code'],
    redirect_uris: [...pages, `${url}docs/oauth2-redirect.html`],
    post_logout_redirect_uris: pages,
    token_endpoint_auth_method: 'none',
  };
}

function checkAudience(oidc: typeof OidcProvider, requested: string, audience: string): void {
  if (requested !== audience) throw new oidc.errors.InvalidTarget('the audience is unknown');
}

function resourceServer({ audience, scopes = [] }: IdentityProviderOptions): OidcProvider.ResourceServer {
  return {
    audience,
    scope: scopes.join(' '),
    accessTokenFormat: 'jwt',
    jwt: { sign: { alg: 'RS256' } },
  };
}

function showError(
  ctx: Context,
  { error, error_description: description = '' }: OidcProvider.ErrorFields,
): void {
  showPage(ctx, 'The request was refused', `<p>${escapeHtml(`${error}: ${description}`)}</p>`);
}

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

/** Does nothing if the server does not listen. */
/** @param awaited responses that are not cut off; more may come until there are none */
async function close(server: Server, awaited: ReadonlySet<ServerResponse> = new Set()): Promise<void> {
  if (!server.listening) return;
  const closed = once(server, 'close');
  server.close();
  for (const response of awaited) await once(response, 'close');
  server.closeAllConnections();
  await closed;
}
