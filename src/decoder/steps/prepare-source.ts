import { writeProfileChunk } from '../colours/profile-chunk.ts';
import { hideChunk } from '../structure/hide-chunk.ts';
import { onCanvas } from './on-canvas.ts';
import type { Of, PreparedSource } from './picture.ts';

/** Overwrites the signatures of the parts that decoders must not read. */
export function hideIgnored({ file, structure }: Of<'file' | 'structure'>): void {
  for (const at of structure.ignoredAt ?? []) file[at] = 0;
}

type Prepared = Of<'file' | 'structure' | 'headroom' | 'lzwEnd'>;

/** What libvips should read of an opened file, so that it shows the picture as browsers do. May change the file. */
export async function prepareSource(picture: Prepared): Promise<Of<'source'>> {
  return { source: picture.structure.png === undefined ? await onCanvas(picture) : prepareColours(picture) };
}

/** sharp ignores the profiles of grey pictures with 16 bits, and converts other pictures with 16 bits to the numbers of Display P3. */
function prepareColours({ file, structure: { png }, headroom }: Prepared): PreparedSource {
  if (png === undefined) return { input: file };
  const { colours, isGrey, is16Bit, ignoredProfiles } = png;
  for (const profile of ignoredProfiles) hideChunk(file, profile);
  const pipelineColourspace = is16Bit ? (isGrey ? 'b-w' : 'srgb') : undefined;
  if (colours === 'profile') return { input: file, pipelineColourspace };
  if (colours === 'sRGB') return { input: file };
  const input = insertChunk(file, writeProfileChunk(colours, png), headroom);
  return isGrey ? { input, pipelineColourspace } : { input };
}

/** Signature and IHDR, with its length, type and checksum. */
const PNG_HEAD_BYTES = 8 + 25;

/** Puts a chunk after the header of a PNG: in front of the file in its memory, if there is room, because a copy costs memory. */
function insertChunk(file: Buffer, chunk: Buffer, headroom = 0): Buffer {
  if (headroom < chunk.length) {
    return Buffer.concat([file.subarray(0, PNG_HEAD_BYTES), chunk, file.subarray(PNG_HEAD_BYTES)]);
  }
  const start = file.byteOffset - chunk.length;
  const extended = Buffer.from(file.buffer, start, chunk.length + file.length);
  extended.copyWithin(0, chunk.length, chunk.length + PNG_HEAD_BYTES);
  chunk.copy(extended, PNG_HEAD_BYTES);
  return extended;
}
