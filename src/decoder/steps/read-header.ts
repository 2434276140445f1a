import { formatOf } from '../../domain/image/format-of.ts';
import { decoderOptions, sharp } from '../decoder-options.ts';
import { MalformedFile } from '../structure/malformed-file.ts';
import type { Of } from './picture.ts';

/** @throws {MalformedFile} if libvips takes the file for another kind of picture, and errors of libvips */
export async function readHeader({
  file,
  mediaType,
  structure,
}: Of<'file' | 'mediaType' | 'structure'>): Promise<Of<'header'>> {
  const maxPixels = structure.width * structure.height;
  const header = await sharp(file, decoderOptions({ maxPixels })).metadata();
  if (header.format !== formatOf(mediaType)) throw new MalformedFile('undecodable');
  return { header };
}
