import { sharp } from '../../../src/decoder/decoder-options.ts';
import { BitWriter } from './bit-writer.ts';

// Writes WebP files chunk by chunk (RFC 9649), because no encoder makes the unusual ones.

export interface WebpBox {
  readonly left?: number;
  readonly top?: number;
  readonly width: number;
  readonly height: number;
}

/** Flags of a VP8X chunk. */
export const [ANIMATION, XMP, EXIF, ALPHA, PROFILE] = [0x02, 0x04, 0x08, 0x10, 0x20] as const;

const RIFF_HEAD_BYTES = 12;
const CHUNK_HEAD_BYTES = 8;

/** @param declared the size in the RIFF header, if it is not that of the chunks */
export function webp(chunks: readonly Buffer[], declared?: number): Buffer {
  const body = Buffer.concat([Buffer.from('WEBP'), ...chunks]);
  return Buffer.concat([Buffer.from('RIFF'), uint32(declared ?? body.length), body]);
}

/** With the byte that makes its length even. */
export function webpChunk(type: string, data: Uint8Array, declared = data.length): Buffer {
  const padding = Buffer.alloc(data.length % 2);
  return Buffer.concat([Buffer.from(type, 'latin1'), uint32(declared), data, padding]);
}

export function vp8x({ width, height }: WebpBox, flags = 0): Buffer {
  return webpChunk('VP8X', Buffer.concat([Buffer.of(flags, 0, 0, 0), uint24(width - 1), uint24(height - 1)]));
}

export function anim(loops = 0): Buffer {
  return webpChunk('ANIM', Buffer.of(0xff, 0xff, 0xff, 0xff, loops & 0xff, loops >> 8));
}

/** @param chunks those of the picture in the frame */
export function anmf(box: WebpBox, chunks: readonly Buffer[], flags = 0): Buffer {
  const { left = 0, top = 0, width, height } = box;
  const head = [left / 2, top / 2, width - 1, height - 1, 100].map(uint24);
  return webpChunk('ANMF', Buffer.concat([...head, Buffer.of(flags), ...chunks]));
}

/** An animation of frames that begin with `ANMF`. */
export function animatedWebp(canvas: WebpBox, frames: readonly Buffer[]): Buffer {
  return webp([vp8x(canvas, ANIMATION), anim(), ...frames]);
}

/** An animation of flat frames of the size of its canvas. */
export function flatAnimation(canvas: WebpBox, frames: number): Buffer {
  const frame = anmf(canvas, [flatVp8l(canvas)]);
  return animatedWebp(canvas, Array<Buffer>(frames).fill(frame));
}

const VP8L_SIGNATURE = 0x2f;

/** A lossless picture of one colour, of any size: its prefix codes have one symbol each, of no bits. */
export function flatVp8l({ width, height }: WebpBox, [red, green, blue] = [0x20, 0x80, 0xc0]): Buffer {
  const bits = vp8lHead({ width, height });
  // Neither transforms nor a cache of colours nor several groups of prefix codes.
  bits.write(0, 3);
  for (const symbol of [green, red, blue, 0xff, 0]) writeSingleSymbol(bits, symbol ?? 0);
  return webpChunk('VP8L', bits.finish());
}

/** RFC 9649, 3.4. */
export function vp8lHead({ width, height }: WebpBox, version = 0): BitWriter {
  const bits = new BitWriter();
  bits.write(VP8L_SIGNATURE, 8);
  bits.write(width - 1, 14);
  bits.write(height - 1, 14);
  bits.write(0, 1);
  bits.write(version, 3);
  return bits;
}

/** RFC 9649, 3.7.2.1.1. */
export function writeSingleSymbol(bits: BitWriter, symbol: number): void {
  bits.write(0b101, 3);
  bits.write(symbol, 8);
}

export type PictureKind = 'lossy' | 'lossless' | 'lossy+alpha';

export async function pictureChunks(box: WebpBox, kind: PictureKind): Promise<readonly Buffer[]> {
  return pictureChunksOf(await webpPicture(box, kind));
}

/** Of a still: `VP8 ` or `VP8L`, and `ALPH`. */
export function pictureChunksOf(file: Buffer): readonly Buffer[] {
  return chunksOf(file).filter((chunk) => /^(?:VP8[ L]|ALPH)/.test(chunk.toString('latin1', 0, 4)));
}

/** A picture with a gradient. */
export async function webpPicture(box: WebpBox, kind: 'lossy' | 'lossless' | 'lossy+alpha'): Promise<Buffer> {
  const channels = kind === 'lossy+alpha' ? 4 : 3;
  const { width, height } = box;
  const pixels = Buffer.from(
    Array.from(
      { length: width * height * channels },
      (_, index) => (index * 5 + Math.floor(index / 97)) & 0xff,
    ),
  );
  return await sharp(pixels, { raw: { width, height, channels } })
    .webp({ lossless: kind === 'lossless' })
    .toBuffer();
}

export function chunksOf(file: Buffer): readonly Buffer[] {
  const chunks: Buffer[] = [];
  for (let at = RIFF_HEAD_BYTES; at + CHUNK_HEAD_BYTES <= file.length; ) {
    const length = file.readUInt32LE(at + 4);
    const end = at + CHUNK_HEAD_BYTES + length + (length % 2);
    chunks.push(file.subarray(at, end));
    at = end;
  }
  return chunks;
}

function uint24(value: number): Buffer {
  return uint32(value).subarray(0, 3);
}

function uint32(value: number): Buffer {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32LE(value >>> 0);
  return bytes;
}
