import type { Box } from '../../domain/image/box.ts';
import type { Crop } from '../../domain/image/cover-crop.ts';
import type { FileRange } from '../structure/file-range.ts';
import type { FileStructure } from '../structure/file-structure.ts';
import { hideChunk, updateCrc } from '../structure/hide-chunk.ts';
import type { Of } from './picture.ts';

/*
 * All decisions about the EXIF orientation of a picture (CIPA DC-008, tag 0x0112): `readStructure` only reads the number. libvips makes
 * a picture upright while it decodes it (`orient`, then `load`), or, if that takes less memory, sharp turns the resized pixels (`orientLater`, then
 * `turn`).
 */

interface Turn {
  readonly degrees: number;
  readonly isMirrored: boolean;
}

const UPRIGHT: Turn = { degrees: 0, isMirrored: false };

/** What makes each orientation upright: mirrored from left to right, then turned clockwise. */
const TURNS: Readonly<Record<number, Turn>> = {
  2: { degrees: 0, isMirrored: true },
  3: { degrees: 180, isMirrored: false },
  4: { degrees: 180, isMirrored: true },
  5: { degrees: 270, isMirrored: true },
  6: { degrees: 90, isMirrored: false },
  7: { degrees: 90, isMirrored: true },
  8: { degrees: 270, isMirrored: false },
};

/**
 * The orientation to show a picture with. The record of a picture that an earlier version stored may have the size of the picture as it
 * is in the file, because that version did not find the orientation: such a picture stays as its record says.
 *
 * @param shown the size in the record; absent for an upload
 */
export function orientationFor(structure: FileStructure, shown?: Box): number {
  const { width, height, orientation = 1 } = structure;
  const upright = swapSides(structure, turnOf(structure));
  if (shown === undefined || shown.width === upright.width) return orientation;
  return shown.width === width && shown.height === height ? 1 : orientation;
}

/** What tells decoders of the clean original how to turn it; nothing if it is upright. */
export function keepOrientation({ structure: { orientation = 1 } }: Of<'structure'>): Of<'cleanExif'> {
  return { cleanExif: orientation === 1 ? undefined : exifBlock(orientation) };
}

/**
 * Replaces the EXIF of the file by a block that tells the orientation alone. libvips does not read all blocks that cameras write, and
 * with this block it finds the same orientation as the record. Without an orientation, a JPEG has no EXIF afterwards: libvips would
 * parse its fields again, and copy all of them for each operation, which takes 0.2 to 0.5 ms.
 *
 * The parts of a clean original must have been found before, because they are compared with the file.
 */
export function orient({
  file,
  mediaType,
  structure,
}: Of<'file' | 'mediaType' | 'structure'>): Of<'turnsWhileDecoding'> {
  const { exif = [], damagedExif = [], orientation = 1 } = structure;
  const longest = findLongest(exif);
  if (longest !== undefined && mediaType === 'image/jpeg') setInJpeg(file, exif, longest, orientation);
  else if (longest !== undefined) {
    writeBlock(file, longest, exifBlock(orientation));
    if (mediaType === 'image/png') keepOneChunk(file, [...exif, ...damagedExif], longest);
  }
  return { turnsWhileDecoding: true };
}

/** The size as displayed. */
export function measureUpright({ header, structure }: Of<'header' | 'structure'>): Of<'size'> {
  return { size: structure.placed?.canvas ?? swapSides(header, turnOf(structure)) };
}

/** Leaves the picture as it is stored until `turn`, with the box and the crop that it has until then. */
export function orientLater(
  picture: Of<'file' | 'mediaType' | 'structure' | 'box' | 'crop'>,
): Of<'turnsWhileDecoding' | 'box' | 'crop'> {
  const { box, crop, structure } = picture;
  orient(picture);
  const turned = turnOf(structure);
  return {
    turnsWhileDecoding: false,
    box: swapSides(box, turned),
    crop: crop && { ...swapSides(crop, turned), ...cropStart(crop, box, turned) },
  };
}

export function turn({ image, structure }: Of<'image' | 'structure'>): Of<'image'> {
  const { degrees, isMirrored } = turnOf(structure);
  return { image: image.rotate(degrees).flop(isMirrored) };
}

function turnOf({ orientation = 1 }: Pick<FileStructure, 'orientation'>): Turn {
  return TURNS[orientation] ?? UPRIGHT;
}

function swapSides({ width, height }: Box, { degrees }: Turn): Box {
  return degrees % 180 === 0 ? { width, height } : { width: height, height: width };
}

/** Where the crop begins in the picture as it is stored. */
function cropStart(
  { left, top, width, height }: Crop,
  box: Box,
  { degrees, isMirrored }: Turn,
): Pick<Crop, 'left' | 'top'> {
  // From the top clockwise, as the turn moves them.
  const margins = [top, width - box.width - left, height - box.height - top, left];
  const marginAt = (side: number): number => margins[(side + degrees / 90) % 4] as number;
  return { left: marginAt(isMirrored ? 1 : 3), top: marginAt(0) };
}

const JPEG_SIGNATURE = Buffer.from('Exif\0\0', 'latin1');

/** EXIF that tells the orientation alone: big-endian, a directory of one entry, a SHORT (CIPA DC-008, 4.6.2). */
function exifBlock(orientation: number): Buffer {
  const block = Buffer.from('4d4d002a00000008000101120003000000010000000000000000', 'hex');
  block.writeUInt16BE(orientation, 18);
  return block;
}

function setInJpeg(file: Buffer, exif: readonly FileRange[], longest: FileRange, orientation: number): void {
  for (const { start } of exif) file[start] = 0;
  if (orientation === 1) return;
  writeBlock(file, longest, Buffer.concat([JPEG_SIGNATURE, exifBlock(orientation)]));
}

/** libpng reads the first chunk that it takes for EXIF, and that may be another one than the chunk with the orientation. */
function keepOneChunk(file: Buffer, exif: readonly FileRange[], kept: FileRange): void {
  updateCrc(file, kept);
  for (const range of exif) {
    if (range !== kept) hideChunk(file, range);
  }
}

function findLongest(exif: readonly FileRange[]): FileRange | undefined {
  return exif.toSorted((a, b) => lengthOf(b) - lengthOf(a))[0];
}

/** The last bytes of the block, which may be missing, say that no other directory follows. */
function writeBlock(file: Buffer, { start, end }: FileRange, block: Buffer): void {
  file.fill(0, start, end);
  block.copy(file, start, 0, end - start);
}

function lengthOf({ start, end }: FileRange): number {
  return end - start;
}
