import type { CleanParts } from './clean-parts.ts';
import type { Cleaner, CleanSource } from './cleaner.ts';

// RFC 9649, 2.7.
const [ANIMATION, EXIF, ALPHA, PROFILE] = [0x02, 0x08, 0x10, 0x20];
const EXTENDED_HEADER_BYTES = 10;
const ANIMATION_BYTES = 6;
/** Up to the flags, of which all but two are reserved. */
const FRAME_HEADER_BYTES = 15;
const FRAME_FLAGS = 0x03;

const PICTURES: readonly unknown[] = ['ALPH', 'VP8 ', 'VP8L'];

interface Frame {
  /** In the original. */
  readonly end: number;
  /** Written when the frame ends. */
  readonly size: Buffer;
  /** In the clean file. */
  readonly start: number;
}

/** A file without VP8X has neither metadata nor an orientation. */
export class WebpCleaner implements Cleaner {
  private readonly riffSize: Buffer;
  private flags = 0;
  private keepsProfile = false;
  private hasAnimation = false;
  private frame: Frame | undefined;

  constructor(
    private readonly clean: CleanParts,
    private readonly source: CleanSource,
  ) {
    clean.keep(0, 4);
    this.riffSize = clean.write(Buffer.alloc(4));
    clean.keep(8, 12);
  }

  visit(type: string | number, start: number, end: number): void {
    const { profileAt } = this.source;
    if (this.frame !== undefined && start > this.frame.end) this.endFrame();
    if (PICTURES.includes(type)) this.keepChunk(start, end);
    else if (type === 'VP8X') this.extendedHeader(start);
    else if (type === 'ICCP' && this.keepsProfile && profileAt.includes(start)) this.keepChunk(start, end);
    else if (type === 'ANIM') this.animation(start);
    else if (type === 'ANMF') this.beginFrame(start, end);
  }

  end(): void {
    const { clean } = this;
    const { exif } = this.source;
    this.endFrame();
    if (exif !== undefined) clean.write(Buffer.concat([Buffer.from('EXIF'), uint32(exif.length), exif]));
    this.riffSize.writeUInt32LE(clean.size - 8);
  }

  private extendedHeader(start: number): void {
    const { file, profileAt, exif } = this.source;
    this.flags = file[start] as number;
    // Decoders ignore a profile without its flag.
    this.keepsProfile = profileAt.length > 0 && this.has(PROFILE);
    this.keepHead(start, EXTENDED_HEADER_BYTES);
    const added = (this.keepsProfile ? PROFILE : 0) | (exif === undefined ? 0 : EXIF);
    this.clean.write(Buffer.of((this.flags & (ANIMATION | ALPHA)) | added, 0, 0, 0));
    this.clean.keep(start + 4, start + EXTENDED_HEADER_BYTES);
  }

  private animation(start: number): void {
    if (this.hasAnimation || !this.has(ANIMATION)) return;
    this.hasAnimation = true;
    this.keepHead(start, ANIMATION_BYTES);
    this.clean.keep(start, start + ANIMATION_BYTES);
  }

  private beginFrame(start: number, end: number): void {
    const size = this.keepHead(start, 0);
    this.frame = { end, size, start: this.clean.size };
    this.clean.keep(start, start + FRAME_HEADER_BYTES);
    const flags = this.source.file[start + FRAME_HEADER_BYTES] as number;
    this.clean.write(Buffer.of(flags & FRAME_FLAGS));
  }

  private endFrame(): void {
    this.frame?.size.writeUInt32LE(this.clean.size - this.frame.start);
    this.frame = undefined;
  }

  /** Returns the size of the chunk. */
  private keepHead(start: number, size: number): Buffer {
    this.clean.keep(start - 8, start - 4);
    return this.clean.write(uint32(size));
  }

  private keepChunk(start: number, end: number): void {
    this.clean.keep(start - 8, end);
    if ((end - start) % 2 === 1) this.clean.write(Buffer.alloc(1));
  }

  private has(flag: number): boolean {
    return (this.flags & flag) !== 0;
  }
}

function uint32(number: number): Buffer {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32LE(number);
  return bytes;
}
