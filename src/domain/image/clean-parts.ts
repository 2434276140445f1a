/** Bytes of the original, `end` excluded. */
export type KeptRange = readonly [start: number, end: number];

/** A range of the original, or other bytes: each is a character. */
export type CleanPart = KeptRange | string;

/** What a clean file is made of at most. */
export const MAX_KEPT_RANGES = 100_000;
export const MAX_WRITTEN_BYTES = 16 * 1024;

/**
 * Checks what a decoder says of a file that may have taken it over.
 *
 * @param bytes of the original
 * @throws {RangeError}
 */
export function requireCleanParts(parts: unknown, bytes: number): readonly CleanPart[] {
  if (!Array.isArray(parts)) throw new RangeError('There is no list of parts');
  let [ranges, written, end] = [0, 0, 0];
  for (const part of parts as readonly unknown[]) {
    if (typeof part === 'string') {
      if (!BYTES.test(part)) throw new RangeError('A part has other characters than bytes');
      written += part.length;
      continue;
    }
    const [start, stop] = part as KeptRange;
    if (!Number.isSafeInteger(start) || !Number.isSafeInteger(stop) || start < end || stop <= start) {
      throw new RangeError('The ranges do not ascend');
    }
    ranges += 1;
    end = stop;
  }
  if (end > bytes || ranges > MAX_KEPT_RANGES || written > MAX_WRITTEN_BYTES) {
    throw new RangeError('The parts are beyond the file, or too many');
  }
  return parts as readonly CleanPart[];
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: all bytes are allowed
const BYTES = /^[\0-\xff]+$/;

/** With more ranges, or with more skipped between them, the clean file is read from a file of its own. */
const MAX_JOINED_RANGES = 1_000;
const MAX_SKIPPED_BYTES = 2 * 1024 * 1024;

/** Whether joining the parts costs little more than reading the original, also for a request of a few bytes. */
export function areCheapToJoin(parts: readonly CleanPart[]): boolean {
  let [ranges, skipped, end] = [0, 0, 0];
  for (const part of parts) {
    if (typeof part === 'string') continue;
    if (ranges > 0) skipped += part[0] - end;
    ranges += 1;
    end = part[1];
  }
  return ranges <= MAX_JOINED_RANGES && skipped <= MAX_SKIPPED_BYTES;
}

export function bytesOfParts(parts: readonly CleanPart[]): number {
  return parts.reduce((sum, part) => sum + lengthOf(part), 0);
}

/** @param start in the clean file, as `end`, which is excluded */
export function sliceOfParts(parts: readonly CleanPart[], start: number, end: number): readonly CleanPart[] {
  let at = 0;
  return parts.flatMap((part): readonly CleanPart[] => {
    const from = Math.max(start - at, 0);
    const to = Math.min(end - at, lengthOf(part));
    at += lengthOf(part);
    if (from >= to) return [];
    return [typeof part === 'string' ? part.slice(from, to) : [part[0] + from, part[0] + to]];
  });
}

function lengthOf(part: CleanPart): number {
  return typeof part === 'string' ? part.length : part[1] - part[0];
}
