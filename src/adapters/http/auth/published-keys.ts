import { createPublicKey, type KeyObject } from 'node:crypto';
import type { JwkSet } from './fetch-jwks.ts';

/** The types of jwks-rsa have a `kid`; its code (src/utils.js) may leave it out. */
interface ParsedKey {
  readonly kid?: string | undefined;
  getPublicKey(): string;
}

interface PublishedKey {
  readonly kid: string | undefined;
  readonly pem: string;
  readonly key: KeyObject;
}

/** RFC 8725, section 3.5; RFC 7518, section 3.3. */
const MIN_MODULUS_BITS = 2048;

/** RSA keys of 2048 bits or more. */
export class PublishedKeys {
  static readonly none = new PublishedKeys([]);

  private readonly byKid = new Map<string, KeyObject>();

  private constructor(private readonly keys: readonly PublishedKey[]) {
    for (const { kid, key } of keys) {
      if (kid !== undefined && !this.byKid.has(kid)) this.byKid.set(kid, key);
    }
  }

  /** Reuses equal keys of `previous`: parsing a PEM takes 0.2 ms. */
  static from(parsed: readonly ParsedKey[], previous: PublishedKeys): PublishedKeys {
    const known = new Map(previous.keys.map(({ pem, key }) => [pem, key]));
    const keys = parsed.map((candidate): PublishedKey => {
      const pem = candidate.getPublicKey();
      return { kid: candidate.kid, pem, key: known.get(pem) ?? createPublicKey(pem) };
    });
    return new PublishedKeys(keys.filter(({ key }) => isStrongRsa(key)));
  }

  get isEmpty(): boolean {
    return this.keys.length === 0;
  }

  /** Without a `kid`, finds the only key, if just one is published. */
  find(kid: string | undefined): KeyObject | undefined {
    if (kid !== undefined) return this.byKid.get(kid);
    return this.keys.length === 1 ? this.keys[0]?.key : undefined;
  }

  equals(other: PublishedKeys): boolean {
    return this.fingerprint() === other.fingerprint();
  }

  private fingerprint(): string {
    return JSON.stringify(this.keys.map(({ kid, pem }) => [kid, pem]));
  }
}

function isStrongRsa(key: KeyObject): boolean {
  const bits = key.asymmetricKeyDetails?.modulusLength ?? 0;
  return key.asymmetricKeyType === 'rsa' && bits >= MIN_MODULUS_BITS;
}

const MAX_KEYS = 50;

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
