import type { LzwFrame } from './structure/file-structure.ts';

/** GIF89a, appendix F. Encoders write up to 8, decoders and browsers take all that leave room for a code. */
const MAX_ROOT_BITS = 11;
const MAX_CODES = 4096;
const MAX_CODE_BITS = 12;

/** How many pixels each code stands for. */
const lengths = new Uint16Array(MAX_CODES);

/**
 * libvips decodes cut frames without complaint.
 *
 * @throws if a frame does not have all its pixels
 */
export function proveLzwFrames(file: Uint8Array, frames: readonly LzwFrame[]): void {
  for (const { at, pixels } of frames) {
    if (!hasPixels(file, at, pixels)) throw new Error('A frame of the GIF is incomplete');
  }
}

/** Follows the codes without the colours. One loop without calls: it is the cost of a GIF. */
function hasPixels(file: Uint8Array, start: number, wanted: number): boolean {
  const rootBits = file[start] ?? 0;
  if (rootBits < 1 || rootBits > MAX_ROOT_BITS) return false;
  const clear = 1 << rootBits;
  lengths.fill(1, 0, clear);
  let [at, blockEnd] = [start + 1, start + 1];
  let [bits, bitCount] = [0, 0];
  let codeBits = rootBits + 1;
  let [next, previous] = [clear + 2, 0];
  for (let left = wanted; left > 0; ) {
    while (bitCount < codeBits) {
      if (at === blockEnd) blockEnd += 1 + (file[at++] ?? 0);
      if (at >= blockEnd || at >= file.length) return false;
      bits |= (file[at++] as number) << bitCount;
      bitCount += 8;
    }
    const code = bits & ((1 << codeBits) - 1);
    bits >>>= codeBits;
    bitCount -= codeBits;
    if (code === clear) {
      codeBits = rootBits + 1;
      next = clear + 2;
      previous = 0;
      continue;
    }
    const isRoot = code < clear;
    if (code === clear + 1 || (previous === 0 && !isRoot) || code > next) return false;
    if (previous > 0 && next < MAX_CODES) {
      lengths[next] = previous + 1;
      next += 1;
      if (next === 1 << codeBits && codeBits < MAX_CODE_BITS) codeBits += 1;
    }
    previous = lengths[code] as number;
    left -= previous;
  }
  return true;
}
