import { CAPTURE_FIELDS, WRITTEN_FIELDS } from '../../domain/image/fields.ts';
import type { Capture, EmbeddedTexts } from '../../domain/image/image-metadata.ts';
import { cameraNumber } from '../../domain/image/time/camera-number.ts';
import { cameraText } from '../../domain/image/time/camera-text.ts';
import { cameraTime } from '../../domain/image/time/camera-time.ts';
import { fileText, type TextForm } from '../../domain/image/words/file-text.ts';
import { ByteReader } from './byte-reader.ts';
import { findExif } from './find-exif.ts';
import { ExifDirectory } from './read-exif.ts';
import { type IptcValues, readIptc } from './read-iptc.ts';
import { readXmp, type XmpValues } from './read-xmp.ts';

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
  readonly texts: EmbeddedTexts;
}

/** Exif 3.0, section 4.6. */
const MAKE = 0x010f;
const MODEL = 0x0110;
const ARTIST = 0x013b;
const COPYRIGHT = 0x8298;
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

interface ReadBlocks {
  /** The first directory of EXIF. */
  readonly root: ExifDirectory;
  readonly iptc: IptcValues;
  readonly xmp: XmpValues;
}

/** Never throws: what is ill-formed is unknown. */
export function readEmbedded(blocks: EmbeddedBlocks): EmbeddedFacts {
  const root = findExif(blocks.exif ?? []) ?? NO_DIRECTORY;
  const iptc = blocks.iptc === undefined ? {} : readIptc(blocks.iptc);
  const xmp = blocks.xmp === undefined ? {} : readXmp(blocks.xmp);
  return {
    capture: captureOf({ root, iptc, xmp }),
    keywords: [...(iptc.keywords ?? []), ...(xmp.subject ?? [])],
    texts: {
      title: firstText(WRITTEN_FIELDS.title, xmp.title, iptc.title),
      description: firstText(WRITTEN_FIELDS.description, xmp.description, iptc.description),
      alt: firstText(WRITTEN_FIELDS.alt, xmp.AltTextAccessibility),
    },
  };
}

function captureOf({ root, iptc, xmp }: ReadBlocks): Capture {
  const photo = root.directory(EXIF_DIRECTORY);
  const gps = root.directory(GPS_DIRECTORY);
  const { creator, copyright, credit, usageTerms } = CAPTURE_FIELDS;
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
    creator: firstText(
      creator,
      [joinNames(creator, xmp.creator)],
      [joinNames(creator, iptc.creator)],
      [text(root, ARTIST) ?? ''],
    ),
    copyright: firstText(copyright, xmp.rights, iptc.copyright, [text(root, COPYRIGHT) ?? '']),
    credit: firstText(credit, xmp.Credit, iptc.credit),
    usageTerms: firstText(usageTerms, xmp.UsageTerms, xmp.WebStatement),
  };
}

/** The first value of the first source that has one; null if all of them are blank. */
function firstText(form: TextForm, ...sources: ReadonlyArray<readonly string[] | undefined>): string | null {
  for (const values of sources) {
    for (const value of values ?? []) {
      const found = fileText(value, form);
      if (found !== null) return found;
    }
  }
  return null;
}

function joinNames(form: TextForm, names: readonly string[] = []): string {
  return names
    .map((name) => fileText(name, form))
    .filter((name) => name !== null)
    .join(', ');
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
