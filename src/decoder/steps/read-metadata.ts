import { keywordTags } from '../../domain/image/words/tags.ts';
import { readPngBlocks } from '../embedded/png-blocks.ts';
import { type EmbeddedBlocks, readEmbedded } from '../embedded/read-embedded.ts';
import type { Of } from './picture.ts';

type Described = Of<'file' | 'mediaType' | 'structure' | 'header'>;

export function readMetadata(picture: Described): Of<'embedded'> {
  const { keywords, ...said } = readEmbedded({ ...blocksOf(picture), iptc: picture.header.iptc });
  return { embedded: { ...said, keywords: keywordTags(keywords) } };
}

/** A PNG may have its metadata after the pixels, where libvips does not look. */
function blocksOf({ file, mediaType, structure, header }: Described): Pick<EmbeddedBlocks, 'exif' | 'xmp'> {
  if (mediaType === 'image/png') return readPngBlocks(file);
  return { exif: structure.exif?.map(({ start, end }) => file.subarray(start, end)), xmp: header.xmp };
}
