import type { MediaType } from '../../domain/image/media-type.ts';
import type { Of } from '../steps/picture.ts';
import { MalformedFile } from '../structure/malformed-file.ts';
import { visitParts } from '../structure/read-structure.ts';
import { CleanParts } from './clean-parts.ts';
import type { Cleaner, CleanSource } from './cleaner.ts';
import { GifCleaner } from './gif-cleaner.ts';
import { JpegCleaner } from './jpeg-cleaner.ts';
import { PngCleaner } from './png-cleaner.ts';
import { WebpCleaner } from './webp-cleaner.ts';

const CLEANERS: Readonly<Record<MediaType, new (clean: CleanParts, source: CleanSource) => Cleaner>> = {
  'image/jpeg': JpegCleaner,
  'image/png': PngCleaner,
  'image/webp': WebpCleaner,
  'image/gif': GifCleaner,
};

/**
 * Walks the whole file, and keeps what belongs to the picture.
 *
 * @throws {MalformedFile} if the structure is wrong, or has too many parts
 */
export function keepParts({
  file,
  mediaType,
  structure,
  cleanExif: exif,
}: Of<'file' | 'mediaType' | 'structure' | 'cleanExif'>): Of<'parts'> {
  const clean = new CleanParts(file);
  const source = { file, profileAt: structure.profileAt ?? [], exif };
  const cleaner = new CLEANERS[mediaType](clean, source);
  visitParts(file, mediaType, (type, start, end) => cleaner.visit(type, start, end));
  cleaner.end();
  try {
    return { parts: clean.finish() };
  } catch (error) {
    throw error instanceof RangeError ? new MalformedFile('too_many_parts') : error;
  }
}

export function writeParts({ parts }: Of<'parts'>): Of<'written'> {
  return { written: Buffer.from(JSON.stringify(parts)) };
}
