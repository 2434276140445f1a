import type { ImageStructure } from '../../domain/image/decode-excess.ts';
import { ByteCursor } from './byte-cursor.ts';
import { type FileStructure, NOTHING_FOUND, type ParsedFile } from './file-structure.ts';
import { MalformedFile } from './malformed-file.ts';

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
const APP1 = 0xe1;
const APP2 = 0xe2;
/** EXIF and XMP, colour profile, IPTC, Adobe: libvips has libjpeg keep them. */
const KEPT: readonly number[] = [APP1, APP2, 0xed, 0xee];

const LENGTH_BYTES = 2;
const COEFFICIENT_BYTES = 2;
const EXIF_SIGNATURE = 'Exif\0\0';

/** ICC.1:2022, B.4: followed by the number of this part, from 1, and the number of parts. */
const PROFILE_SIGNATURE = 'ICC_PROFILE';
const PROFILE_PART = 12;
const PROFILE_START = 14;

/**
 * Walks the marker segments as libjpeg does. Markers within segments (comments, thumbnails) and after the end of the image do not
 * count.
 *
 * @param check ends the walk by throwing
 * @throws {MalformedFile}
 */
export function jpegStructure(file: Buffer, check: (structure: ImageStructure) => void): ParsedFile {
  const cursor = new ByteCursor(file);
  const found = { ...NOTHING_FOUND, width: 0, height: 0, scans: 0 };
  const profileParts = new Map<number, Uint8Array>();
  let frame: Frame | undefined;
  let hasExif = false;
  for (;;) {
    const marker = cursor.codeBehindFf(hasNoSegment);
    if (marker === EOI) break;
    const length = Math.max(0, cursor.uint16() - LENGTH_BYTES);
    const segment = cursor.take(length);
    found.segments += 1;
    if (KEPT.includes(marker)) found.metadataBytes += length;
    if (marker === APP1) hasExif ||= startsWith(segment, EXIF_SIGNATURE);
    if (found.scans === 0 && isProfilePart(marker, segment)) {
      profileParts.set(segment[PROFILE_PART] ?? 0, segment.subarray(PROFILE_START));
    }
    if (isFrame(marker) && frame === undefined) {
      frame = frameOf(marker, segment);
      Object.assign(found, { width: frame.width, height: frame.height });
    }
    if (marker === SOS) found.scans += 1;
    check(found);
    if (marker === SOS && found.scans === 1 && isWhole(segment, frame)) break;
  }
  if (frame === undefined) throw new MalformedFile('The JPEG has no frame');
  const structure = structureOf(
    { ...found, arithmeticBytes: frame.isArithmetic ? file.length : 0 },
    frame,
    hasExif,
  );
  return { structure, profile: profileOf(profileParts) };
}

/** libjpeg decodes no other scan of a sequential frame whose first scan has all components. */
function isWhole(firstScan: Uint8Array, frame: Frame | undefined): boolean {
  return frame?.isProgressive === false && firstScan[0] === frame.components;
}

function structureOf(
  found: ImageStructure,
  { components, isProgressive, coefficientBytes }: Frame,
  hasExif: boolean,
): FileStructure {
  // Several scans, and the first of a progressive frame, write into coefficients that are held until the last has been read.
  const heldBytes = isProgressive || found.scans > 1 ? coefficientBytes : 0;
  return {
    ...found,
    bytesPerPixel: components,
    heldBytes,
    hasExif,
  };
}

/** The parts from 1 up to the first that is missing, as libvips joins them. Of parts with the same number, the last counts. */
function profileOf(parts: ReadonlyMap<number, Uint8Array>): Uint8Array {
  const joined: Uint8Array[] = [];
  for (let part = parts.get(1); part !== undefined; part = parts.get(joined.length + 1)) joined.push(part);
  return Buffer.concat(joined);
}

/** A stuffed zero (T.81, B.1.1.5), TEM, RSTn and SOI. */
function hasNoSegment(code: number): boolean {
  return code === 0 || code === TEM || (code >= RST0 && code <= SOI);
}

function isFrame(marker: number): boolean {
  return marker >= SOF0 && marker <= SOF15 && !NO_FRAMES.includes(marker);
}

/** T.81, B.2.2. */
function frameOf(marker: number, segment: Uint8Array): Frame {
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
  return marker === APP2 && segment.length > PROFILE_START && startsWith(segment, PROFILE_SIGNATURE);
}

function startsWith(segment: Uint8Array, signature: string): boolean {
  return String.fromCharCode(...segment.subarray(0, signature.length)) === signature;
}
