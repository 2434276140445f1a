import { buffer } from 'node:stream/consumers';
import type { Metadata, Sharp } from 'sharp';
import { CatalogError, InvalidImage, Overloaded, StorageUnavailable } from '../../domain/errors.ts';
import { appearanceOf, type Pixels } from '../../domain/image/appearance.ts';
import type { MediaType } from '../../domain/image/media-type.ts';
import { type EmbeddedMetadata, NOTHING_EMBEDDED } from '../../domain/image/metadata.ts';
import { type Box, renditionBox } from '../../domain/image/rendition.ts';
import type { Cancellation } from '../../domain/ports/cancellation.ts';
import type { ImageInspector, Inspection } from '../../domain/ports/image-inspector.ts';
import type { ReadableBytes } from '../../domain/ports/readable-bytes.ts';
import { inspectionBytes, uprightInspectionBytes } from './decode-memory.ts';
import type { DecodeQueue, ReserveMemory } from './decode-queue.ts';
import type { FileStructure } from './file-structure.ts';
import type { PixelMemory } from './pixel-memory.ts';
import { readStructure } from './read-structure.ts';
import { decodeUpright, uprightPixels } from './render.ts';
import { DECODE_TIMEOUT_SECONDS, isTimeout, sharp } from './sharp.ts';
import { SMALL_SIDE, shrunk } from './shrunk.ts';
import { thumbhashOf } from './thumbhash-of.ts';

const SHARP_FORMAT: Readonly<Record<MediaType, string>> = { 'image/jpeg': 'jpeg', 'image/png': 'png' };

/** The pixels that an inspection yields beside the facts. */
export interface WantedPixels {
  /** Of the renditions that the pixels are for, in pixels. */
  readonly width: number;
  readonly memory: PixelMemory;
}

/** What an inspection yields beside the facts; nothing by default. */
export interface BesidesFacts {
  readonly readEmbedded?: (blocks: EmbeddedBlocks) => EmbeddedMetadata;
  readonly wanted?: WantedPixels | undefined;
}

/** The blocks of metadata in a file, as libvips finds them. */
export interface EmbeddedBlocks {
  readonly exif?: Uint8Array | undefined;
  readonly iptc?: Uint8Array | undefined;
  readonly xmp?: Uint8Array | undefined;
}

/** Structure and header first, then one decode. */
export class SharpImageInspector implements ImageInspector {
  /**
   * @param maxPixels width × height
   */
  constructor(
    private readonly maxPixels: number,
    private readonly queue: DecodeQueue,
    private readonly besides: BesidesFacts = {},
  ) {}

  async inspect(file: ReadableBytes, mediaType: MediaType, signal: Cancellation): Promise<Inspection> {
    const decode = (reserve: ReserveMemory): Promise<Decoded> => this.decode(file, mediaType, reserve);
    const { size, embedded, pixels, isWanted } = await this.queue.run(decode, { signal });
    const small = shrunk(pixels, SMALL_SIDE);
    return {
      facts: { ...size, thumbhash: thumbhashOf(small), appearance: appearanceOf(small) },
      embedded: this.besides.readEmbedded?.(embedded) ?? NOTHING_EMBEDDED,
      pixels: isWanted ? this.besides.wanted?.memory.hold(pixels) : undefined,
    };
  }

  private async decode(file: ReadableBytes, mediaType: MediaType, reserve: ReserveMemory): Promise<Decoded> {
    const structure = await this.structureOf(file, mediaType);
    // libvips reads a path as it goes. Only a file without one is read into memory.
    const input = file.buffered ?? file.localPath;
    await reserve(this.decodeBytes(structure) + (input === undefined ? file.size : 0));
    try {
      return await this.decodeNow(input ?? (await buffer(file.read())), mediaType, structure);
    } catch (error) {
      throw error instanceof CatalogError ? error : this.refusal(error, mediaType);
    }
  }

  private async structureOf(file: ReadableBytes, mediaType: MediaType): Promise<FileStructure> {
    try {
      return await readStructure(file, mediaType, this.maxPixels);
    } catch (error) {
      throw error instanceof CatalogError ? error : new StorageUnavailable({ cause: error });
    }
  }

  /** The orientation is not known yet. */
  private decodeBytes(structure: FileStructure): number {
    const { width, height } = structure;
    const sizes = [{ width, height }, ...(structure.hasExif ? [{ width: height, height: width }] : [])];
    const bytes = sizes.map((size) => this.wantedBytes(structure, size) ?? 0);
    return Math.max(inspectionBytes(structure), ...bytes);
  }

  /** `undefined` if the wanted pixels would cost more than the decode that proves the file. */
  private wantedBytes(structure: FileStructure, size: Box): number | undefined {
    if (this.besides.wanted === undefined) return undefined;
    return uprightInspectionBytes(structure, wantedBox(size, this.besides.wanted));
  }

  private async decodeNow(
    input: string | Uint8Array,
    mediaType: MediaType,
    structure: FileStructure,
  ): Promise<Decoded> {
    const embedded = await this.pictureOf(input).metadata();
    const size = this.sizeOf(embedded, mediaType);
    if (this.besides.wanted === undefined || this.wantedBytes(structure, size) === undefined)
      return { size, embedded, pixels: await smallPixelsOf(this.pictureOf(input)), isWanted: false };
    const box = wantedBox(size, this.besides.wanted);
    const pixels = await decodeUpright({ input, maxPixels: this.maxPixels, box });
    return { size, embedded, pixels, isWanted: true };
  }

  private pictureOf(input: string | Uint8Array): Sharp {
    return sharp(input, { limitInputPixels: this.maxPixels, failOn: 'error', sequentialRead: true });
  }

  private sizeOf(metadata: Metadata, mediaType: MediaType): Box {
    if (metadata.format !== SHARP_FORMAT[mediaType]) throw new InvalidImage(mediaType);
    const { width, height } = metadata.autoOrient;
    return { width, height };
  }

  private refusal(error: unknown, mediaType: MediaType): Error {
    if (error instanceof Error && error.message.includes('file is missing')) {
      return new StorageUnavailable({ cause: error });
    }
    if (isTimeout(error)) return new Overloaded({ cause: error });
    return new InvalidImage(mediaType, undefined, { cause: error });
  }
}

interface Decoded {
  readonly size: Box;
  readonly embedded: EmbeddedBlocks;
  readonly pixels: Pixels;
  readonly isWanted: boolean;
}

function wantedBox(size: Box, { width }: WantedPixels): Box {
  return renditionBox(size, { width, fit: 'inside', format: 'webp', quality: 75 });
}

/** For the placeholder and the appearance. libjpeg shrinks a JPEG while it decodes it: several times cheaper. */
async function smallPixelsOf(picture: Sharp): Promise<Pixels> {
  const { data, info } = await picture
    .autoOrient()
    .resize(SMALL_SIDE, SMALL_SIDE, { fit: 'inside', withoutEnlargement: true, kernel: 'linear' })
    .toColourspace('srgb')
    .timeout({ seconds: DECODE_TIMEOUT_SECONDS })
    .raw({ depth: 'uchar' })
    .toBuffer({ resolveWithObject: true });
  return uprightPixels(data, info);
}
