import { createPublicKey, type KeyObject } from 'node:crypto';
import type { JwksClient } from 'jwks-rsa';
import type { JwkSet } from './fetch-jwks.ts';

interface PublishedKey {
  readonly kid: string | undefined;
  readonly key: KeyObject;
}

/** RFC 8725, section 3.5; RFC 7518, section 3.3. */
const MIN_MODULUS_BITS = 2048;

const MAX_KEYS = 50;

/** RSA keys of 2048 bits or more. */
export class PublishedKeys {
  constructor(private readonly keys: readonly PublishedKey[] = []) {}

  /** @throws {Error} if the provider is unavailable, or publishes no key that verifies RS256 */
  static async fetch(client: JwksClient): Promise<PublishedKeys> {
    const parsed = await client.getSigningKeys();
    const keys = parsed.map((each) => ({ kid: each.kid, key: createPublicKey(each.getPublicKey()) }));
    const strong = keys.filter(
      ({ key }) => (key.asymmetricKeyDetails?.modulusLength ?? 0) >= MIN_MODULUS_BITS,
    );
    if (strong.length === 0) throw new Error('The JWKS endpoint publishes no usable RS256 key');
    return new PublishedKeys(strong);
  }

  /** Without a `kid`, finds the only key, if just one is published. */
  find(kid: string | undefined): KeyObject | undefined {
    if (kid === undefined && this.keys.length > 1) return undefined;
    return this.keys.find((key) => kid === undefined || key.kid === kid)?.key;
  }

  equals({ keys }: PublishedKeys): boolean {
    return (
      keys.length === this.keys.length &&
      keys.every(({ kid, key }, i) => kid === this.keys[i]?.kid && this.keys[i]?.key.equals(key))
    );
  }
}

/** Keys that may verify RS256, as jwks-rsa takes them: its parser fails on entries that are no objects. */
export function usableJwks(set: JwkSet): object[] {
  return set.keys.filter(mayVerifyRs256).slice(0, MAX_KEYS);
}

/** `use` and `alg` are optional (RFC 7517, section 4). A stated algorithm binds (RFC 8725, section 3.1). */
export function mayVerifyRs256(jwk: unknown): jwk is object {
  if (typeof jwk !== 'object' || jwk === null) return false;
  const { kty, use, alg } = jwk as Record<string, unknown>;
  return kty === 'RSA' && (use === undefined || use === 'sig') && (alg === undefined || alg === 'RS256');
}
