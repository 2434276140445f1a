import type { Box } from '../../domain/image/box.ts';
import { ByteCursor } from './byte-cursor.ts';
import { isColourProfile, isUsableProfile } from './colour-profile.ts';
import type { FileRange } from './file-range.ts';
import {
  type Check,
  type FileStructure,
  NOTHING_FOUND,
  type ParsedFile,
  type Visit,
} from './file-structure.ts';
import { MalformedFile } from './malformed-file.ts';

const TYPE_BYTES = 4;
const CHUNK_HEADER_BYTES = 8;

const PICTURES: readonly string[] = ['VP8 ', 'VP8L'];
/** They are not compressed. */
const METADATA: readonly string[] = ['ICCP', 'EXIF', 'XMP '];

// RFC 9649, 2.7.
const ANIMATION_FLAG = 0x02;
const EXIF_FLAG = 0x08;
const EXTENDED_HEADER_BYTES = 10;
const ANIMATION_BYTES = 6;
const FRAME_HEADER_BYTES = 16;

/** The decoder holds all pixels of a lossless picture, and those of an alpha plane, before it scales them. */
const LOSSLESS_PIXEL_BYTES = 4;
const ALPHA_PIXEL_BYTES = 5;
/** A frame and the canvas: libvips scales few animations while it decodes them. */
const ANIMATION_PIXEL_BYTES = 8;

interface Chunk {
  readonly type: string;
  /** Without the padding. */
  readonly size: number;
}

/**
 * Reads all chunks up to the end that the file declares. What is behind it does not count.
 *
 * @param check ends the walk by throwing
 * @throws {MalformedFile}
 */
export function webpStructure(file: Buffer, check: Check, visit?: Visit): ParsedFile {
  return new WebpWalk(new ByteCursor(file), check, visit).parsed();
}

class WebpWalk {
  private readonly found = { ...NOTHING_FOUND, width: 0, height: 0 };
  /** Of all chunks so far, those within frames included. */
  private readonly types = new Set<string>();
  private profile: Uint8Array | undefined;
  private profileAt: readonly number[] = [];
  private ignoredAt: readonly number[] = [];
  private exif: readonly FileRange[] = [];
  private isExtended = false;
  private isAnimated = false;
  private saysExif = false;
  /** A still, or the frames of an animation. */
  private pictures = 0;

  constructor(
    private readonly cursor: ByteCursor,
    private readonly check: Check,
    private readonly visit: Visit | undefined,
  ) {}

  parsed(): ParsedFile {
    this.cursor.skip(TYPE_BYTES);
    const size = this.cursor.uint32LittleEndian();
    this.cursor.skip(TYPE_BYTES);
    this.chunksWithin(size - TYPE_BYTES, (chunk) => this.topChunk(chunk));
    if (this.pictures === 0) throw new MalformedFile('webp_without_picture', this.cursor.position);
    const isIgnored = this.ignoredAt.length > 0;
    return { structure: this.structure(), profile: isIgnored ? undefined : this.profile };
  }

  private structure(): FileStructure {
    const { width, height } = this.found;
    const lossless = this.types.has('VP8L') ? LOSSLESS_PIXEL_BYTES : 0;
    const alpha = this.types.has('ALPH') ? ALPHA_PIXEL_BYTES : 0;
    const animation = this.isAnimated ? ANIMATION_PIXEL_BYTES : 0;
    return {
      ...this.found,
      bytesPerPixel: 4,
      heldBytes: width * height * (Math.max(lossless, alpha) + animation),
      hasExif: this.types.has('EXIF'),
      profileAt: this.profileAt,
      ignoredAt: this.ignoredAt,
      exif: this.exif,
    };
  }

  private chunksWithin(length: number, read: (chunk: Chunk) => void): void {
    let previous = '';
    for (let left = length; left !== 0; ) {
      const start = this.cursor.position;
      if (left < CHUNK_HEADER_BYTES) throw new MalformedFile('webp_chunk_too_long', start);
      const type = String.fromCharCode(...this.cursor.take(TYPE_BYTES));
      const size = this.cursor.uint32LittleEndian();
      const padded = size + (size % 2);
      left -= CHUNK_HEADER_BYTES + padded;
      if (left < 0) throw new MalformedFile('webp_chunk_too_long', start);
      if (previous === 'ALPH' && type !== 'VP8 ') throw new MalformedFile('webp_alpha_alone', start);
      this.found.segments += 1;
      this.check(this.found);
      const end = this.cursor.position + padded;
      this.visit?.(type, this.cursor.position, this.cursor.position + size);
      read({ type, size });
      this.cursor.moveTo(end);
      this.types.add(type);
      previous = type;
    }
    if (previous === 'ALPH') throw new MalformedFile('webp_alpha_alone', this.cursor.position);
  }

  private topChunk(chunk: Chunk): void {
    const { type, size } = chunk;
    if (type === 'VP8X') return this.extendedHeader(chunk);
    if (PICTURES.includes(type)) return this.still(chunk);
    if (!this.isExtended && this.pictures === 0) {
      throw this.misplaced();
    }
    if (type === 'ANMF') return this.animationFrame(chunk);
    if (type === 'ANIM' && size < ANIMATION_BYTES) throw this.misplaced();
    if (METADATA.includes(type)) this.metadata(chunk);
  }

  private extendedHeader({ size }: Chunk): void {
    if (this.types.size > 0 || size < EXTENDED_HEADER_BYTES) {
      throw this.misplaced();
    }
    this.isExtended = true;
    const flags = this.cursor.byte();
    this.isAnimated = (flags & ANIMATION_FLAG) !== 0;
    this.saysExif = (flags & EXIF_FLAG) !== 0;
    this.cursor.skip(3);
    this.show(sides(this.cursor));
  }

  private metadata({ type, size }: Chunk): void {
    this.found.metadataBytes += size;
    this.check(this.found);
    // Decoders ignore EXIF without its flag. Of several chunks the first counts, as it does for profiles.
    if (type === 'EXIF' && this.saysExif && this.exif.length === 0) {
      this.exif = [{ start: this.cursor.position, end: this.cursor.position + size }];
    }
    if (type !== 'ICCP' || this.profile !== undefined) return;
    const at = this.cursor.position;
    this.profile = this.cursor.take(size);
    if (isColourProfile(this.profile)) this.profileAt = [at];
    if (!isUsableProfile(this.profile)) this.ignoredAt = [at - CHUNK_HEADER_BYTES];
  }

  private still(chunk: Chunk): void {
    if (this.isAnimated || this.pictures > 0) throw this.misplaced();
    const start = this.cursor.position;
    const picture = pictureHeader(this.cursor, chunk);
    if (this.isExtended) requireSize(picture, this.found, start);
    else this.show(picture);
    this.pictures = 1;
  }

  private animationFrame({ size }: Chunk): void {
    if (!this.isAnimated || !this.types.has('ANIM') || size < FRAME_HEADER_BYTES) {
      throw this.misplaced();
    }
    this.pictures += 1;
    this.found.frames = this.pictures;
    this.check(this.found);
    this.framePicture(this.frameBox(), size - FRAME_HEADER_BYTES);
  }

  private frameBox(): Box {
    const start = this.cursor.position;
    const left = 2 * this.cursor.uint24LittleEndian();
    const top = 2 * this.cursor.uint24LittleEndian();
    const box = sides(this.cursor);
    // The duration and the flags.
    this.cursor.skip(4);
    if (left + box.width > this.found.width || top + box.height > this.found.height) {
      throw new MalformedFile('frame_outside', start);
    }
    return box;
  }

  private framePicture(box: Box, length: number): void {
    let pictures = 0;
    this.chunksWithin(length, (chunk) => {
      if (!PICTURES.includes(chunk.type)) return;
      const start = this.cursor.position;
      requireSize(pictureHeader(this.cursor, chunk), box, start);
      pictures += 1;
    });
    if (pictures !== 1) throw this.misplaced();
  }

  private misplaced(): MalformedFile {
    return new MalformedFile('webp_chunk_misplaced', this.cursor.position);
  }

  private show({ width, height }: Box): void {
    Object.assign(this.found, { width, height });
    this.check(this.found);
  }
}

function sides(cursor: ByteCursor): Box {
  const [width, height] = [cursor.uint24LittleEndian(), cursor.uint24LittleEndian()];
  return { width: width + 1, height: height + 1 };
}

/** Sides have 14 bits. */
const SIDE_MASK = 0x3fff;

function pictureHeader(cursor: ByteCursor, { type, size }: Chunk): Box {
  const start = cursor.position;
  const header = type === 'VP8L' ? losslessHeader(cursor, size) : lossyHeader(cursor, size);
  if (header.width === 0 || header.height === 0) throw new MalformedFile('webp_picture_header', start);
  return header;
}

/** RFC 6386, 9.1. */
function lossyHeader(cursor: ByteCursor, size: number): Box {
  const start = cursor.position;
  const tag = size < 10 ? undefined : cursor.uint24LittleEndian();
  const isKeyFrame = tag !== undefined && tag % 2 === 0;
  if (!isKeyFrame || cursor.uint24LittleEndian() !== 0x2a019d) {
    throw new MalformedFile('webp_picture_header', start);
  }
  const width = cursor.uint16LittleEndian() & SIDE_MASK;
  const height = cursor.uint16LittleEndian() & SIDE_MASK;
  return { width, height };
}

/** RFC 9649, 3.4. */
function losslessHeader(cursor: ByteCursor, size: number): Box {
  const start = cursor.position;
  if (size < 5 || cursor.byte() !== 0x2f) throw new MalformedFile('webp_picture_header', start);
  const bits = cursor.uint32LittleEndian();
  return { width: (bits & SIDE_MASK) + 1, height: ((bits >>> 14) & SIDE_MASK) + 1 };
}

function requireSize({ width, height }: Box, box: Box, at: number): void {
  if (width !== box.width || height !== box.height) throw new MalformedFile('webp_picture_size', at);
}
