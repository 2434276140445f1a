import type { User } from 'oidc-client-ts';

/**
 * The scopes of a token, as far as the gallery can tell: those that the service would read from it, or else those that the
 * provider has named. They decide what is offered, never what is allowed.
 */
export function grantedScopes({
  access_token: token,
  scope,
}: Pick<User, 'access_token' | 'scope'>): readonly string[] | undefined {
  return claimedScopes(claimsOf(token)) ?? scope?.split(' ');
}

function claimedScopes({
  scope,
  scp,
  permissions,
}: Readonly<Record<string, unknown>>): readonly string[] | undefined {
  const scopes = wordsOf(scope ?? scp);
  const permitted = Array.isArray(permissions) ? wordsOf(permissions) : undefined;
  return scopes === undefined && permitted === undefined
    ? undefined
    : [...(scopes ?? []), ...(permitted ?? [])];
}

/** Of a text or an array of texts. */
function wordsOf(claim: unknown): readonly string[] | undefined {
  if (typeof claim === 'string') return claim.split(' ');
  return Array.isArray(claim) ? claim.filter((word) => typeof word === 'string') : undefined;
}

/** Of a JWT; none of an opaque token. */
function claimsOf(token: string): Readonly<Record<string, unknown>> {
  try {
    const [, payload = ''] = token.split('.');
    const binary = atob(payload.replaceAll('-', '+').replaceAll('_', '/'));
    const bytes = Uint8Array.from(binary, (character) => character.charCodeAt(0));
    return Object(JSON.parse(new TextDecoder().decode(bytes))) as Readonly<Record<string, unknown>>;
  } catch {
    return {};
  }
}
