/** Reads numbers; `undefined` beyond the end. Offsets are bytes. */
export class ByteReader {
  private readonly view: DataView;

  constructor(
    readonly bytes: Uint8Array,
    readonly littleEndian = false,
  ) {
    this.view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  }

  uint8(offset: number): number | undefined {
    return this.holds(offset, 1) ? this.view.getUint8(offset) : undefined;
  }

  uint16(offset: number): number | undefined {
    return this.holds(offset, 2) ? this.view.getUint16(offset, this.littleEndian) : undefined;
  }

  uint32(offset: number): number | undefined {
    return this.holds(offset, 4) ? this.view.getUint32(offset, this.littleEndian) : undefined;
  }

  private holds(offset: number, length: number): boolean {
    return offset >= 0 && offset + length <= this.bytes.length;
  }
}
