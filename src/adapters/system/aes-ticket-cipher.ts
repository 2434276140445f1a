import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from 'node:crypto';
import type { TicketCipher } from '../../domain/ports/process/ticket-cipher.ts';

const ALGORITHM = 'aes-256-gcm';
const KEY_BYTES = 32;
const SALT_BYTES = 16;
const TAG_BYTES = 16;
/** Tells the keys from others that are made of the same secret. */
const LABEL = 'image-catalog ticket 1';
/** Each text has a key of its own, by its salt: no nonce is used twice with one key, however many texts there are. */
const NONCE = Buffer.alloc(12);

/** Salt, encrypted text and tag. */
export class AesTicketCipher implements TicketCipher {
  seal(secret: Uint8Array, text: string): string {
    const salt = randomBytes(SALT_BYTES);
    const cipher = createCipheriv(ALGORITHM, keyOf(secret, salt), NONCE);
    const encrypted = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()]);
    return Buffer.concat([salt, encrypted, cipher.getAuthTag()]).toString('base64url');
  }

  open(secret: Uint8Array, sealed: string): string | undefined {
    const bytes = Buffer.from(sealed, 'base64url');
    // Several texts decode to the same bytes.
    if (bytes.length < SALT_BYTES + TAG_BYTES || bytes.toString('base64url') !== sealed) return undefined;
    const key = keyOf(secret, bytes.subarray(0, SALT_BYTES));
    const decipher = createDecipheriv(ALGORITHM, key, NONCE, { authTagLength: TAG_BYTES });
    decipher.setAuthTag(bytes.subarray(-TAG_BYTES));
    const text = decipher.update(bytes.subarray(SALT_BYTES, -TAG_BYTES));
    try {
      return Buffer.concat([text, decipher.final()]).toString('utf8');
    } catch {
      // The tag is another one.
      return undefined;
    }
  }
}

/** RFC 5869. */
function keyOf(secret: Uint8Array, salt: Uint8Array): Buffer {
  return Buffer.from(hkdfSync('sha256', secret, salt, LABEL, KEY_BYTES));
}
