import { createPublicKey, type JsonWebKey, type KeyObject } from 'node:crypto';
import type { JwkSet } from '../../adapters/http/auth/fetch-jwks.ts';
import { mayVerifyRs256 } from '../../adapters/http/auth/published-keys.ts';
import { certificateAdvice, connectionAdvice } from '../config/connection-advice.ts';
import { type CheckResult, type Findings, ok, problem, quote, warning, wordOf } from './check-result.ts';
import { type Discovery, hasPlaceholder, type ProviderFacts } from './provider-facts.ts';
import { withSlash } from './with-slash.ts';

export interface ProviderSettings {
  /** Expected `iss`. */
  readonly issuer: string;
  readonly jwksUri: string;
  /** `iss` of a token whose signature is valid. It counts more than what the provider says about itself. */
  readonly tokenIssuer?: string | undefined;
}

/** RFC 7517, section 4; its members are not checked. */
type Jwk = Readonly<Record<string, unknown>>;

/** RFC 7518, section 3.3. */
const MIN_MODULUS_BITS = 2048;

/** Times of tokens have no tolerance, and the header shows whole seconds. */
const MAX_CLOCK_DIFFERENCE_MS = 5_000;

export function* checkProvider(facts: ProviderFacts, settings: ProviderSettings): Findings {
  yield* checkDiscovery(facts, settings);
  yield* checkJwks(facts, settings);
}

function* checkDiscovery({ discovery, discoveryUrl }: ProviderFacts, settings: ProviderSettings): Findings {
  if ('failure' in discovery) {
    yield unreadableDiscovery(discoveryUrl, discovery.failure);
    return;
  }
  yield* checkIssuer(discovery.value, settings);
  const { id_token_signing_alg_values_supported: algorithms = ['RS256'] } = discovery.value;
  if (!algorithms.includes('RS256')) {
    yield warning(
      `The provider signs ID tokens with ${quote(algorithms.join(', '))} only, and the service accepts RS256 only`,
      'let the provider sign the access tokens of this API with RS256',
    );
  }
  yield* checkClock(discovery.value.clockAheadMs);
}

function unreadableDiscovery(url: string, failure: string): CheckResult {
  const text = `Discovery at ${url} cannot be read: ${failure}. The service does not need it`;
  const advice = certificateAdvice(failure);
  if (advice !== undefined) return warning(text, advice);
  return warning(
    `${text}, but a wrong IDP_DOMAIN looks the same`,
    'IDP_DOMAIN=https://… as the provider names its issuer, with a slash at the end',
  );
}

function* checkIssuer(document: Discovery, settings: ProviderSettings): Findings {
  const { issuer: expected, tokenIssuer } = settings;
  const { issuer } = document;
  const named = document.access_token_issuer ?? issuer;
  if (expected === tokenIssuer || expected === named || isEarlierIssuer(expected, issuer)) {
    const itself = expected === issuer ? '' : `, and the provider names itself ${quote(issuer)}`;
    yield ok(`The issuer of access tokens is ${quote(expected)}${itself}`);
    return;
  }
  // `checkToken` says what to change.
  if (tokenIssuer !== undefined) return;
  yield hasPlaceholder(named) ? withoutTenant(named) : otherIssuer(named, expected);
}

/** The slash at the end counts, which is easily overlooked. */
function otherIssuer(named: string, expected: string): CheckResult {
  const slash = withSlash(named) === withSlash(expected) ? ' (the slash at the end counts)' : '';
  return problem(
    `The provider names its issuer ${quote(named)}, and the service expects ${quote(expected)}${slash}. Its tokens would get 401 "jwt issuer invalid"`,
    `IDP_ISSUER=${named}`,
  );
}

function withoutTenant(issuer: string): CheckResult {
  return problem(
    `The provider names its issuer ${quote(issuer)} here, which stands for every tenant, and tokens name one. They would get 401 "jwt issuer invalid"`,
    'name your tenant in IDP_DOMAIN and IDP_ISSUER, as in https://login.microsoftonline.com/TENANT_ID/v2.0',
  );
}

/** Entra names another issuer in tokens of version 1, and signs them with the same keys. */
function isEarlierIssuer(expected: string, issuer: string): boolean {
  const [, tenant] = /^https:\/\/login\.microsoftonline\.com\/([\w-]+)\/v2\.0$/.exec(issuer) ?? [];
  return tenant !== undefined && expected === `https://sts.windows.net/${tenant}/`;
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
    yield problem(`${failure}. Every token would get 401`, connectionAdvice(jwks.failure) ?? change);
    return;
  }
  if (change !== undefined && !areKnownKeys(settings, published)) {
    const address = quote(published);
    yield warning(
      `The provider publishes its keys at ${address}, and the service reads ${settings.jwksUri}`,
      change,
    );
  }
  yield checkKeys(jwks.value);
}

/** Keys that verify a token count. So do those of one application, which Entra publishes at an address with a query. */
function areKnownKeys({ jwksUri, tokenIssuer }: ProviderSettings, published: string): boolean {
  return tokenIssuer !== undefined || jwksUri.startsWith(`${published}?`);
}

function checkKeys({ keys }: JwkSet): CheckResult {
  const usable = keys.filter(isUsable);
  if (usable.length === 0) return noUsableKey(keys);
  const withoutKid = usable.filter(({ kid }) => kid === undefined).length;
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

/** As in the service, which skips damaged and private keys, and those for other operations (RFC 7517, section 4.3). */
function isUsable(key: unknown): key is Jwk {
  if (!mayVerifyRs256(key)) return false;
  const { d, key_ops: operations = ['verify'] } = key as Jwk;
  const mayVerify = Array.isArray(operations) && operations.every((operation) => operation === 'verify');
  return d === undefined && mayVerify && modulusBits(key as Jwk) >= MIN_MODULUS_BITS;
}

/** 0 if the key is damaged. */
function modulusBits(key: Jwk): number {
  return publicKeyOf(key)?.asymmetricKeyDetails?.modulusLength ?? 0;
}

/** `undefined` if the key is damaged. */
function publicKeyOf(key: Jwk): KeyObject | undefined {
  try {
    return createPublicKey({ key: key as JsonWebKey, format: 'jwk' });
  } catch {
    return undefined;
  }
}

function kindOf(key: unknown): string {
  const jwk = (key ?? {}) as Jwk;
  const { kty, alg, crv, use, d, key_ops: operations } = jwk;
  const bits = modulusBits(jwk) === 0 ? 'damaged' : `${modulusBits(jwk)} bits`;
  return [kty, alg, crv, use, operations, d && 'private', kty === 'RSA' ? bits : undefined]
    .filter((fact) => fact !== undefined)
    .map(wordOf)
    .join(' ');
}
