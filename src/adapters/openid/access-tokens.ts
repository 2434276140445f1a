import * as client from 'openid-client';
import { CatalogError } from '../../../client/src/node.ts';

export interface ProviderSettings {
  readonly issuer: string;
  readonly clientId: string;
  /** Without it, a person confirms a code in a browser. */
  readonly clientSecret: string | undefined;
  /** Sent as `audience`, which Auth0 and others need. */
  readonly audience: string | undefined;
  /** Sent as `resource`: RFC 8707. */
  readonly resource: string | undefined;
  readonly scope: string | undefined;
}

/** Shows a person where to confirm the code: RFC 8628. */
export type ShowCode = (code: { readonly address: string; readonly userCode: string }) => void;

/** Access tokens of a provider with discovery. Methods reject with `CatalogError`: `busy` or `unauthorized`. */
export class AccessTokens {
  private configuration: client.Configuration | undefined;
  private refreshToken: string | undefined;

  constructor(
    private readonly settings: ProviderSettings,
    private readonly showCode: ShowCode,
  ) {}

  async next(): Promise<string> {
    try {
      this.configuration ??= await discover(this.settings);
      const tokens = await this.grant(this.configuration);
      this.refreshToken = tokens.refresh_token ?? this.refreshToken;
      return tokens.access_token;
    } catch (error) {
      throw tokenError(error);
    }
  }

  private async grant(configuration: client.Configuration): Promise<client.TokenEndpointResponse> {
    const parameters = parametersOf(this.settings);
    if (this.settings.clientSecret !== undefined) {
      return await client.clientCredentialsGrant(configuration, parameters);
    }
    return (await this.refresh(configuration)) ?? (await this.ask(configuration));
  }

  /** `undefined` if there is no refresh token, or the provider refuses it. */
  private async refresh(
    configuration: client.Configuration,
  ): Promise<client.TokenEndpointResponse | undefined> {
    if (this.refreshToken === undefined) return undefined;
    try {
      return await client.refreshTokenGrant(configuration, this.refreshToken);
    } catch (error) {
      if (isUnavailable(error)) throw error;
      this.refreshToken = undefined;
      return undefined;
    }
  }

  private async ask(configuration: client.Configuration): Promise<client.TokenEndpointResponse> {
    const code = await client.initiateDeviceAuthorization(configuration, parametersOf(this.settings));
    this.showCode({
      address: code.verification_uri_complete ?? code.verification_uri,
      userCode: code.user_code,
    });
    return await client.pollDeviceAuthorizationGrant(configuration, code);
  }
}

async function discover({ issuer, clientId, clientSecret }: ProviderSettings): Promise<client.Configuration> {
  // Plain HTTP is for providers on this machine.
  const isLocal = ['localhost', '127.0.0.1', '[::1]'].includes(new URL(issuer).hostname);
  const execute = isLocal ? [client.allowInsecureRequests] : [];
  const found = await client.discovery(new URL(issuer), clientId, undefined, client.None(), { execute });
  if (clientSecret === undefined) return found;
  const server = found.serverMetadata();
  const methods = server.token_endpoint_auth_methods_supported ?? ['client_secret_basic'];
  const authentication = methods.includes('client_secret_post')
    ? client.ClientSecretPost
    : client.ClientSecretBasic;
  const configuration = new client.Configuration(server, clientId, undefined, authentication(clientSecret));
  for (const apply of execute) apply(configuration);
  return configuration;
}

function parametersOf({ audience, resource, scope }: ProviderSettings): Record<string, string> {
  return {
    ...(audience !== undefined && { audience }),
    ...(resource !== undefined && { resource }),
    ...(scope !== undefined && { scope }),
  };
}

/** With the status of a service that could not get the token either. */
function tokenError(error: unknown): CatalogError {
  const message = `The identity provider gives no token: ${explanation(error)}`;
  const facts = isUnavailable(error)
    ? { code: 'provider_unavailable', status: 503 }
    : { code: 'token_refused', status: 401 };
  return new CatalogError(message, facts, { cause: error });
}

/** `fetch` rejects with a `TypeError` if there is no connection. */
function isUnavailable(error: unknown): boolean {
  if (error instanceof client.ResponseBodyError) return error.status >= 500;
  if (error instanceof TypeError) return true;
  const { cause, code } = error as { readonly cause?: unknown; readonly code?: unknown };
  return code === 'OAUTH_TIMEOUT' || (cause instanceof Response && cause.status >= 500);
}

function explanation(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const described = 'error_description' in error ? error.error_description : undefined;
  const { cause } = error;
  if (typeof described === 'string') return described;
  return cause instanceof Error ? `${error.message} (${cause.message})` : error.message;
}
