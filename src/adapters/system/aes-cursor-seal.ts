import { createCipheriv, createDecipheriv, hash } from 'node:crypto';
import type { CursorSeal } from '../../domain/ports/process/cursor-seal.ts';
import type { ChangePosition } from '../../domain/ports/records/change-feed.ts';

/** One block: 4 bytes of zeros, the number and the mark. Equal positions have equal cursors. In hex, none looks like an option. */
const ALGORITHM = 'aes-128-ecb';
const BLOCK_BYTES = 16;
const NUMBER_AT = 4;
const MARK_AT = 10;
const FIELD_BYTES = 6;

/** The key comes from the identity of the catalog, which only operators know: it hides, and secures nothing. */
export class AesCursorSeal implements CursorSeal {
  seal(catalog: string, positions: readonly ChangePosition[]): readonly string[] {
    const blocks = Buffer.alloc(positions.length * BLOCK_BYTES);
    for (const [at, { number, mark }] of positions.entries()) {
      blocks.writeUIntBE(number, at * BLOCK_BYTES + NUMBER_AT, FIELD_BYTES);
      blocks.writeUIntBE(mark, at * BLOCK_BYTES + MARK_AT, FIELD_BYTES);
    }
    const sealed = createCipheriv(ALGORITHM, keyOf(catalog), null).setAutoPadding(false).update(blocks);
    return positions.map((_, at) => sealed.toString('hex', at * BLOCK_BYTES, (at + 1) * BLOCK_BYTES));
  }

  open(catalog: string, cursor: string): ChangePosition | undefined {
    const sealed = Buffer.from(cursor, 'hex');
    // Several texts decode to the same bytes.
    if (sealed.length !== BLOCK_BYTES || sealed.toString('hex') !== cursor) return undefined;
    const block = createDecipheriv(ALGORITHM, keyOf(catalog), null).setAutoPadding(false).update(sealed);
    if (block.readUInt32BE(0) !== 0) return undefined;
    return {
      number: block.readUIntBE(NUMBER_AT, FIELD_BYTES),
      mark: block.readUIntBE(MARK_AT, FIELD_BYTES),
    };
  }
}

function keyOf(catalog: string): Buffer {
  return hash('sha256', `cursors of changes ${catalog}`, 'buffer').subarray(0, BLOCK_BYTES);
}
