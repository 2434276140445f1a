import type { PixelLimits } from '../../domain/image/pixel-limits.ts';
import { dropHarmlessBytes } from '../structure/drop-harmless-bytes.ts';
import { readStructure } from '../structure/read-structure.ts';
import type { Of } from './picture.ts';

/** libvips fails at the hundredth warning of libjpeg, whatever it says. */
const MAX_WARNINGS = 100;

/** What precedes a segment, and what is in it. */
const WARNINGS_PER_SEGMENT = 2;

/** The service has judged the file before. */
const NO_LIMITS: PixelLimits = {
  maxPixels: Number.POSITIVE_INFINITY,
  maxFramePixels: Number.POSITIVE_INFINITY,
};

/**
 * Changes a JPEG of many segments so that libjpeg gives no warnings that are harmless: they would be too many for libvips. The parts of
 * its clean original must have been found before.
 *
 * @throws {MalformedFile}
 */
export async function silenceHarmless({
  file,
  mediaType,
  structure,
}: Of<'file' | 'mediaType' | 'structure'>): Promise<Partial<Of<'file' | 'structure'>>> {
  const { segments, orientation = 1 } = structure;
  if (mediaType !== 'image/jpeg' || segments * WARNINGS_PER_SEGMENT < MAX_WARNINGS) return {};
  const silent = dropHarmlessBytes(file);
  const found = await readStructure(silent, mediaType, NO_LIMITS);
  return { file: silent, structure: { ...found, orientation } };
}
