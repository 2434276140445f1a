/** Causes that are found at a certain byte of a file. The words complete "is damaged at byte N: ". */
const AT_A_BYTE = {
  ends_early: 'the part that begins there is longer than the rest of the file',
  jpeg_without_picture: 'the JPEG ends without a picture',
  png_without_header: 'the header of the PNG (IHDR) is missing',
  gif_unknown_block: 'the GIF has neither a frame nor an extension nor its end there',
  gif_without_frame: 'the GIF ends without a frame',
  frame_empty: 'a frame has no pixels',
  frame_outside: 'a frame lies outside the canvas',
  frame_incomplete: 'a frame does not have all its pixels',
  webp_without_picture: 'the WebP ends without a picture',
  webp_chunk_too_long: 'a chunk of the WebP is longer than the part that contains it',
  webp_chunk_misplaced: 'a chunk of the WebP is in the wrong place or too short',
  webp_alpha_alone: 'the WebP has transparency without the picture that belongs to it',
  webp_picture_header: 'the header of a picture in the WebP is wrong',
  webp_picture_size: 'a picture in the WebP does not have the size of its canvas or frame',
} as const;

/** Causes that concern a file as a whole. The words complete "The image/jpeg file ". */
const OF_THE_FILE = {
  jpeg_end_missing: 'is incomplete: the end marker is missing (EOI)',
  png_end_missing: 'is incomplete: the end (IEND) is missing',
  gif_end_missing: 'is incomplete: the trailer is missing',
  data_lost: 'is damaged: image data is missing or unreadable',
  undecodable: 'is damaged: its pixels cannot be decoded',
  crash: 'is damaged: the decoder crashed when it read it',
  too_many_parts: 'is damaged: it has too many parts for a picture',
} as const;

/** Intact files of a kind that is not decoded. The words complete "The image/jpeg file ", and say what helps. */
const UNUSUAL = {
  jpeg_12_bits: 'is a JPEG with 12 bits a sample, which is not supported: save it again as an 8-bit JPEG',
  jpeg_bits: 'is a JPEG with an unusual number of bits a sample: save it again as an 8-bit JPEG',
  jpeg_lossless: 'is a lossless JPEG, which is not supported: save it again as an ordinary 8-bit JPEG',
  jpeg_hierarchical:
    'is a hierarchical JPEG, which is not supported: save it again as an ordinary 8-bit JPEG',
  png_of_apple:
    "is Apple's optimized PNG (CgBI), which is not a PNG by its standard: save it again as an ordinary PNG",
} as const;

const ADVICE = 'Upload an intact copy, or save the picture again in a program that opens it';

/** Why a decoder refuses a picture. */
export type PictureCause = keyof typeof AT_A_BYTE | keyof typeof OF_THE_FILE | keyof typeof UNUSUAL;

export interface PictureFault {
  readonly cause: PictureCause;
  /** Where the structure of the file is wrong, in bytes from its beginning. */
  readonly at?: number | undefined;
}

export const PICTURE_CAUSES = Object.keys({
  ...AT_A_BYTE,
  ...OF_THE_FILE,
  ...UNUSUAL,
}) as readonly PictureCause[];

/** The predicate of a sentence about the file, and what a person can do. */
export function describeFault({ cause, at = 0 }: PictureFault): string {
  if (cause in UNUSUAL) return UNUSUAL[cause as keyof typeof UNUSUAL];
  if (cause in OF_THE_FILE) return `${OF_THE_FILE[cause as keyof typeof OF_THE_FILE]}. ${ADVICE}`;
  return `is damaged at byte ${at}: ${AT_A_BYTE[cause as keyof typeof AT_A_BYTE]}. ${ADVICE}`;
}
