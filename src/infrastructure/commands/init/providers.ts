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
  /** Whether it issues tokens for an API only to clients that send the audience as `resource` (RFC 8707). */
  readonly needsResource?: true;
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
    client: 'a "Single page app"',
    scope: REFRESHING,
    needsResource: true,
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
  external: {
    name: 'Microsoft Entra External ID',
    issuer: 'https://TENANT_ID.ciamlogin.com/TENANT_ID/v2.0',
    keys: '../discovery/v2.0/keys',
    audience: 'the client ID of the API, whose manifest has "requestedAccessTokenVersion": 2',
    client: 'a registration of its own for the platform "Single-page application"',
    scope: 'openid offline_access api://CLIENT_ID_OF_THE_API/SCOPE',
  },
  okta: {
    name: 'Okta',
    issuer: 'https://HOST/oauth2/default',
    keys: 'v1/keys',
    audience: '"Audience" of a custom authorization server, such as api://default',
    client:
      'a "Single-Page Application" with "Refresh Token", and with the origin of the gallery as a trusted one',
    scope: REFRESHING,
  },
  cognito: {
    name: 'Amazon Cognito',
    issuer: 'https://cognito-idp.REGION.amazonaws.com/USER_POOL_ID',
    keys: '.well-known/jwks.json',
    audience: 'the client ID, which a trigger "Pre token generation" must add to access tokens as aud',
    client: 'an app client "Single-page application" with the authorization code grant',
    scope: 'openid',
  },
  google: {
    name: 'Google',
    issuer: 'https://accounts.google.com',
    keys: 'https://www.googleapis.com/oauth2/v3/certs',
    audience: 'the client ID: ID tokens have it, and access tokens are opaque',
    client: 'none: the gallery sends access tokens',
    scope: 'openid',
  },
  firebase: {
    name: 'Firebase',
    issuer: 'https://securetoken.google.com/PROJECT_ID',
    keys: 'https://www.googleapis.com/service_accounts/v1/jwk/securetoken@system.gserviceaccount.com',
    audience: 'the ID of the project',
    client: 'none: Firebase has no token endpoint',
    scope: 'openid',
  },
  supabase: {
    name: 'Supabase',
    issuer: 'https://PROJECT.supabase.co/auth/v1',
    keys: '.well-known/jwks.json',
    audience: 'authenticated; the signing key in use must be of the type RSA (RS256)',
    client: 'none: sessions of Supabase come from its own library',
    scope: 'openid',
  },
  clerk: {
    name: 'Clerk',
    issuer: 'https://HOST',
    keys: '.well-known/jwks.json',
    audience: 'a name of your choice, which a JWT template adds as aud',
    client: 'none: JWT templates are for the library of Clerk',
    scope: 'openid',
  },
  adfs: {
    name: 'ADFS',
    issuer: 'https://HOST/adfs',
    keys: 'discovery/keys',
    audience: 'microsoft:identityserver: and the identifier of the Web API',
    client: 'none: access tokens name an issuer without a discovery document',
    scope: 'openid',
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
