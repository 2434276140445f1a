import { crc32, inflateSync, type ZlibOptions } from 'node:zlib';
import { hasItsCrc } from '../embedded/png-blocks.ts';
import { isColourProfile } from '../structure/colour-profile.ts';
import { MalformedFile } from '../structure/malformed-file.ts';
import type { CleanParts } from './clean-parts.ts';
import type { Cleaner, CleanSource } from './cleaner.ts';

const SIGNATURE_BYTES = 8;
/** Where the header has the colour type. */
const COLOUR_TYPE = 25;

/** The bytes of a chunk in front of the picture (W3C PNG, 11.3), by colour type if they depend on it. */
const LENGTHS: Readonly<Record<string, number | Readonly<Record<number, number>>>> = {
  IHDR: 13,
  gAMA: 4,
  cHRM: 32,
  sRGB: 1,
  cICP: 4,
  mDCV: 24,
  cLLI: 8,
  pHYs: 9,
  acTL: 8,
  sBIT: { 0: 1, 2: 3, 3: 3, 4: 2, 6: 4 },
  bKGD: { 0: 2, 2: 6, 3: 1, 4: 2, 6: 6 },
  tRNS: { 0: 2, 2: 6 },
};

/** A palette has up to 256 colours of three bytes. Grey images have none. */
const MAX_PALETTE_BYTES = 768;
const GREY: readonly number[] = [0, 4];
const INDEXED = 3;

/** A chunk whose CRC is wrong goes: decoders refuse the file, or ignore the chunk. */
export class PngCleaner implements Cleaner {
  private readonly kept = new Set<string>();
  private readonly colourType: number;
  private colours = 0;
  private previous = '';
  /** Whether a `PLTE` has come, kept or not. Decoders ignore a profile after it. */
  private hasPalette = false;

  constructor(
    private readonly clean: CleanParts,
    private readonly source: CleanSource,
  ) {
    clean.keep(0, SIGNATURE_BYTES);
    this.colourType = source.file[COLOUR_TYPE] as number;
  }

  visit(name: string | number, start: number, end: number): void {
    const type = String(name);
    const { file } = this.source;
    if (this.mayKeep(type, end - start) && hasItsCrc(file, start, end)) {
      if (type !== 'iCCP') this.keep(type, start, end);
      else if (keepProfile(this.clean, file.subarray(start, end), start)) this.kept.add(type);
    }
    this.previous = type;
    this.hasPalette ||= type === 'PLTE';
  }

  /** @throws {MalformedFile} */
  end(): void {
    if (!this.kept.has('IHDR')) throw new MalformedFile('png_without_header', SIGNATURE_BYTES);
    this.clean.write(chunk('IEND', Buffer.alloc(0)));
  }

  private mayKeep(type: string, length: number): boolean {
    const { kept, colourType } = this;
    if (type === 'fcTL') return kept.has('acTL') && length === 26;
    if (type === 'fdAT') return kept.has('acTL') && length >= 4;
    // Decoders read one run of them.
    if (type === 'IDAT') return this.previous === 'IDAT' || !kept.has('IDAT');
    if (kept.has('IDAT') || kept.has(type)) return false;
    if (type === 'iCCP') return !this.hasPalette;
    if (type === 'PLTE') return !GREY.includes(colourType) && length % 3 === 0 && length <= MAX_PALETTE_BYTES;
    if (type === 'tRNS' && colourType === INDEXED) return length > 0 && length <= this.colours;
    const lengths = LENGTHS[type];
    return length === (typeof lengths === 'object' ? lengths[colourType] : lengths);
  }

  private keep(type: string, start: number, end: number): void {
    const { exif } = this.source;
    this.kept.add(type);
    this.clean.keep(start - 8, end + 4);
    if (type === 'PLTE') this.colours = (end - start) / 3;
    if (type === 'IHDR' && exif !== undefined) this.clean.write(chunk('eXIf', exif));
  }
}

const NAME = 'icc\0';
const MAX_NAME_BYTES = 79;
const MAX_PROFILE_BYTES = 12 * 1024 * 1024;

/** With another name, and without bytes behind it. `false` if it is none. */
function keepProfile(clean: CleanParts, content: Buffer, start: number): boolean {
  const nameBytes = content.indexOf(0);
  if (nameBytes < 1 || nameBytes > MAX_NAME_BYTES || content[nameBytes + 1] !== 0) return false;
  const stream = profileStream(content.subarray(nameBytes + 2));
  if (stream === undefined) return false;
  const head = Buffer.alloc(8 + NAME.length + 1);
  head.writeUInt32BE(NAME.length + 1 + stream.length);
  head.write(`iCCP${NAME}`, 4, 'latin1');
  const crc = Buffer.alloc(4);
  crc.writeUInt32BE(crc32(stream, crc32(head.subarray(4))));
  clean.write(head);
  clean.keep(start + nameBytes + 2, start + nameBytes + 2 + stream.length);
  clean.write(crc);
  return true;
}

/** RFC 1950. */
function profileStream(bytes: Buffer): Buffer | undefined {
  const options: ZlibOptions = { info: true, maxOutputLength: MAX_PROFILE_BYTES };
  try {
    // The types do not know what `info` returns.
    const { buffer, engine } = inflateSync(bytes, options) as unknown as Inflated;
    return isColourProfile(buffer) ? bytes.subarray(0, engine.bytesWritten) : undefined;
  } catch {
    return undefined;
  }
}

interface Inflated {
  readonly buffer: Buffer;
  readonly engine: { readonly bytesWritten: number };
}

function chunk(type: string, content: Buffer): Buffer {
  const bytes = Buffer.alloc(12 + content.length);
  bytes.writeUInt32BE(content.length);
  bytes.write(type, 4, 'latin1');
  content.copy(bytes, 8);
  bytes.writeUInt32BE(crc32(bytes.subarray(4, -4)), 8 + content.length);
  return bytes;
}
