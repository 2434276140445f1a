import { MalformedFile } from './malformed-file.ts';

/** @throws {MalformedFile} beyond the end of the file */
export class ByteCursor {
  /** In the file. */
  position = 0;

  constructor(private readonly file: Buffer) {}

  byte(): number {
    return this.file[this.step(1)] as number;
  }

  uint16(): number {
    return this.file.readUInt16BE(this.step(2));
  }

  uint32(): number {
    return this.file.readUInt32BE(this.step(4));
  }

  uint16LittleEndian(): number {
    return this.file.readUInt16LE(this.step(2));
  }

  uint24LittleEndian(): number {
    return this.file.readUIntLE(this.step(3), 3);
  }

  uint32LittleEndian(): number {
    return this.file.readUInt32LE(this.step(4));
  }

  /** Shares the memory of the file. */
  take(length: number): Buffer {
    const start = this.step(length);
    return this.file.subarray(start, start + length);
  }

  skip(length: number): void {
    this.step(length);
  }

  moveTo(position: number): void {
    this.step(position - this.position);
  }

  /**
   * Of a JPEG. Finds the next byte after 0xff for which `isData` is false. One loop without calls: a hostile file may consist of such pairs
   * only.
   */
  codeBehindFf(isData: (code: number) => boolean): number {
    const { file } = this;
    for (let at = this.position; ; ) {
      if (file[at] !== 0xff) at = file.indexOf(0xff, at);
      if (at === -1) break;
      while (file[at] === 0xff) at += 1;
      const code = file[at];
      if (code === undefined) break;
      at += 1;
      if (isData(code)) continue;
      this.position = at;
      return code;
    }
    throw new MalformedFile('jpeg_end_missing');
  }

  /** Whether all bytes have been read. */
  get isAtEnd(): boolean {
    return this.position === this.file.length;
  }

  /** To the marker behind the data of a scan. The fill bytes in front of it do not belong to the data (T.81, B.1.1.2). */
  skipScan(): void {
    const start = this.position;
    this.codeBehindFf(isScanData);
    this.position -= 1;
    while (this.position > start && this.file[this.position - 1] === 0xff) this.position -= 1;
  }

  /** Each has its length in front; an empty one ends them. One loop without calls: a hostile file may have millions. */
  skipSubBlocks(): void {
    const { file } = this;
    for (let at = this.position; at < file.length; ) {
      const length = file[at] as number;
      at += length + 1;
      if (length > 0) continue;
      this.position = at;
      return;
    }
    throw new MalformedFile('ends_early', this.position);
  }

  /** Returns where the bytes begin. */
  private step(length: number): number {
    const start = this.position;
    this.position += length;
    if (this.position > this.file.length) throw new MalformedFile('ends_early', start);
    return start;
  }
}

/** A stuffed zero or RSTn: T.81, B.1.1.5 and table B.1. */
function isScanData(code: number): boolean {
  return code === 0 || (code >= 0xd0 && code <= 0xd7);
}
