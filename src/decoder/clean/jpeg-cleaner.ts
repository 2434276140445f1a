import type { CleanParts } from './clean-parts.ts';
import type { Cleaner, CleanSource } from './cleaner.ts';

const APP0 = 0xe0;
const APP1 = 0xe1;
const APP14 = 0xee;
const [DHT, DAC, SOS, DQT, DNL, DRI] = [0xc4, 0xcc, 0xda, 0xdb, 0xdc, 0xdd];

/** Tables, and scans with their data. */
const OF_PICTURE: readonly unknown[] = ['frame', DHT, DAC, SOS, DQT];
/** Their content is a number of two bytes. */
const NUMBERS: readonly unknown[] = [DNL, DRI];

/** With the sides of the thumbnail, which become 0. */
const JFIF_BYTES = 14;
const ADOBE_BYTES = 12;

export class JpegCleaner implements Cleaner {
  private hasJfif = false;
  /** Behind the JFIF header if that is the first part, else in front of it. */
  private exif: Buffer | undefined;

  constructor(
    private readonly clean: CleanParts,
    private readonly source: CleanSource,
  ) {
    const { exif } = source;
    clean.keep(0, 2);
    if (exif !== undefined) this.exif = segment(APP1, Buffer.from('Exif\0\0'), exif);
  }

  visit(type: string | number, start: number, end: number): void {
    const content = this.source.file.subarray(start, end);
    if (type === APP0) this.jfif(content);
    else if (type === APP14) this.adobe(content);
    else if (this.isKept(type, start, end)) {
      this.writeExif();
      this.clean.keep(start - 4, end);
    }
  }

  end(): void {
    this.clean.write(Buffer.of(0xff, 0xd9));
  }

  private isKept(type: string | number, start: number, end: number): boolean {
    if (type === 'profile') return this.source.profileAt.includes(start);
    return NUMBERS.includes(type) ? end - start === 2 : OF_PICTURE.includes(type);
  }

  private jfif(content: Buffer): void {
    if (this.hasJfif || content.length < JFIF_BYTES || !begins(content, 'JFIF\0')) return;
    this.hasJfif = true;
    this.clean.write(segment(APP0, content.subarray(0, JFIF_BYTES - 2), Buffer.alloc(2)));
    this.writeExif();
  }

  private adobe(content: Buffer): void {
    if (content.length < ADOBE_BYTES || !begins(content, 'Adobe')) return;
    this.writeExif();
    this.clean.write(segment(APP14, content.subarray(0, ADOBE_BYTES)));
  }

  private writeExif(): void {
    if (this.exif !== undefined) this.clean.write(this.exif);
    this.exif = undefined;
  }
}

function begins(content: Buffer, signature: string): boolean {
  return content.toString('latin1', 0, signature.length) === signature;
}

function segment(marker: number, ...contents: readonly Buffer[]): Buffer {
  const bytes = Buffer.concat([Buffer.of(0xff, marker, 0, 0), ...contents]);
  bytes.writeUInt16BE(bytes.length - 2, 2);
  return bytes;
}
