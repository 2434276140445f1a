import type { Claims } from '../../adapters/http/auth/claims.ts';
import { isPrintable, quote } from './check-result.ts';

export interface DecodedToken {
  readonly header: Readonly<Record<string, unknown>>;
  readonly claims: Claims;
  /** Whether the provider has signed it. */
  readonly isVerified: boolean;
}

/** What a provider needs to put the audience into its tokens. */
interface ProviderAdvice {
  /** Whether the token comes from this provider, or is of this kind. */
  readonly fits: (token: DecodedToken, issuer: string, audiences: readonly string[]) => boolean;
  readonly advice: (audience: string, token: DecodedToken) => string;
}

const ADVICE_WITHOUT_AUDIENCE: readonly ProviderAdvice[] = [
  {
    fits: (_token, issuer) => issuer.startsWith('https://cognito-idp.'),
    advice: (audience, { claims }) =>
      `let the client of Cognito send resource=${audience}; or set IDP_AUDIENCE=${clientOf(claims)} and let a trigger "Pre token generation" (version 2) add aud with this client ID, or send the ID token, which has it`,
  },
  {
    fits: ({ header, claims }) => startsWith(header['cat'], 'cl_') || startsWith(claims['sid'], 'sess_'),
    advice: (audience) =>
      `make a JWT template in Clerk with the claim { "aud": "${audience}" }, and send the token of getToken({ template: "its name" }): session tokens have no audience`,
  },
  {
    fits: (_token, issuer) => issuer.startsWith('https://api.workos.com'),
    advice: (audience) =>
      `add "aud": "${audience}" to the JWT template of WorkOS ("Authentication", "Sessions", "Configure JWT Template")`,
  },
];

const ADVICE_FOR_OTHER_AUDIENCE: readonly ProviderAdvice[] = [
  {
    // Keycloak names it in all tokens of a realm, for the page on which people edit their account.
    fits: ({ claims }, _issuer, [first]) => first === 'account' && 'realm_access' in claims,
    advice: (audience) =>
      `let a mapper "Audience" in a default client scope of Keycloak add ${audience}. Only if that is impossible, IDP_AUDIENCE=account: the service would then accept tokens of every client of the realm`,
  },
  {
    fits: (_token, _issuer, [first = '']) => GRAPH.includes(first),
    advice: () =>
      'request a scope of your own API, such as api://CLIENT_ID_OF_THE_API/access: this token is for Microsoft Graph, which alone can check it',
  },
  {
    fits: (_token, issuer, [first]) => first === issuer && /\.okta(?:preview)?\.com$/.test(issuer),
    advice: () =>
      'request the token from a custom authorization server of Okta, such as /oauth2/default: those of the org authorization server can be checked by Okta alone',
  },
];

const GRAPH = ['00000003-0000-0000-c000-000000000000', 'https://graph.microsoft.com'];

/** What to change at the provider for a token with other audiences than the expected one. */
export function audienceAdvice(token: DecodedToken, audiences: readonly string[], expected: string): string {
  const issuer = typeof token.claims['iss'] === 'string' ? token.claims['iss'] : '';
  const [first] = audiences;
  const known = first === undefined ? ADVICE_WITHOUT_AUDIENCE : ADVICE_FOR_OTHER_AUDIENCE;
  const found = known.find(({ fits }) => fits(token, issuer, audiences));
  if (found !== undefined) return found.advice(expected, token);
  if (first === undefined) {
    return `request the token for the audience ${expected}, or let the provider add it`;
  }
  return token.isVerified && isPrintable(first)
    ? `IDP_AUDIENCE=${first} if that is this API, else request the token for ${expected}`
    : `request the token for ${expected}; if ${quote(first)} is this API, set IDP_AUDIENCE to it`;
}

function startsWith(value: unknown, prefix: string): boolean {
  return typeof value === 'string' && value.startsWith(prefix);
}

function clientOf({ client_id: client }: Claims): string {
  return typeof client === 'string' && /^[\w-]+$/.test(client) ? client : 'the client ID';
}
