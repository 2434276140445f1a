/** The part of `oidc-provider` that the demo uses; the package ships no types. */
declare module 'oidc-provider' {
  import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
  import type { Context, Middleware } from 'koa';

  interface ResourceServer {
    /** Space-separated scopes that a client may ask for. */
    readonly scope: string;
    readonly audience: string;
    readonly accessTokenFormat: 'jwt' | 'opaque';
    readonly jwt: { readonly sign: { readonly alg: string } };
  }

  /** The metadata of a client, as RFC 7591 and OpenID Connect name them. */
  interface ProviderClient {
    readonly client_id: string;
    readonly client_secret?: string;
    readonly client_name?: string;
    readonly grant_types: readonly string[];
    readonly response_types: readonly string[];
    readonly redirect_uris: readonly string[];
    readonly post_logout_redirect_uris?: readonly string[];
    readonly token_endpoint_auth_method: 'client_secret_basic' | 'client_secret_post' | 'none';
  }

  /** A registered client. */
  interface Client {
    readonly clientId: string;
    grantTypeAllowed(type: string): boolean;
  }

  /** What the adapter keeps, as JSON. */
  interface StoredModel {
    readonly uid?: string;
    readonly userCode?: string;
    readonly grantId?: string;
    consumed?: number;
  }

  /** Where the provider keeps what outlives a request: https://github.com/panva/node-oidc-provider/tree/main/docs#adapter */
  interface Adapter {
    /** `expiresIn` in seconds; `undefined` for a model that does not expire. */
    upsert(id: string, payload: StoredModel, expiresIn: number | undefined): Promise<void>;
    find(id: string): Promise<StoredModel | undefined>;
    findByUserCode(userCode: string): Promise<StoredModel | undefined>;
    findByUid(uid: string): Promise<StoredModel | undefined>;
    consume(id: string): Promise<void>;
    destroy(id: string): Promise<void>;
    revokeByGrantId(grantId: string): Promise<void>;
  }

  interface Account {
    readonly accountId: string;
    claims(): Promise<{ readonly sub: string; readonly name?: string }>;
  }

  /** A sign-in that waits for the person in front of the browser. */
  interface Interaction {
    readonly uid: string;
    readonly params: { readonly client_id: string; readonly scope?: string };
    readonly session?: { readonly accountId: string };
  }

  interface InteractionResult {
    readonly login: { readonly accountId: string };
    readonly consent: { readonly grantId: string };
  }

  interface Grant {
    addOIDCScope(scope: string): void;
    addResourceScope(resource: string, scope: string): void;
    /** @returns its id */
    save(): Promise<string>;
  }

  /** RFC 6749, section 4.1.2.1 */
  interface ErrorFields {
    readonly error: string;
    readonly error_description?: string;
  }

  interface Configuration {
    readonly adapter: (model: string) => Adapter;
    readonly claims: Readonly<Record<string, readonly string[]>>;
    readonly clientBasedCORS: (ctx: Context, origin: string, client: Client) => boolean;
    readonly clients: readonly ProviderClient[];
    /** `false`: the claims of the scopes are in the ID token too. */
    readonly conformIdTokenClaims: boolean;
    readonly cookies: { readonly keys: readonly string[] };
    readonly expiresWithSession: () => boolean;
    /** Parameters of the authorization request beside those of the standards. */
    readonly extraParams: Readonly<Record<string, (ctx: Context, value: string | undefined) => void>>;
    readonly features: {
      readonly clientCredentials: { readonly enabled: boolean };
      readonly devInteractions: { readonly enabled: boolean };
      readonly resourceIndicators: {
        readonly enabled: boolean;
        readonly defaultResource: (ctx: Context, client: Client, oneOf?: readonly string[]) => string;
        readonly getResourceServerInfo: (ctx: Context, resource: string) => ResourceServer;
        readonly useGrantedResource: () => boolean;
      };
      readonly rpInitiatedLogout: {
        readonly enabled: boolean;
        /** `form` is an empty form with the id `op.logoutForm`. */
        readonly logoutSource: (ctx: Context, form: string) => void;
        readonly postLogoutSuccessSource: (ctx: Context) => void;
      };
    };
    readonly findAccount: (ctx: Context, id: string) => Account | undefined;
    readonly interactions: { readonly url: (ctx: Context, interaction: { readonly uid: string }) => string };
    readonly issueRefreshToken: (ctx: Context, client: Client) => boolean;
    readonly jwks: { readonly keys: readonly object[] };
    readonly pkce: { readonly required: () => boolean };
    readonly renderError: (ctx: Context, out: ErrorFields) => void;
    readonly responseTypes: readonly string[];
    readonly rotateRefreshToken: boolean;
    readonly routes: { readonly jwks: string; readonly token: string };
    readonly scopes: readonly string[];
    /** Seconds. */
    readonly ttl: Readonly<
      Record<
        | 'AccessToken'
        | 'AuthorizationCode'
        | 'ClientCredentials'
        | 'Grant'
        | 'IdToken'
        | 'Interaction'
        | 'RefreshToken'
        | 'Session',
        number
      >
    >;
  }

  /** A Koa application. */
  export class Provider {
    readonly Grant: new (of: {
      readonly accountId: string;
      readonly clientId: string;
    }) => Grant;
    constructor(issuer: string, configuration: Configuration);
    /** The middleware runs before the provider's own. */
    use(middleware: Middleware): this;
    callback(): RequestListener;
    /** @throws {errors.SessionNotFound} without the cookie of an open interaction */
    interactionDetails(request: IncomingMessage, response: ServerResponse): Promise<Interaction>;
    /** @returns the address where the authorization continues */
    interactionResult(
      request: IncomingMessage,
      response: ServerResponse,
      result: InteractionResult,
    ): Promise<string>;
  }

  export const errors: {
    /** RFC 8707, section 2: the requested resource is unknown, missing or ill-formed. */
    readonly InvalidTarget: new (
      description?: string,
    ) => Error;
    readonly SessionNotFound: new (description?: string) => Error;
  };
}
