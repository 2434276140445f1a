import { decodeToken, isSignedBy } from '../../adapters/http/auth/bearer-token.ts';
import { type Claims, isGranted } from '../../adapters/http/auth/claims.ts';
import type { JwkSet } from '../../adapters/http/auth/fetch-jwks.ts';
import { spaceIn } from '../../adapters/http/auth/require-space.ts';
import type { Scopes } from '../../adapters/http/route/http-settings.ts';
import type { Space } from '../../domain/space/space.ts';
import { isUsable, publicKeyOf } from './check-provider.ts';
import { type CheckResult, type Findings, ok, problem, quote, warning } from './check-result.ts';

export interface TokenSettings {
  readonly issuer: string;
  readonly audience: string;
  readonly scopes: Scopes;
  /** `undefined`: the token needs no space. */
  readonly spaceClaim: string | undefined;
}

interface Token {
  readonly header: Readonly<Record<string, unknown>>;
  readonly claims: Claims;
  /** The token itself. */
  readonly compact: string;
}

/**
 * The checks of the service in its order; all of them, also after the first that fails. The results hold claims, never the token.
 *
 * @param jwks `undefined` if it cannot be read
 * @param now ms since 1970
 */
export function* checkToken(
  text: string,
  jwks: JwkSet | undefined,
  { audience, issuer, scopes, spaceClaim }: TokenSettings,
  now: number,
): Findings {
  const token = parse(text);
  if ('level' in token) {
    yield token;
    return;
  }
  yield ok('The token is a well-formed JWT with an expiry');
  yield checkSignature(token, jwks);
  yield* checkTimes(token.claims, now);
  yield checkAudience(token.claims, audience);
  yield checkIssuer(token.claims, issuer);
  yield* checkScopes(token.claims, scopes);
  if (spaceClaim !== undefined) yield checkSpace(token.claims, spaceClaim);
}

/** `undefined` if the token names none. */
export function spaceOfToken(text: string, claim: string): Space | undefined {
  const token = parse(text);
  return 'level' in token ? undefined : spaceIn(token.claims, claim);
}

/** A problem for which the service refuses the token. */
function refused(text: string, message: string, change?: string): CheckResult {
  return problem(`${text}. It would get 401 "${message}"`, change);
}

function parse(text: string): Token | CheckResult {
  const token = text.trim().replace(/^bearer\s+/i, '');
  const decoded = decodeToken(token);
  if (decoded === undefined) return malformedToken(token);
  return { ...decoded, compact: token };
}

function malformedToken(token: string): CheckResult {
  if (token === '') return problem('There is no token on standard input');
  const parts = token.split('.').length;
  if (parts === 5) {
    return problem(
      'The token is encrypted (JWE). The service reads signed JWTs only',
      'switch off the encryption of access tokens for this API',
    );
  }
  if (parts !== 3) {
    const change =
      'request a token for this API: many providers issue a JWT only if the request names the audience (or resource)';
    return refused('The token is opaque: it is no JWT', 'jwt malformed', change);
  }
  const rules =
    'header and payload must be JSON objects, with a numeric exp, without crit, and with a signature';
  return refused(`The token is no JWT that the service reads: ${rules}`, 'jwt malformed');
}

function checkSignature({ header, compact }: Token, jwks: JwkSet | undefined): CheckResult {
  const { alg, kid } = header;
  if (alg !== 'RS256') {
    return refused(
      `The token is signed with ${quote(alg)}, and the service accepts RS256 only`,
      'invalid signature',
      'let the provider sign the access tokens of this API with RS256',
    );
  }
  if (jwks === undefined) return warning('The signature is not checked: there are no keys');
  const usable = jwks.keys.filter(isUsable);
  const namesNone = kid === undefined || kid === null;
  if (namesNone && usable.length !== 1) return noKid();
  const found = namesNone ? usable : usable.filter((key) => key.kid === kid);
  if (found.length === 0) return unknownKid(kid);
  const isValid = found.map(publicKeyOf).some((key) => key !== undefined && isSignedBy(compact, key));
  if (isValid) return ok('The signature is valid');
  const why = 'the token is from another provider, or altered';
  return refused(`The signature does not fit the key: ${why}`, 'invalid signature');
}

function noKid(): CheckResult {
  return refused(
    'The token names no kid, and several keys are published',
    'invalid signature',
    'let the provider name the kid in the header of its tokens',
  );
}

function unknownKid(kid: unknown): CheckResult {
  return refused(
    `The token is signed by the key ${quote(kid)}, which the provider does not publish`,
    'invalid signature',
    'check that the token is from this provider: IDP_DOMAIN, and the tenant or realm in it',
  );
}

function* checkTimes({ nbf, exp }: Claims, now: number): Findings {
  const untilStart = Number(nbf ?? 0) * 1000 - now;
  if (untilStart > 0) {
    const change = 'synchronise the clocks of the provider and of this machine (NTP)';
    yield refused(`The token is valid only ${seconds(untilStart)} from now`, 'jwt not active', change);
  }
  const untilEnd = exp * 1000 - now;
  if (untilEnd > 0) yield ok(`The token expires in ${seconds(untilEnd)}`);
  else yield refused(`The token expired ${seconds(-untilEnd)} ago`, 'jwt expired', 'request a new token');
}

function seconds(ms: number): string {
  return `${Math.ceil(ms / 1000)} s`;
}

function checkAudience({ aud }: Claims, audience: string): CheckResult {
  const audiences = (Array.isArray(aud) ? aud : [aud]).filter((value) => typeof value === 'string');
  if (audiences.includes(audience)) return ok(`The audience is ${quote(audience)}`);
  if (audiences.length === 0) {
    const change = `request the token for the audience ${audience}, or let the provider add it`;
    return refused('The token has no audience', 'jwt audience invalid', change);
  }
  return refused(
    `The token is for ${audiences.map(quote).join(', ')}, and the service expects ${quote(audience)}`,
    'jwt audience invalid',
    `IDP_AUDIENCE=${audiences[0]} if that is this API, else request the token for ${audience}`,
  );
}

function checkIssuer({ iss }: Claims, issuer: string): CheckResult {
  if (iss === issuer) return ok(`The issuer is ${quote(issuer)}`);
  if (typeof iss !== 'string') return refused('The token has no issuer', 'jwt issuer invalid');
  return refused(
    `The token is from the issuer ${quote(iss)}, and the service expects ${quote(issuer)}`,
    'jwt issuer invalid',
    `IDP_ISSUER=${iss} if that is your provider`,
  );
}

function* checkScopes(claims: Claims, { read, write, delete: remove }: Scopes): Findings {
  const needed = { SCOPE_READ: read, SCOPE_WRITE: write, SCOPE_DELETE: remove };
  for (const [variable, scope] of Object.entries(needed)) {
    if (scope === undefined) continue;
    if (isGranted(scope, claims)) yield ok(`The token has the scope ${scope} (${variable})`);
    else {
      yield warning(
        `The token lacks the scope ${scope} (${variable}): requests that need it would get 403`,
        `request the scope ${scope}, or grant it to the client`,
      );
    }
  }
}

function checkSpace(claims: Claims, claim: string): CheckResult {
  const space = spaceIn(claims, claim);
  if (space !== undefined) return ok(`The space of the token is ${quote(space)} (SPACE_CLAIM)`);
  const found = Object.hasOwn(claims, claim)
    ? `the claim ${claim} is ${quote(claims[claim])}`
    : `there is no claim ${claim}`;
  return problem(
    `The token names no space (SPACE_CLAIM): ${found}. It would get 403 "space_missing"`,
    `let the provider put a string of 1 to 255 characters into the claim ${claim} of access tokens`,
  );
}
