/** Writes numbers bit by bit, the lowest bit first, as GIF and lossless WebP do. */
export class BitWriter {
  private bytes = Buffer.alloc(1024);
  private length = 0;
  private pending = 0;
  private pendingBits = 0;

  /** @param bits at most 16 */
  write(value: number, bits: number): void {
    this.pending |= value << this.pendingBits;
    this.pendingBits += bits;
    while (this.pendingBits >= 8) {
      this.push(this.pending & 0xff);
      this.pending >>>= 8;
      this.pendingBits -= 8;
    }
  }

  /** A prefix code: the highest bit first. */
  writeReversed(code: number, bits: number): void {
    for (let bit = bits - 1; bit >= 0; bit -= 1) this.write((code >> bit) & 1, 1);
  }

  /** Whether the last byte has all its bits. */
  get isWhole(): boolean {
    return this.pendingBits === 0;
  }

  /** The rest of the last byte is zero. */
  finish(): Buffer {
    if (this.pendingBits > 0) this.write(0, 8 - this.pendingBits);
    return Buffer.from(this.bytes.subarray(0, this.length));
  }

  private push(byte: number): void {
    if (this.length === this.bytes.length) this.bytes = Buffer.concat([this.bytes, this.bytes]);
    this.bytes[this.length] = byte;
    this.length += 1;
  }
}
