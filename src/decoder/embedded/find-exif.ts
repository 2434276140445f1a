import { type ExifDirectory, exifSignatureBytes, readExif } from './read-exif.ts';

/** Blocks that are read. Files have one or two; a hostile file may have many thousands. */
export const MAX_EXIF_BLOCKS = 8;

const ORIENTATION = 0x0112;
const UPRIGHT = 1;
const LAST_ORIENTATION = 8;

/** A TIFF structure with one entry. */
const MIN_TIFF_BYTES = 22;

/** The first directory of the first block that has entries: some programs write an empty block in front of the real one. */
export function findExif(blocks: readonly Uint8Array[]): ExifDirectory | undefined {
  for (const block of blocks.slice(0, MAX_EXIF_BLOCKS)) {
    const directory = readExif(block);
    if (directory?.isEmpty === false) return directory;
  }
  return undefined;
}

/** The EXIF orientation, from 1 to 8. It is 1, upright, if the blocks have none. */
export function readOrientation(blocks: readonly Uint8Array[]): number {
  const hasRoom = blocks.some((block) => block.length - exifSignatureBytes(block) >= MIN_TIFF_BYTES);
  const value = hasRoom ? findExif(blocks)?.number(ORIENTATION) : undefined;
  if (value === undefined || !Number.isInteger(value)) return UPRIGHT;
  return value > UPRIGHT && value <= LAST_ORIENTATION ? value : UPRIGHT;
}
