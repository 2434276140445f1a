import type { Capture } from '../../domain/image/image-metadata.ts';
import { cameraNumber } from '../../domain/image/time/camera-number.ts';
import { cameraText } from '../../domain/image/time/camera-text.ts';
import { cameraTime } from '../../domain/image/time/camera-time.ts';
import { ByteReader } from './byte-reader.ts';
import { findExif } from './find-exif.ts';
import { iptcKeywords } from './iptc-keywords.ts';
import { ExifDirectory } from './read-exif.ts';
import { xmpSubjects } from './xmp-subjects.ts';

/** The blocks of metadata that a file has. */
export interface EmbeddedBlocks {
  /** In their order. */
  readonly exif?: readonly Uint8Array[] | undefined;
  readonly iptc?: Uint8Array | undefined;
  readonly xmp?: Uint8Array | undefined;
}

interface EmbeddedFacts {
  /** With the position, whether or not it is to be stored. */
  readonly capture: Capture;
  /** As they are: IPTC first, then XMP. */
  readonly keywords: readonly string[];
}

/** Exif 3.0, section 4.6. */
const MAKE = 0x010f;
const MODEL = 0x0110;
const EXIF_DIRECTORY = 0x8769;
const GPS_DIRECTORY = 0x8825;

const EXPOSURE_TIME = 0x829a;
const F_NUMBER = 0x829d;
const PHOTOGRAPHIC_SENSITIVITY = 0x8827;
const DATE_TIME_ORIGINAL = 0x9003;
const DATE_TIME_DIGITIZED = 0x9004;
const OFFSET_TIME_ORIGINAL = 0x9011;
const OFFSET_TIME_DIGITIZED = 0x9012;
const SUBSEC_TIME_ORIGINAL = 0x9291;
const SUBSEC_TIME_DIGITIZED = 0x9292;
const FOCAL_LENGTH = 0x920a;
const LENS_MODEL = 0xa434;

const GPS_LATITUDE_REF = 1;
const GPS_LATITUDE = 2;
const GPS_LONGITUDE_REF = 3;
const GPS_LONGITUDE = 4;
const GPS_TIME_STAMP = 7;
const GPS_DATE_STAMP = 0x1d;

const NO_DIRECTORY = new ExifDirectory(new ByteReader(new Uint8Array()), undefined);

/** Never throws: what is ill-formed is unknown. */
export function readEmbedded({ exif = [], iptc, xmp }: EmbeddedBlocks): EmbeddedFacts {
  const root = findExif(exif) ?? NO_DIRECTORY;
  return {
    capture: captureOf(root),
    keywords: [
      ...(iptc === undefined ? [] : iptcKeywords(iptc)),
      ...(xmp === undefined ? [] : xmpSubjects(xmp)),
    ],
  };
}

function captureOf(root: ExifDirectory): Capture {
  const photo = root.directory(EXIF_DIRECTORY);
  const gps = root.directory(GPS_DIRECTORY);
  return {
    takenAt: takenAtOf(photo, gps),
    make: cameraText(text(root, MAKE)),
    model: cameraText(text(root, MODEL)),
    lens: cameraText(text(photo, LENS_MODEL)),
    iso: cameraNumber(photo.number(PHOTOGRAPHIC_SENSITIVITY)),
    fNumber: cameraNumber(photo.number(F_NUMBER)),
    exposureSeconds: cameraNumber(photo.number(EXPOSURE_TIME)),
    focalLengthMm: cameraNumber(photo.number(FOCAL_LENGTH)),
    ...positionOf(gps),
    creator: null,
    copyright: null,
    credit: null,
    usageTerms: null,
  };
}

function takenAtOf(photo: ExifDirectory, gps: ExifDirectory): string | null {
  const time = cameraTime({
    original: text(photo, DATE_TIME_ORIGINAL),
    originalFraction: text(photo, SUBSEC_TIME_ORIGINAL),
    digitized: text(photo, DATE_TIME_DIGITIZED),
    digitizedFraction: text(photo, SUBSEC_TIME_DIGITIZED),
    originalOffset: text(photo, OFFSET_TIME_ORIGINAL),
    digitizedOffset: text(photo, OFFSET_TIME_DIGITIZED),
    gpsDate: text(gps, GPS_DATE_STAMP),
    gpsTime: gps.numbers(GPS_TIME_STAMP, 3),
  });
  return time ?? null;
}

function positionOf(gps: ExifDirectory): Pick<Capture, 'latitude' | 'longitude'> {
  const latitude = degrees(gps.numbers(GPS_LATITUDE, 3), text(gps, GPS_LATITUDE_REF), 'NS', 90);
  const longitude = degrees(gps.numbers(GPS_LONGITUDE, 3), text(gps, GPS_LONGITUDE_REF), 'EW', 180);
  return latitude === undefined || longitude === undefined ? {} : { latitude, longitude };
}

/** About a centimetre. */
const DECIMALS = 1e7;

/** @param directions the letters for positive and negative */
function degrees(
  parts: readonly number[] | undefined,
  direction: string | undefined,
  directions: string,
  limit: number,
): number | undefined {
  const sign = [1, -1][directions.indexOf(direction?.trim() || ' ')];
  const [whole = Number.NaN, minutes = Number.NaN, seconds = Number.NaN] = parts ?? [];
  const value = whole + minutes / 60 + seconds / 3_600;
  if (sign === undefined || !(value <= limit)) return undefined;
  return Math.round(sign * value * DECIMALS) / DECIMALS;
}

const UTF8 = new TextDecoder();

function text(directory: ExifDirectory, tag: number): string | undefined {
  const bytes = directory.text(tag);
  return bytes && UTF8.decode(bytes);
}
