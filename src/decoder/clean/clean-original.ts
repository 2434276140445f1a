import type { CleanPart } from '../../domain/image/clean-parts.ts';
import type { MediaType } from '../../domain/image/media-type.ts';
import type { OpenedFile } from '../structure/file-structure.ts';
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
 * The parts of the file without metadata, as JSON. No pixel is decoded.
 *
 * @throws {MalformedFile}
 */
export function cleanOriginal(opened: OpenedFile): Buffer {
  return Buffer.from(JSON.stringify(cleanPartsOf(opened)));
}

/**
 * Walks the whole file. An inspection calls this as well: what an upload accepts has a clean original.
 *
 * @throws {MalformedFile} if the structure is wrong, or has too many parts
 */
export function cleanPartsOf({ file, mediaType, structure }: OpenedFile): readonly CleanPart[] {
  const clean = new CleanParts(file);
  const source = { file, profileAt: structure.profileAt ?? [], orientation: structure.orientation ?? 1 };
  const cleaner = new CLEANERS[mediaType](clean, source);
  visitParts(file, mediaType, (type, start, end) => cleaner.visit(type, start, end));
  cleaner.end();
  try {
    return clean.finish();
  } catch (error) {
    throw error instanceof RangeError ? new MalformedFile('too_many_parts') : error;
  }
}
