import type { ImageStructure } from '../../domain/image/decode-excess.ts';
import { ByteCursor } from './byte-cursor.ts';
import { ExifSegments } from './exif-segments.ts';
import {
  type Check,
  type FileStructure,
  NOTHING_FOUND,
  type ParsedFile,
  type Visit,
} from './file-structure.ts';
import { MalformedFile } from './malformed-file.ts';
import { ProfileParts } from './profile-parts.ts';

interface Frame {
  readonly width: number;
  readonly height: number;
  readonly components: number;
  readonly coefficientBytes: number;
  readonly isProgressive: boolean;
  readonly isArithmetic: boolean;
}

// Marker codes: ITU-T T.81, table B.1.
const TEM = 0x01;
const SOF0 = 0xc0;
const SOF15 = 0xcf;
/** DHT, JPG and DAC: their codes lie between those of the frames. */
const NO_FRAMES: readonly number[] = [0xc4, 0xc8, 0xcc];
const RST0 = 0xd0;
const SOI = 0xd8;
const EOI = 0xd9;
const SOS = 0xda;
const DNL = 0xdc;
const APP1 = 0xe1;
const APP2 = 0xe2;
/** EXIF and XMP, colour profile, IPTC, Adobe: libvips has libjpeg keep them. */
const KEPT: readonly number[] = [APP1, APP2, 0xed, 0xee];

const LENGTH_BYTES = 2;
const COEFFICIENT_BYTES = 2;

const PROFILE_SIGNATURE = 'ICC_PROFILE';
/** Of what is in front of the profile: ICC.1:2022, B.4. */
const PROFILE_HEAD_BYTES = 14;

/**
 * Walks the marker segments as libjpeg does. Markers within segments (comments, thumbnails) and after the end of the image do not
 * count. A scan is visited with its data.
 *
 * @param check ends the walk by throwing
 * @throws {MalformedFile}
 */
export function jpegStructure(file: Buffer, check: Check, visit?: Visit): ParsedFile {
  const cursor = new ByteCursor(file);
  const found = { ...NOTHING_FOUND, width: 0, height: 0, scans: 0 };
  const profileParts = new ProfileParts();
  let frame: Frame | undefined;
  const exif = new ExifSegments();
  for (;;) {
    const marker = cursor.codeBehindFf(hasNoSegment);
    if (marker === EOI) break;
    const length = Math.max(0, cursor.uint16() - LENGTH_BYTES);
    const start = cursor.position;
    const segment = cursor.take(length);
    found.segments += 1;
    if (KEPT.includes(marker)) found.metadataBytes += length;
    if (marker === APP1 && found.scans === 0) exif.add(segment, start);
    const isProfile = found.scans === 0 && isProfilePart(marker, segment);
    if (isProfile) profileParts.add(segment, start);
    if (isFrame(marker) && frame === undefined) {
      frame = frameOf(marker, segment);
      Object.assign(found, { width: frame.width, height: frame.height });
    }
    if (marker === SOS) found.scans += 1;
    check(found);
    if (visit !== undefined) {
      if (marker === SOS) cursor.skipScan();
      visit(isProfile ? 'profile' : isFrame(marker) ? 'frame' : marker, start, cursor.position);
    }
    if (marker !== SOS || found.scans > 1 || !isWhole(segment, frame)) continue;
    if (visit !== undefined) visitRest(cursor, visit);
    break;
  }
  if (frame === undefined) throw new MalformedFile('jpeg_without_picture', cursor.position);
  const { profile, profileAt, ignoredAt: ofProfile } = profileParts.join();
  const arithmeticBytes = frame.isArithmetic ? file.length : 0;
  const ignoredAt = [...ofProfile, ...exif.ignoredAt];
  const embedded = { hasExif: exif.ranges.length > 0, exif: exif.ranges, profileAt, ignoredAt };
  return { structure: structureOf({ ...found, arithmeticBytes }, frame, embedded), profile };
}

/** Decoders read no more of the image. Only the number of lines is visited. */
function visitRest(cursor: ByteCursor, visit: Visit): void {
  for (;;) {
    const marker = cursor.codeBehindFf(hasNoSegment);
    if (marker === EOI) return;
    const length = Math.max(0, cursor.uint16() - LENGTH_BYTES);
    cursor.skip(length);
    if (marker === DNL) visit(marker, cursor.position - length, cursor.position);
  }
}

/** libjpeg decodes no other scan of a sequential frame whose first scan has all components. */
function isWhole(firstScan: Uint8Array, frame: Frame | undefined): boolean {
  return frame?.isProgressive === false && firstScan[0] === frame.components;
}

function structureOf(
  found: ImageStructure,
  { components, isProgressive, coefficientBytes }: Frame,
  embedded: Pick<FileStructure, 'hasExif' | 'exif' | 'profileAt' | 'ignoredAt'>,
): FileStructure {
  // Several scans, and the first of a progressive frame, write into coefficients that are held until the last has been read.
  const heldBytes = isProgressive || found.scans > 1 ? coefficientBytes : 0;
  return {
    ...found,
    bytesPerPixel: components,
    heldBytes,
    ...embedded,
  };
}

/** A stuffed zero (T.81, B.1.1.5), TEM, RSTn and SOI. */
function hasNoSegment(code: number): boolean {
  return code === 0 || code === TEM || (code >= RST0 && code <= SOI);
}

function isFrame(marker: number): boolean {
  return marker >= SOF0 && marker <= SOF15 && !NO_FRAMES.includes(marker);
}

const FRAME_BITS = 8;

/** The processes that codes of frames stand for, counted from SOF0 on, which libjpeg does not decode (T.81, table B.1). */
const LOSSLESS: readonly number[] = [3, 7, 11, 15];
const HIERARCHICAL: readonly number[] = [5, 6, 13, 14];

/** @throws {MalformedFile} if the file is of a kind that is not decoded */
function requireDecodable(marker: number, bits: number | undefined): void {
  const kind = marker - SOF0;
  if (LOSSLESS.includes(kind)) throw new MalformedFile('jpeg_lossless');
  if (HIERARCHICAL.includes(kind)) throw new MalformedFile('jpeg_hierarchical');
  if (bits === 12) throw new MalformedFile('jpeg_12_bits');
  if (bits !== FRAME_BITS) throw new MalformedFile('jpeg_bits');
}

/** T.81, B.2.2. */
function frameOf(marker: number, segment: Uint8Array): Frame {
  requireDecodable(marker, segment[0]);
  const at = (index: number): number => segment[index] ?? 0;
  const [height, width, components] = [at(1) * 256 + at(2), at(3) * 256 + at(4), at(5)];
  const factors = Array.from({ length: components }, (_, index) => at(7 + 3 * index));
  const sampling = factors.map((factor) => ({ h: factor >> 4 || 1, v: factor & 15 || 1 }));
  const columns = Math.ceil(width / (8 * Math.max(...sampling.map(({ h }) => h))));
  const rows = Math.ceil(height / (8 * Math.max(...sampling.map(({ v }) => v))));
  // Blocks of 8 × 8 samples in whole units: T.81, A.2.4.
  const blocks = sampling.reduce((total, { h, v }) => total + columns * h * rows * v, 0);
  const kind = marker - SOF0;
  return {
    width,
    height,
    components,
    coefficientBytes: blocks * 64 * COEFFICIENT_BYTES,
    // The codes repeat by four: sequential, sequential, progressive, lossless; from SOF8 on arithmetic.
    isProgressive: kind % 4 === 2,
    isArithmetic: kind >= 8,
  };
}

/** libvips ignores empty parts. */
function isProfilePart(marker: number, segment: Uint8Array): boolean {
  return marker === APP2 && segment.length > PROFILE_HEAD_BYTES && startsWith(segment, PROFILE_SIGNATURE);
}

function startsWith(segment: Uint8Array, signature: string): boolean {
  return String.fromCharCode(...segment.subarray(0, signature.length)) === signature;
}
