import { bearerToken, decodeToken, isSignedBy, signerIn } from '../../adapters/http/auth/bearer-token.ts';
import { type Claims, grantingClaim } from '../../adapters/http/auth/claims.ts';
import { findClaim } from '../../adapters/http/auth/find-claim.ts';
import type { PublishedKeys } from '../../adapters/http/auth/published-keys.ts';
import { spaceIn } from '../../adapters/http/auth/require-space.ts';
import {
  claimFailures,
  type ExpectedClaims,
  messageOfFailure,
  type TokenFailure,
} from '../../adapters/http/auth/token-failures.ts';
import type { Scopes } from '../../adapters/http/route/http-settings.ts';
import type { Space } from '../../domain/space/space.ts';
import { audienceAdvice, type DecodedToken } from './audience-advice.ts';
import { type CheckResult, type Findings, isPrintable, ok, problem, quote, warning } from './check-result.ts';
import { claimsWithWord } from './claims-with-word.ts';

export interface TokenSettings extends ExpectedClaims {
  readonly scopes: Scopes;
  /** `undefined`: the token needs no space. */
  readonly spaceClaim: string | undefined;
}

interface Token extends DecodedToken {
  /** The token itself. */
  readonly compact: string;
}

/** What an operator reads about a failure. */
type Explanation = Pick<CheckResult, 'text' | 'change'>;

/**
 * The checks of the service in its order; all of them, also after the first that fails. The results hold claims, never the token.
 *
 * @param keys `undefined` if they cannot be read
 * @param now ms since 1970
 */
export function* checkToken(
  text: string,
  keys: PublishedKeys | undefined,
  settings: TokenSettings,
  now: number,
): Findings {
  const compact = compactOf(text);
  const decoded = decodeToken(compact);
  if (decoded === undefined) {
    yield malformedToken(compact, settings);
    return;
  }
  const token = {
    ...decoded,
    compact,
    isVerified: keys !== undefined && isSigned(decoded.header, compact, keys),
  };
  yield ok('The token is a well-formed JWT with an expiry');
  yield checkSignature(token, keys, settings);
  yield* checkClaims(token, settings, now);
  yield* checkScopes(token.claims, settings.scopes);
  if (settings.spaceClaim !== undefined) yield checkSpace(token.claims, settings.spaceClaim, settings.scopes);
}

/** `undefined` if the token names none. */
export function spaceOfToken(text: string, claim: string): Space | undefined {
  const claims = decodeToken(compactOf(text))?.claims;
  return claims && spaceIn(claims, claim);
}

/** The claim `iss` of a token whose signature is valid; else `undefined`. */
export function verifiedIssuer(text: string, keys: PublishedKeys | undefined): string | undefined {
  const compact = compactOf(text);
  const decoded = decodeToken(compact);
  if (decoded === undefined || keys === undefined) return undefined;
  const { iss } = decoded.claims;
  return typeof iss === 'string' && isSigned(decoded.header, compact, keys) ? iss : undefined;
}

/** The token without its scheme. */
function compactOf(text: string): string {
  return bearerToken(text) ?? text.trim();
}

/** A problem for which the service refuses the token. */
function refused(failure: TokenFailure, settings: TokenSettings, { text, change }: Explanation): CheckResult {
  return problem(`${text}. It would get 401 "${messageOfFailure(failure, settings)}"`, change);
}

const GOOGLE_TOKEN = 'ya29.';

function malformedToken(token: string, settings: TokenSettings): CheckResult {
  if (token === '') return problem('There is no token on standard input');
  const parts = token.split('.').length;
  if (parts === 5) {
    return problem(
      'The token is encrypted (JWE). The service reads signed JWTs only',
      'switch off the encryption of access tokens for this API',
    );
  }
  if (parts !== 3) {
    return refused('malformed', settings, {
      text: 'The token is opaque: it is no JWT',
      change: token.startsWith(GOOGLE_TOKEN)
        ? 'send the ID token: access tokens of Google are for Google alone'
        : 'request a token for this API: many providers issue a JWT only if the request names the audience (or resource)',
    });
  }
  const rules =
    'header and payload must be JSON objects, with a numeric exp, without crit, and with a signature';
  return refused('malformed', settings, { text: `The token is no JWT that the service reads: ${rules}` });
}

function checkSignature(
  { header, compact, isVerified }: Token,
  keys: PublishedKeys | undefined,
  settings: TokenSettings,
): CheckResult {
  const { alg, kid } = header;
  if (alg !== 'RS256') return refused('signature', settings, otherAlgorithm(alg));
  if (keys === undefined) return warning('The signature is not checked: there are no keys');
  if (isVerified) return ok('The signature is valid');
  if (keyOf(header, compact, keys) === undefined) {
    const isNamed = kid !== undefined && kid !== null;
    return refused('signature', settings, isNamed ? unknownKid(kid) : NO_KID);
  }
  return refused('signature', settings, {
    text: 'The signature does not fit the key: the token is from another provider, or altered',
  });
}

function keyOf(
  header: Token['header'],
  compact: string,
  keys: PublishedKeys,
): ReturnType<PublishedKeys['find']> {
  const signer = signerIn(header);
  return signer && keys.find(signer.kid, (candidate) => isSignedBy(compact, candidate));
}

function isSigned(header: Token['header'], compact: string, keys: PublishedKeys): boolean {
  const key = header['alg'] === 'RS256' ? keyOf(header, compact, keys) : undefined;
  return key !== undefined && isSignedBy(compact, key);
}

function otherAlgorithm(alg: unknown): Explanation {
  return {
    text: `The token is signed with ${quote(alg)}, and the service accepts RS256 only`,
    change: 'let the provider sign the access tokens of this API with RS256',
  };
}

const NO_KID: Explanation = {
  text: 'The token names no kid, and several keys are published',
  change: 'let the provider name the kid in the header of its tokens',
};

function unknownKid(kid: unknown): Explanation {
  return {
    text: `The token is signed by the key ${quote(kid)}, which the provider does not publish`,
    change: 'check that the token is from this provider: IDP_DOMAIN, and the tenant or realm in it',
  };
}

function* checkClaims(token: Token, settings: TokenSettings, now: number): Findings {
  const failures = new Set(claimFailures(token.claims, settings, now));
  for (const { failure, explain, pass } of CLAIM_CHECKS) {
    if (failures.has(failure)) yield refused(failure, settings, explain(token, settings, now));
    else if (pass !== undefined) yield ok(pass(token, settings, now));
  }
}

interface ClaimCheck {
  readonly failure: TokenFailure;
  readonly explain: (token: Token, settings: TokenSettings, now: number) => Explanation;
  /** Says that the check has passed. */
  readonly pass?: (token: Token, settings: TokenSettings, now: number) => string;
}

const CLAIM_CHECKS: readonly ClaimCheck[] = [
  {
    failure: 'not_active',
    explain: ({ claims: { nbf } }, _settings, now) => ({
      text: `The token is valid only ${seconds(Number(nbf) * 1000 - now)} from now`,
      change: 'synchronise the clocks of the provider and of this machine (NTP)',
    }),
  },
  {
    failure: 'expired',
    explain: ({ claims: { exp } }, _settings, now) => ({
      text: `The token expired ${seconds(now - exp * 1000)} ago`,
      change: 'request a new token',
    }),
    pass: ({ claims: { exp } }, _settings, now) => `The token expires in ${seconds(exp * 1000 - now)}`,
  },
  {
    failure: 'audience',
    explain: otherAudience,
    pass: (_token, { audience }) => `The audience is ${quote(audience)}`,
  },
  {
    failure: 'issuer',
    explain: otherIssuer,
    pass: (_token, { issuer }) => `The issuer is ${quote(issuer)}`,
  },
];

function seconds(ms: number): string {
  return `${Math.ceil(ms / 1000)} s`;
}

function otherAudience(token: Token, { audience }: TokenSettings): Explanation {
  const audiences = [token.claims['aud']].flat().filter((value) => typeof value === 'string');
  const named = audiences.map(quote).join(', ');
  return {
    text:
      named === ''
        ? 'The token has no audience'
        : `The token is for ${named}, and the service expects ${quote(audience)}`,
    change: audienceAdvice(token, audiences, audience),
  };
}

function otherIssuer({ claims: { iss }, isVerified }: Token, { issuer }: TokenSettings): Explanation {
  if (typeof iss !== 'string') return { text: 'The token has no issuer' };
  return {
    text: `The token is from the issuer ${quote(iss)}, and the service expects ${quote(issuer)}`,
    change:
      isVerified && isPrintable(iss)
        ? `IDP_ISSUER=${iss} if that is your provider`
        : `request the token from ${issuer}; if ${quote(iss)} is your provider, set it by image-catalog init`,
  };
}

function* checkScopes(claims: Claims, { read, write, delete: remove }: Scopes): Findings {
  const needed = { SCOPE_READ: read, SCOPE_WRITE: write, SCOPE_DELETE: remove };
  for (const [variable, scope] of Object.entries(needed)) {
    if (scope === undefined) continue;
    const claim = grantingClaim(scope, claims);
    if (claim !== undefined) yield ok(`The claim ${claim} of the token has the scope ${scope} (${variable})`);
    else yield missingScope(scope, variable, claims);
  }
}

function missingScope(scope: string, variable: string, claims: Claims): CheckResult {
  const lacks = `The token lacks the scope ${scope} (${variable}): requests that need it would get 403`;
  const [found] = claimsWithWord(claims, scope);
  if (found === undefined) return warning(lacks, `request the scope ${scope}, or grant it to the client`);
  return warning(
    `${lacks}. The word stands in the claim ${quote(found)}, which does not count`,
    'let the provider write the scopes into the claim scope of access tokens: scp counts if there is no scope, permissions if it is an array',
  );
}

function checkSpace(claims: Claims, claim: string, { allSpaces }: Scopes): CheckResult {
  const space = spaceIn(claims, claim);
  const own = space === undefined ? 'names no space' : `is of the space ${quote(space)}`;
  if (allSpaces !== undefined && grantingClaim(allSpaces, claims) !== undefined) {
    return ok(
      `The token ${own}, and may act in every space by the header Space: it has the scope ${allSpaces} (SCOPE_ALL_SPACES)`,
    );
  }
  if (space !== undefined) return ok(`The space of the token is ${quote(space)} (SPACE_CLAIM)`);
  const found = findClaim(claims, claim);
  const said =
    'value' in found ? `the claim ${claim} is ${quote(found.value)}` : `there is no claim ${found.missing}`;
  return problem(
    `The token names no space (SPACE_CLAIM): ${said}. It would get 403 "space_missing"`,
    `let the provider put a string of 1 to 255 characters into the claim ${claim} of access tokens`,
  );
}
