import type { LzwFrame } from '../structure/file-structure.ts';
import { MalformedFile } from '../structure/malformed-file.ts';
import type { LzwEnd } from './picture.ts';

/** GIF89a, appendix F. Encoders write up to 8, decoders and browsers take all that leave room for a code. */
const MAX_ROOT_BITS = 11;
const MAX_CODES = 4096;
const MAX_CODE_BITS = 12;

/** How many pixels each code stands for. */
const lengths = new Uint16Array(MAX_CODES);

/**
 * Proves each frame, because libvips decodes cut frames without complaint. Returns where the codes of the first frame end.
 *
 * @throws {MalformedFile} if a frame does not have all its pixels
 */
export function proveLzwFrames(file: Uint8Array, frames: readonly LzwFrame[]): LzwEnd | undefined {
  const ends = frames.map((frame) => {
    const end = findLzwEnd(file, frame);
    if (end === undefined) throw new MalformedFile('frame_incomplete', frame.at);
    return end;
  });
  return ends[0];
}

/** `undefined` if the frame does not have all its pixels. */
export function findLzwEnd(file: Uint8Array, { at, pixels }: LzwFrame): LzwEnd | undefined {
  return followCodes(file, at, pixels);
}

/**
 * A copy of the file with one more byte of data in the frame. libnsgif reads a byte beyond a code that ends with the last bit, and
 * drops that code if there is none. Encoders that write no end code make such frames, and browsers show them whole.
 */
export function addDataByte(file: Buffer, { at }: LzwFrame): Buffer {
  let end = at + 1;
  while ((file[end] ?? 0) > 0) end += 1 + (file[end] as number);
  return Buffer.concat([file.subarray(0, end), Buffer.of(1, 0), file.subarray(end)]);
}

/** Follows the codes without the colours. One loop without calls, because it is most of what a GIF costs. */
function followCodes(file: Uint8Array, start: number, wanted: number): LzwEnd | undefined {
  const rootBits = file[start] ?? 0;
  if (rootBits < 1 || rootBits > MAX_ROOT_BITS) return undefined;
  const clear = 1 << rootBits;
  lengths.fill(1, 0, clear);
  let [at, blockEnd] = [start + 1, start + 1];
  let [bits, bitCount] = [0, 0];
  let codeBits = rootBits + 1;
  let [next, previous] = [clear + 2, 0];
  for (let left = wanted; left > 0; ) {
    while (bitCount < codeBits) {
      if (at === blockEnd) blockEnd += 1 + (file[at++] ?? 0);
      if (at >= blockEnd || at >= file.length) return undefined;
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
    if (code === clear + 1 || (previous === 0 && !isRoot) || code > next) return undefined;
    if (previous > 0 && next < MAX_CODES) {
      lengths[next] = previous + 1;
      next += 1;
      if (next === 1 << codeBits && codeBits < MAX_CODE_BITS) codeBits += 1;
    }
    previous = lengths[code] as number;
    left -= previous;
  }
  return bitCount === 0 && at === blockEnd && file[at] === 0 ? 'last bit' : 'earlier';
}
