import { ByteReader } from './byte-reader.ts';

/**
 * Reads single tags on request. `exif-reader` reads every value of every tag: 64 KiB whose entries all claim long arrays would
 * take many seconds.
 */
export class ExifDirectory {
  /** Value fields by tag. */
  private readonly entries: ReadonlyMap<number, Entry>;
  private readonly reader: ByteReader;

  constructor(reader: ByteReader, offset: number | undefined) {
    this.reader = reader;
    this.entries = offset === undefined ? new Map() : readEntries(reader, offset);
  }

  get isEmpty(): boolean {
    return this.entries.size === 0;
  }

  /** Another directory that a tag points to; without entries if there is none. */
  directory(tag: number): ExifDirectory {
    return new ExifDirectory(this.reader, this.number(tag));
  }

  /** Up to the first NUL. */
  text(tag: number): Uint8Array | undefined {
    const entry = this.entries.get(tag);
    if (entry === undefined || !TEXT_TYPES.has(entry.type)) return undefined;
    const start = this.valueOffset(entry, entry.count);
    const bytes = this.reader.bytes.subarray(start, start + Math.min(entry.count, MAX_TEXT_BYTES));
    const end = bytes.indexOf(0);
    return end === -1 ? bytes : bytes.subarray(0, end);
  }

  /** The first value; not finite for a fraction of zero. */
  number(tag: number): number | undefined {
    return this.numbers(tag, 1)?.[0];
  }

  /** The first `length` values; `undefined` if there are fewer. */
  numbers(tag: number, length: number): readonly number[] | undefined {
    const entry = this.entries.get(tag);
    const size = entry && NUMBER_SIZES.get(entry.type);
    if (entry === undefined || size === undefined || entry.count < length) return undefined;
    const start = this.valueOffset(entry, entry.count * size);
    const values = Array.from({ length }, (_, index) => this.value(entry.type, start + index * size));
    return values.every((value) => value !== undefined) ? values : undefined;
  }

  /** Values of up to four bytes are in the entry itself. */
  private valueOffset(entry: Entry, size: number): number {
    if (size <= 4) return entry.valueField;
    return this.reader.uint32(entry.valueField) ?? this.reader.bytes.length;
  }

  private value(type: number, offset: number): number | undefined {
    if (type === SHORT) return this.reader.uint16(offset);
    const value = this.reader.uint32(offset);
    if (type !== RATIONAL || value === undefined) return value;
    const divisor = this.reader.uint32(offset + 4);
    return divisor === undefined ? undefined : value / divisor;
  }
}

interface Entry {
  readonly type: number;
  /** Values. */
  readonly count: number;
  /** Offset of the four bytes with the value or its offset. */
  readonly valueField: number;
}

/** TIFF 6.0, section 2, its supplement 1 (IFD), and Exif 3.0 (UTF-8). */
const ASCII = 2;
const SHORT = 3;
const LONG = 4;
const RATIONAL = 5;
const UNDEFINED = 7;
const SLONG = 9;
const IFD = 13;
const UTF8 = 129;

/** Some phones write make and model as UNDEFINED. */
const TEXT_TYPES: ReadonlySet<number> = new Set([ASCII, UNDEFINED, UTF8]);
/** Bytes. */
const NUMBER_SIZES: ReadonlyMap<number, number> = new Map([
  [SHORT, 2],
  [LONG, 4],
  [RATIONAL, 8],
  // Some programs write pointers in these two types. A negative SLONG is read as a number that is too large.
  [SLONG, 4],
  [IFD, 4],
]);

const ENTRY_BYTES = 12;
/** Cameras write some dozens. */
const MAX_ENTRIES = 1_000;
/** What 500 composed characters need at most. */
const MAX_TEXT_BYTES = 2_000;

/**
 * What precedes the TIFF structure. Some cameras write another last byte than 0, other letter case, or up to four bytes in front;
 * exiftool reads these too.
 */
const SIGNATURE = /^.{0,4}?Exif\0./is;
const MAX_SIGNATURE_BYTES = 10;
const TIFF_MAGIC = 42;

/** The length in bytes of the signature with which the bytes begin; 0 if they have none. */
export function exifSignatureBytes(bytes: Uint8Array): number {
  const head = String.fromCharCode(...bytes.subarray(0, MAX_SIGNATURE_BYTES));
  return SIGNATURE.exec(head)?.[0].length ?? 0;
}

/** The first directory; `undefined` if the bytes are not EXIF. */
export function readExif(bytes: Uint8Array): ExifDirectory | undefined {
  const tiff = bytes.subarray(exifSignatureBytes(bytes));
  const order = Buffer.from(tiff.subarray(0, 2)).toString('latin1');
  if (order !== 'II' && order !== 'MM') return undefined;
  const reader = new ByteReader(tiff, order === 'II');
  if (reader.uint16(2) !== TIFF_MAGIC) return undefined;
  return new ExifDirectory(reader, reader.uint32(4));
}

/** The first of entries with the same tag counts. */
function readEntries(reader: ByteReader, offset: number): ReadonlyMap<number, Entry> {
  const entries = new Map<number, Entry>();
  const count = Math.min(reader.uint16(offset) ?? 0, MAX_ENTRIES);
  for (let index = 0; index < count; index += 1) {
    const start = offset + 2 + index * ENTRY_BYTES;
    const [tag, type, values] = [reader.uint16(start), reader.uint16(start + 2), reader.uint32(start + 4)];
    if (tag === undefined || type === undefined || values === undefined) break;
    if (!entries.has(tag)) entries.set(tag, { type, count: values, valueField: start + 8 });
  }
  return entries;
}
