/** The part of `oidc-provider` that the demo uses; the package ships no types. */
declare module 'oidc-provider' {
  import type { RequestListener } from 'node:http';
  import type { Context, Middleware } from 'koa';

  interface ResourceServer {
    /** Space-separated scopes that a client may ask for. */
    readonly scope: string;
    readonly audience: string;
    /** Seconds. */
    readonly accessTokenTTL: number;
    readonly accessTokenFormat: 'jwt' | 'opaque';
    readonly jwt: { readonly sign: { readonly alg: string } };
  }

  interface ProviderClient {
    readonly client_id: string;
    readonly client_secret: string;
    readonly grant_types: readonly string[];
    readonly response_types: readonly string[];
    readonly redirect_uris: readonly string[];
    readonly token_endpoint_auth_method: 'client_secret_basic' | 'client_secret_post';
  }

  /** Where the provider keeps what outlives a request: https://github.com/panva/node-oidc-provider/tree/main/docs#adapter */
  interface Adapter {
    upsert(id: string, payload: object, expiresIn: number): Promise<void>;
    find(id: string): Promise<object | undefined>;
    findByUserCode(userCode: string): Promise<object | undefined>;
    findByUid(uid: string): Promise<object | undefined>;
    consume(id: string): Promise<void>;
    destroy(id: string): Promise<void>;
    revokeByGrantId(grantId: string): Promise<void>;
  }

  interface Configuration {
    readonly adapter: (model: string) => Adapter;
    readonly clients: readonly ProviderClient[];
    readonly cookies: { readonly keys: readonly string[] };
    readonly features: {
      readonly clientCredentials: { readonly enabled: boolean };
      readonly devInteractions: { readonly enabled: boolean };
      readonly resourceIndicators: {
        readonly enabled: boolean;
        readonly defaultResource: (ctx: Context, client: object, oneOf?: readonly string[]) => string;
        readonly getResourceServerInfo: (ctx: Context, resource: string) => ResourceServer;
      };
    };
    readonly jwks: { readonly keys: readonly object[] };
    readonly responseTypes: readonly string[];
    readonly routes: { readonly jwks: string; readonly token: string };
    readonly scopes: readonly string[];
    readonly ttl: { readonly ClientCredentials: number };
  }

  /** A Koa application. */
  export class Provider {
    constructor(issuer: string, configuration: Configuration);
    /** The middleware runs before the provider's own. */
    use(middleware: Middleware): this;
    callback(): RequestListener;
  }

  export const errors: {
    /** RFC 8707, section 2: the requested resource is unknown, missing or ill-formed. */
    readonly InvalidTarget: new (
      description?: string,
    ) => Error;
  };
}
