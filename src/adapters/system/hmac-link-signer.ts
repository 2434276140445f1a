import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import type { LinkSigner } from '../../domain/ports/process/link-signer.ts';

/** As long as the digest (RFC 2104, section 3). */
const SECRET_BYTES = 32;

export class HmacLinkSigner implements LinkSigner {
  makeSecret(): Uint8Array {
    return randomBytes(SECRET_BYTES);
  }

  sign(secret: Uint8Array, text: string): string {
    return createHmac('sha256', secret).update(text).digest('base64url');
  }

  /** Compares the texts: several texts of base64url decode to the same bytes. */
  verify(secret: Uint8Array, text: string, mac: string): boolean {
    const [expected, given] = [Buffer.from(this.sign(secret, text)), Buffer.from(mac)];
    return expected.length === given.length && timingSafeEqual(expected, given);
  }
}
