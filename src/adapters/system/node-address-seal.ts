import {
  createCipheriv,
  createDecipheriv,
  createHmac,
  hash,
  hkdfSync,
  randomBytes,
  timingSafeEqual,
} from 'node:crypto';
import type { AddressSeal } from '../../domain/ports/process/address-seal.ts';
import type { ChangePosition } from '../../domain/ports/records/change-feed.ts';

/** As long as the digest of the MAC (RFC 2104, section 3), and as the key of a ticket. */
const SECRET_BYTES = 32;

/** Each tells the keys of its kind from others that are made of the same text. */
const LABELS = { ticket: 'image-catalog ticket 1', cursor: 'cursors of changes' };

const TICKET_CIPHER = 'aes-256-gcm';
const SALT_BYTES = 16;
const TAG_BYTES = 16;
/** Each ticket has a key of its own, by its salt: no nonce is used twice with one key, however many tickets there are. */
const NONCE = Buffer.alloc(12);

/** One block: 4 bytes of zeros, the number and the mark. In hex, none looks like an option. */
const CURSOR_CIPHER = 'aes-128-ecb';
const BLOCK_BYTES = 16;
const NUMBER_AT = 4;
const MARK_AT = 10;
const FIELD_BYTES = 6;

export class NodeAddressSeal implements AddressSeal {
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

  /** Salt, encrypted text and tag. */
  seal(secret: Uint8Array, text: string): string {
    const salt = randomBytes(SALT_BYTES);
    const cipher = createCipheriv(TICKET_CIPHER, ticketKey(secret, salt), NONCE);
    const encrypted = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()]);
    return Buffer.concat([salt, encrypted, cipher.getAuthTag()]).toString('base64url');
  }

  open(secret: Uint8Array, sealed: string): string | undefined {
    const bytes = bytesOf(sealed, 'base64url');
    if (bytes === undefined || bytes.length < SALT_BYTES + TAG_BYTES) return undefined;
    const key = ticketKey(secret, bytes.subarray(0, SALT_BYTES));
    const decipher = createDecipheriv(TICKET_CIPHER, key, NONCE, { authTagLength: TAG_BYTES });
    decipher.setAuthTag(bytes.subarray(-TAG_BYTES));
    const text = decipher.update(bytes.subarray(SALT_BYTES, -TAG_BYTES));
    try {
      return Buffer.concat([text, decipher.final()]).toString('utf8');
    } catch {
      // The tag is another one.
      return undefined;
    }
  }

  sealPositions(catalog: string, positions: readonly ChangePosition[]): readonly string[] {
    const blocks = Buffer.alloc(positions.length * BLOCK_BYTES);
    for (const [at, { number, mark }] of positions.entries()) {
      blocks.writeUIntBE(number, at * BLOCK_BYTES + NUMBER_AT, FIELD_BYTES);
      blocks.writeUIntBE(mark, at * BLOCK_BYTES + MARK_AT, FIELD_BYTES);
    }
    const sealed = createCipheriv(CURSOR_CIPHER, cursorKey(catalog), null)
      .setAutoPadding(false)
      .update(blocks);
    return positions.map((_, at) => sealed.toString('hex', at * BLOCK_BYTES, (at + 1) * BLOCK_BYTES));
  }

  openPosition(catalog: string, cursor: string): ChangePosition | undefined {
    const sealed = bytesOf(cursor, 'hex');
    if (sealed?.length !== BLOCK_BYTES) return undefined;
    const block = createDecipheriv(CURSOR_CIPHER, cursorKey(catalog), null)
      .setAutoPadding(false)
      .update(sealed);
    if (block.readUInt32BE(0) !== 0) return undefined;
    return {
      number: block.readUIntBE(NUMBER_AT, FIELD_BYTES),
      mark: block.readUIntBE(MARK_AT, FIELD_BYTES),
    };
  }
}

/** RFC 5869. */
function ticketKey(secret: Uint8Array, salt: Uint8Array): Buffer {
  return Buffer.from(hkdfSync('sha256', secret, salt, LABELS.ticket, SECRET_BYTES));
}

function cursorKey(catalog: string): Buffer {
  return hash('sha256', `${LABELS.cursor} ${catalog}`, 'buffer').subarray(0, BLOCK_BYTES);
}

/** `undefined` for a spelling that is not the one in which the bytes are written: several texts decode to the same bytes. */
function bytesOf(text: string, encoding: 'base64url' | 'hex'): Buffer | undefined {
  const bytes = Buffer.from(text, encoding);
  return bytes.toString(encoding) === text ? bytes : undefined;
}
