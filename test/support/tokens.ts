import { generateKeyPairSync, type KeyObject, sign } from 'node:crypto';
import jwt from 'jsonwebtoken';

/** An RSA key pair with its published id. */
export interface TestKey {
  readonly kid: string;
  readonly privateKey: KeyObject;
  readonly publicKey: KeyObject;
}

const keys = new Map<string, TestKey>();

/** Returns the same key for the same arguments, because making one takes a tenth of a second. */
export function rsaKey(kid: string, bits = 2048): TestKey {
  const id = `${kid} ${bits}`;
  const key = keys.get(id) ?? { kid, ...generateKeyPairSync('rsa', { modulusLength: bits }) };
  keys.set(id, key);
  return key;
}

/** As a provider publishes a key; `undefined` leaves a member out. */
export function jwk(key: TestKey, members: Record<string, unknown> = {}): Record<string, unknown> {
  return { ...key.publicKey.export({ format: 'jwk' }), kid: key.kid, use: 'sig', alg: 'RS256', ...members };
}

/** An RS256 token made by a library, for everything that is not about malformed tokens. */
export function signToken(
  claims: Record<string, unknown>,
  key: TestKey,
  header: Record<string, unknown> = {},
): string {
  const options = {
    algorithm: 'RS256',
    noTimestamp: true,
    header: { alg: 'RS256', kid: key.kid, ...header },
  } as const;
  return jwt.sign(claims, key.privateKey, options);
}

/** Base64url of bytes, of text, or of the JSON of anything else. */
export function segment(content: unknown): string {
  const bytes = Buffer.isBuffer(content) || typeof content === 'string' ? content : JSON.stringify(content);
  return Buffer.from(bytes).toString('base64url');
}

/** A token of any header and payload, however malformed, with a valid signature of its first two parts. */
export function rawToken(header: unknown, payload: unknown, key: KeyObject, hash = 'sha256'): string {
  const input = `${segment(header)}.${segment(payload)}`;
  return `${input}.${sign(hash, Buffer.from(input), key).toString('base64url')}`;
}
