/** What differs between identity providers. The page docs/providers.md says the same in words. */
export interface Provider {
  readonly name: string;
  /** How its issuers look; capitals stand for what differs. The slash at the end counts. */
  readonly issuer: string;
  /** The key set, relative to the issuer with a slash at its end. */
  readonly keys: string;
  /** What the claim `aud` of its access tokens is. */
  readonly audience: string;
  /** What the gallery's client must be at the provider. */
  readonly client: string;
  /** That the gallery asks for, with a refresh token if there is one. */
  readonly scope: string;
}

const REFRESHING = 'openid offline_access';

export const PROVIDERS = {
  auth0: {
    name: 'Auth0',
    issuer: 'https://TENANT.REGION.auth0.com/',
    keys: '.well-known/jwks.json',
    audience: 'the identifier of an API that signs with RS256',
    client: 'a "Single Page Application"; for offline_access turn on "Allow Offline Access" in the API',
    scope: REFRESHING,
  },
  keycloak: {
    name: 'Keycloak',
    issuer: 'https://HOST/realms/REALM',
    keys: 'protocol/openid-connect/certs',
    audience: 'a name of your choice, which a mapper "Audience" in a default client scope adds',
    client: 'a client with "Client authentication" off, and with the origin of the gallery in "Web origins"',
    scope: 'openid',
  },
  authentik: {
    name: 'Authentik',
    issuer: 'https://HOST/application/o/SLUG/',
    keys: 'jwks/',
    audience:
      'the client ID of the provider, which needs an RSA key as "Signing Key" and no "Encryption Key"',
    client: 'the same client ID; the client type is "Public", and offline_access is among the scopes',
    scope: REFRESHING,
  },
  zitadel: {
    name: 'Zitadel',
    issuer: 'https://INSTANCE.REGION.zitadel.cloud',
    keys: 'oauth/v2/keys',
    audience: 'the ID of the project, or the client ID of the application',
    client: 'an application "User Agent" with PKCE, the access token type JWT, and "Refresh Token" on',
    scope: REFRESHING,
  },
  logto: {
    name: 'Logto',
    issuer: 'https://TENANT.logto.app/oidc',
    keys: 'jwks',
    audience: 'the identifier of an API resource; the signing key must be of the type RSA',
    client:
      'none yet: Logto gives tokens for an API only to clients that send resource, which the gallery does not',
    scope: REFRESHING,
  },
  kanidm: {
    name: 'Kanidm',
    issuer: 'https://HOST/oauth2/openid/CLIENT_ID',
    keys: 'public_key.jwk',
    audience: 'the name of the client; turn RS256 on with warning-enable-legacy-crypto',
    client: 'the same name: a client that create-public has made, with a scope map for openid',
    scope: 'openid',
  },
  entra: {
    name: 'Microsoft Entra ID',
    issuer: 'https://login.microsoftonline.com/TENANT_ID/v2.0',
    keys: '../discovery/v2.0/keys',
    audience: 'the client ID of the API, whose manifest has "requestedAccessTokenVersion": 2',
    client: 'a registration of its own for the platform "Single-page application"',
    scope: 'openid offline_access api://CLIENT_ID_OF_THE_API/SCOPE',
  },
  other: {
    name: 'another OpenID provider',
    issuer: 'https://HOST/',
    keys: '.well-known/jwks.json',
    audience: 'the value that it puts into aud; its access tokens must be JWTs signed with RS256',
    client: 'a public client with the authorization code flow and PKCE',
    scope: REFRESHING,
  },
} as const satisfies Readonly<Record<string, Provider>>;
