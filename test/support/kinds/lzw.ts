import { BitWriter } from './bit-writer.ts';

// The LZW of GIF89a, appendix F, without the code size and the sub-blocks.

const MAX_CODES = 4096;
const MAX_CODE_BITS = 12;

export interface LzwOptions {
  /** Whether the last code says that it is the last. */
  readonly hasEnd?: boolean;
  /** Keeps a full table until the end, as some encoders do, instead of starting another. */
  readonly keepsTable?: boolean;
  /** Starts another table before each pixel. */
  readonly isUncompressed?: boolean;
}

/** Compresses indexes of colours. */
export function lzw(indexes: Uint8Array, codeSize: number, options: LzwOptions = {}): Buffer {
  const codes = new CodeWriter(codeSize);
  let table = new Map<number, number>();
  codes.clear();
  let prefix = -1;
  for (const index of indexes) {
    const known = prefix === -1 ? index : table.get(prefix * 256 + index);
    if (known !== undefined) {
      prefix = known;
      continue;
    }
    codes.write(prefix);
    if (codes.next < MAX_CODES) table.set(prefix * 256 + index, codes.next);
    prefix = index;
    const isFull = codes.next >= MAX_CODES && options.keepsTable !== true;
    if (!isFull && options.isUncompressed !== true) continue;
    codes.clear();
    table = new Map();
  }
  if (prefix !== -1) codes.write(prefix);
  return codes.finish(options.hasEnd ?? true);
}

/** Compressed indexes without an end, of whole bytes, so that copies can follow each other. `codeSize` is even. */
export function repeatableLzw(indexes: Uint8Array, codeSize: number): Buffer {
  const codes = new CodeWriter(codeSize);
  codes.clear();
  for (const index of indexes) {
    codes.write(index);
    if (codes.next >= MAX_CODES) codes.clear();
  }
  codes.clear();
  while (!codes.isWhole) codes.clear();
  return codes.finish(false);
}

/** Any number of pixels of colour 0 in few bytes: each code stands for one pixel more than the last. */
export function flatLzw(pixels: number, codeSize: number): Buffer {
  const codes = new CodeWriter(codeSize);
  for (let left = pixels; left > 0; ) {
    codes.clear();
    codes.write(0);
    left -= 1;
    for (let run = 2; left > 0 && codes.next < MAX_CODES; run += 1) {
      const isWhole = run <= left;
      codes.write(isWhole ? codes.next : 0);
      left -= isWhole ? run : 1;
    }
  }
  return codes.finish(true);
}

const MAX_CODE_SIZE = 11;

/** The pixels up to the code for the end, the first code that does not exist, or the end of the data. Slow and plain. */
export function lzwPixels(data: Uint8Array, codeSize: number): number {
  if (codeSize < 1 || codeSize > MAX_CODE_SIZE) return 0;
  const bits = [...data]
    .map((byte) => byte.toString(2).padStart(8, '0').split('').toReversed().join(''))
    .join('');
  const [clear, end] = [1 << codeSize, (1 << codeSize) + 1];
  const table = new Map<number, number>();
  let [pixels, codeBits, previous] = [0, codeSize + 1, 0];
  for (let at = 0; at + codeBits <= bits.length; ) {
    const code = Number.parseInt(
      bits
        .slice(at, at + codeBits)
        .split('')
        .toReversed()
        .join(''),
      2,
    );
    at += codeBits;
    if (code === end) break;
    if (code === clear) {
      table.clear();
      [codeBits, previous] = [codeSize + 1, 0];
      continue;
    }
    const next = end + 1 + table.size;
    if (previous > 0 && next < MAX_CODES) {
      table.set(next, previous + 1);
      if (next + 1 === 1 << codeBits && codeBits < MAX_CODE_BITS) codeBits += 1;
    }
    const length = code < clear ? 1 : table.get(code);
    if (length === undefined) break;
    pixels += length;
    previous = length;
  }
  return pixels;
}

/** Knows how many bits the next code has. */
class CodeWriter {
  private readonly bits = new BitWriter();
  private codeBits: number;
  private isFirst = true;
  /** The entry of its table that a decoder makes when it reads the next code. */
  next: number;

  constructor(private readonly codeSize: number) {
    this.codeBits = codeSize + 1;
    this.next = (1 << codeSize) + 2;
  }

  clear(): void {
    this.bits.write(1 << this.codeSize, this.codeBits);
    this.codeBits = this.codeSize + 1;
    this.next = (1 << this.codeSize) + 2;
    this.isFirst = true;
  }

  write(code: number): void {
    this.bits.write(code, this.codeBits);
    if (this.isFirst) {
      this.isFirst = false;
      return;
    }
    if (this.next < MAX_CODES) this.next += 1;
    if (this.next >= 1 << this.codeBits && this.codeBits < MAX_CODE_BITS) this.codeBits += 1;
  }

  /** Whether the last code ends with a byte. */
  get isWhole(): boolean {
    return this.bits.isWhole;
  }

  finish(hasEnd: boolean): Buffer {
    if (hasEnd) this.bits.write((1 << this.codeSize) + 1, this.codeBits);
    return this.bits.finish();
  }
}
