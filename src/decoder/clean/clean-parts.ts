import { type CleanPart, MAX_KEPT_RANGES, requireCleanParts } from '../../domain/image/clean-parts.ts';
import { MalformedFile } from '../structure/malformed-file.ts';

type Range = [start: number, end: number];

/** Between two ranges there are other bytes at most twice: the end of one part and the beginning of the next. */
const MAX_COLLECTED = 3 * MAX_KEPT_RANGES;

/** Collects the parts of a clean file, in their order. */
export class CleanParts {
  /** Of the clean file so far, in bytes. */
  size = 0;
  private readonly collected: (Range | Buffer)[] = [];

  constructor(private readonly file: Buffer) {}

  /** @throws {MalformedFile} if there are too many ranges */
  keep(start: number, end: number): void {
    const last = this.collected.at(-1);
    this.size += end - start;
    if (Array.isArray(last) && last[1] === start) last[1] = end;
    else this.collect([start, end]);
  }

  /** Returns the bytes, which may be changed until `finish`. */
  write(bytes: Buffer): Buffer {
    this.size += bytes.length;
    this.collect(bytes);
    return bytes;
  }

  /**
   * Bytes that the file has at the same place become a range: of a file that is clean already, one range is left.
   *
   * @throws {RangeError} if there are too many parts
   */
  finish(): readonly CleanPart[] {
    const parts: (Range | string)[] = [];
    for (const part of this.collected) {
      const last = parts.at(-1);
      const range = Array.isArray(part) ? part : this.rangeOf(part, last);
      if (range === undefined) parts.push(part.toString('latin1'));
      else if (Array.isArray(last) && last[1] === range[0]) last[1] = range[1];
      else parts.push(range);
    }
    return requireCleanParts(parts, this.file.length);
  }

  /** `undefined` if the file does not have these bytes behind the last range. */
  private rangeOf(bytes: Buffer, last: Range | string | undefined): Range | undefined {
    if (typeof last === 'string') return undefined;
    const start = last?.[1] ?? 0;
    const end = start + bytes.length;
    return this.file.subarray(start, end).equals(bytes) ? [start, end] : undefined;
  }

  private collect(part: Range | Buffer): void {
    if (this.collected.push(part) > MAX_COLLECTED) throw new MalformedFile('too_many_parts');
  }
}
