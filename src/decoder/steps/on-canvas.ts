import { decoderOptions, sharp } from '../decoder-options.ts';
import type { FileStructure } from '../structure/file-structure.ts';
import { addDataByte, findLzwEnd } from './lzw-frames.ts';
import type { Of, PreparedSource } from './picture.ts';

/** Of the flags of a graphic control: what happens to the canvas after the frame (GIF89a, 23). */
const DISPOSAL = 0x1c;

interface Drawn extends Of<'lzwEnd'> {
  readonly file: Buffer;
  readonly structure: Pick<FileStructure, 'placed' | 'lzwFrames'>;
}

const TRANSPARENT = { r: 0, g: 0, b: 0, alpha: 0 };

/**
 * The first frame of a GIF on its canvas. libvips leaves the canvas out if its size is one of those that old programs wrote for
 * their screen, and paints it black if no frame has transparency.
 *
 * The first frame of `file` loses its disposal, for which libnsgif would hold a copy of the canvas. Without `placed`, the frame
 * covers the canvas, or the file is no GIF.
 */
export async function onCanvas({
  file,
  structure: { placed, lzwFrames },
  lzwEnd,
}: Drawn): Promise<PreparedSource> {
  const [first] = lzwFrames ?? [];
  const isCut = first !== undefined && (lzwEnd ?? findLzwEnd(file, first)) === 'last bit';
  const input = isCut ? addDataByte(file, first) : file;
  if (placed === undefined) return { input };
  const { left, top, width, height, canvas, flagsAt } = placed;
  if (flagsAt !== undefined) input[flagsAt] = (input[flagsAt] as number) & ~DISPOSAL;
  const right = canvas.width - left - width;
  const bottom = canvas.height - top - height;
  const maxPixels = canvas.width * canvas.height;
  const data = await sharp(input, decoderOptions({ maxPixels }))
    .ensureAlpha()
    .extract({ left, top, width, height })
    .extend({ left, top, right, bottom, background: TRANSPARENT })
    .raw()
    .toBuffer();
  return { input: data, raw: { width: canvas.width, height: canvas.height, channels: 4 } };
}
