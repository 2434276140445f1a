import { createPublicKey, type JsonWebKey } from 'node:crypto';
import type { JwkSet } from '../../adapters/http/auth/fetch-jwks.ts';
import { mayVerifyRs256 } from '../../adapters/http/auth/published-keys.ts';
import { type CheckResult, type Findings, ok, problem, quote, warning, wordOf } from './check-result.ts';
import { kidOf } from './kid-of.ts';
import type { Discovery, ProviderFacts } from './provider-facts.ts';

export interface ProviderSettings {
  /** Expected `iss`. */
  readonly issuer: string;
  readonly jwksUri: string;
}

/** RFC 7518, section 3.3. */
const MIN_MODULUS_BITS = 2048;

/** Times of tokens have no tolerance, and the header shows whole seconds. */
const MAX_CLOCK_DIFFERENCE_MS = 5_000;

export function* checkProvider(facts: ProviderFacts, settings: ProviderSettings): Findings {
  yield* checkDiscovery(facts, settings);
  yield* checkClock(facts.clockAheadMs);
  yield* checkJwks(facts, settings);
}

function* checkDiscovery({ discovery, discoveryUrl }: ProviderFacts, settings: ProviderSettings): Findings {
  if ('failure' in discovery) {
    yield warning(
      `Discovery at ${discoveryUrl} cannot be read: ${discovery.failure}. The service does not need it, but a wrong IDP_DOMAIN looks the same`,
      'IDP_DOMAIN=https://… as the provider names its issuer, with a slash at the end',
    );
    return;
  }
  yield checkIssuer(discovery.value, settings);
  const { id_token_signing_alg_values_supported: algorithms = ['RS256'] } = discovery.value;
  if (!algorithms.includes('RS256')) {
    yield warning(
      `The provider signs ID tokens with ${quote(algorithms.join(', '))} only, and the service accepts RS256 only`,
      'let the provider sign the access tokens of this API with RS256',
    );
  }
}

function checkIssuer({ issuer }: Discovery, { issuer: expected }: ProviderSettings): CheckResult {
  if (issuer === expected) return ok(`The issuer is ${quote(issuer)}`);
  const difference = differenceOf(issuer, expected);
  return problem(
    `The provider names its issuer ${quote(issuer)}, and the service expects ${quote(expected)}${difference}. Its tokens would get 401 "jwt issuer invalid"`,
    `IDP_ISSUER=${issuer}`,
  );
}

function differenceOf(issuer: string, expected: string): string {
  if (`${issuer}/` === expected) return ', with a slash at the end';
  if (issuer === `${expected}/`) return ', without the slash at the end';
  return '';
}

function* checkClock(aheadMs = 0): Findings {
  if (Math.abs(aheadMs) <= MAX_CLOCK_DIFFERENCE_MS) return;
  const seconds = Math.round(Math.abs(aheadMs) / 1000);
  const [place, effect] =
    aheadMs > 0 ? ['behind', 'New tokens may be "not active" yet'] : ['ahead of', 'Tokens expire early'];
  yield problem(
    `The clock of this machine is ${seconds} s ${place} that of the provider. ${effect}: the service allows no difference`,
    'synchronise both clocks (NTP)',
  );
}

function* checkJwks({ jwks, discovery }: ProviderFacts, settings: ProviderSettings): Findings {
  const published = 'value' in discovery ? discovery.value.jwks_uri : settings.jwksUri;
  const change = published === settings.jwksUri ? undefined : `IDP_JWKS_URI=${published}`;
  if ('failure' in jwks) {
    const failure = `The signing keys at ${settings.jwksUri} cannot be read: ${jwks.failure}`;
    yield problem(`${failure}. Every token would get 401`, change);
    return;
  }
  if (change !== undefined) {
    const address = quote(published);
    yield warning(
      `The provider publishes its keys at ${address}, and the service reads ${settings.jwksUri}`,
      change,
    );
  }
  yield checkKeys(jwks.value);
}

function checkKeys({ keys }: JwkSet): CheckResult {
  const usable = keys.filter(isUsable);
  if (usable.length === 0) return noUsableKey(keys);
  const withoutKid = usable.filter((key) => kidOf(key) === undefined).length;
  if (withoutKid === 0) return ok(`${usable.length} of ${keys.length} published keys verify RS256`);
  if (usable.length === 1) {
    return warning('The only key has no kid: a second one would make all tokens fail', KID);
  }
  const nameless = `${withoutKid} of ${usable.length} usable keys have no kid`;
  return problem(`${nameless}. Tokens that they sign would get 401 "invalid signature"`, KID);
}

const KID = 'let the provider publish a kid with each key, and name it in the header of its tokens';

function noUsableKey(keys: readonly unknown[]): CheckResult {
  if (keys.length === 0) return problem('The provider publishes no key. Every token would get 401');
  const kinds = [...new Set(keys.map(kindOf))].join(', ');
  return problem(
    `None of the ${keys.length} published keys verifies RS256: ${quote(kinds)}. Every token would get 401`,
    'let the provider sign the access tokens of this API with RS256 and an RSA key of 2048 bits or more',
  );
}

/** The modulus decides, as in the service. */
export function isUsable(key: unknown): key is JsonWebKey {
  return mayVerifyRs256(key) && modulusBits(key as JsonWebKey) >= MIN_MODULUS_BITS;
}

function modulusBits(key: JsonWebKey): number {
  try {
    return createPublicKey({ key, format: 'jwk' }).asymmetricKeyDetails?.modulusLength ?? 0;
  } catch {
    return 0;
  }
}

function kindOf(key: unknown): string {
  const { kty, alg, crv, use } = (key ?? {}) as Record<string, unknown>;
  const isShort = kty === 'RSA' && mayVerifyRs256(key);
  const bits = isShort ? `${modulusBits(key as JsonWebKey)} bits` : undefined;
  const facts = [alg ?? kty ?? 'no type', crv, bits, use === 'enc' ? 'for encryption' : undefined];
  return facts
    .filter((fact) => fact !== undefined)
    .map(wordOf)
    .join(' ');
}
