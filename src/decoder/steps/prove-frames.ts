import { decodeSmall } from './decode-small.ts';
import { proveLzwFrames } from './lzw-frames.ts';
import type { Of } from './picture.ts';

/** Proves that every frame of an animation can be decoded. */
export async function proveFrames({ file, structure }: Of<'file' | 'structure'>): Promise<Of<'lzwEnd'>> {
  const { frames, lzwFrames } = structure;
  if (lzwFrames !== undefined) return { lzwEnd: proveLzwFrames(file, lzwFrames) };
  const source = { input: file };
  // The last frame needs all before it, and one at a time is in memory.
  if (frames > 1) await decodeSmall({ structure, source, turnsWhileDecoding: true }, frames - 1);
  return {};
}
