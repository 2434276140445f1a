import { createPublicKey, type KeyObject } from 'node:crypto';
import { JwksClient } from 'jwks-rsa';
import { fetchJwks, type JwkSet } from './fetch-jwks.ts';

/** RFC 8725, section 3.5; RFC 7518, section 3.3. */
const MIN_MODULUS_BITS = 2048;

/** Whether a key has signed the token. */
export type KeyTest = (key: KeyObject) => boolean;

/** The keys of a provider that verify RS256, at most 50. */
export class PublishedKeys {
  /** @param spelling differs from that of other sets */
  constructor(
    readonly spelling = '',
    private readonly keys: ReadonlyArray<{ readonly kid: string | undefined; readonly key: KeyObject }> = [],
  ) {}

  static async fetch(jwksUri: string, deadlineMs: number): Promise<PublishedKeys> {
    return await PublishedKeys.parse(await fetchJwks(jwksUri, deadlineMs));
  }

  /**
   * Cache and limiter of jwks-rsa 4.1 work per `kid`, and invented `kid`s would lock out all clients: both are off.
   *
   * @throws {Error} if no key is usable
   */
  static async parse({ keys }: JwkSet): Promise<PublishedKeys> {
    const fetcher = async (): Promise<{ keys: object[] }> => ({
      // The parser of jwks-rsa fails on entries that are no objects.
      keys: keys.filter(mayVerifyRs256).slice(0, 50),
    });
    // jwks-rsa requires an address, which this fetcher does not use.
    const client = new JwksClient({ jwksUri: '', cache: false, rateLimit: false, fetcher });
    const parsed = await client.getSigningKeys();
    const usable = parsed
      .map((each) => ({ kid: each.kid, key: createPublicKey(each.getPublicKey()) }))
      .filter(({ key }) => (key.asymmetricKeyDetails?.modulusLength ?? 0) >= MIN_MODULUS_BITS);
    if (usable.length === 0) throw new Error('The JWKS endpoint publishes no usable RS256 key');
    return new PublishedKeys(JSON.stringify(parsed), usable);
  }

  /**
   * Without a `kid`, finds the only key, if just one is published. Of several keys with this `kid` it is the first that fits, or the
   * first if none does.
   */
  find(kid: string | undefined, fits: KeyTest): KeyObject | undefined {
    if (kid === undefined) return this.keys.length === 1 ? this.keys[0]?.key : undefined;
    const [first, ...others] = this.keys.filter((each) => each.kid === kid).map(({ key }) => key);
    if (first === undefined || others.length === 0) return first;
    return [first, ...others].find(fits) ?? first;
  }
}

/** `use` and `alg` are optional (RFC 7517, section 4). A stated algorithm binds (RFC 8725, section 3.1). */
export function mayVerifyRs256(jwk: unknown): jwk is object {
  const { kty, use = 'sig', alg = 'RS256' } = (jwk ?? {}) as Record<string, unknown>;
  return kty === 'RSA' && use === 'sig' && alg === 'RS256';
}
