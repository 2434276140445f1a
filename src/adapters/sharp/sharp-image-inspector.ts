import { buffer } from 'node:stream/consumers';
import type { Metadata } from 'sharp';
import { rgbaToThumbHash } from 'thumbhash';
import { CatalogError, InvalidImage, Overloaded, StorageUnavailable } from '../../domain/errors.ts';
import type { MediaType } from '../../domain/image/media-type.ts';
import type { Cancellation } from '../../domain/ports/cancellation.ts';
import type { ImageFacts, ImageInspector } from '../../domain/ports/image-inspector.ts';
import type { ReadableBytes } from '../../domain/ports/readable-bytes.ts';
import { inspectionBytes } from './decode-memory.ts';
import type { DecodeQueue, ReserveMemory } from './decode-queue.ts';
import type { FileStructure } from './file-structure.ts';
import { readStructure } from './read-structure.ts';
import { DECODE_TIMEOUT_SECONDS, isTimeout, sharp } from './sharp.ts';

/**
 * 24 pixels are enough for ThumbHash's 7 waves (https://evanw.github.io/thumbhash/): the placeholder differs by 1 of 255 on
 * average. 100 pixels block the event loop sixteen times as long.
 */
const THUMBHASH_SIDE = 24;

const SHARP_FORMAT: Readonly<Record<MediaType, string>> = { 'image/jpeg': 'jpeg', 'image/png': 'png' };

/** Structure and header first, then one decode. */
export class SharpImageInspector implements ImageInspector {
  /** @param maxPixels width × height */
  constructor(
    private readonly maxPixels: number,
    private readonly queue: DecodeQueue,
  ) {}

  async inspect(file: ReadableBytes, mediaType: MediaType, signal: Cancellation): Promise<ImageFacts> {
    return await this.queue.run((reserve) => this.decode(file, mediaType, reserve), { signal });
  }

  private async decode(
    file: ReadableBytes,
    mediaType: MediaType,
    reserve: ReserveMemory,
  ): Promise<ImageFacts> {
    const structure = await this.structureOf(file, mediaType);
    // libvips reads a path as it goes. Only a file without one is read into memory.
    const input = file.buffered ?? file.localPath;
    await reserve(inspectionBytes(structure) + (input === undefined ? file.size : 0));
    try {
      return await this.facts(input ?? (await buffer(file.read())), mediaType);
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

  private async facts(input: string | Uint8Array, mediaType: MediaType): Promise<ImageFacts> {
    const picture = sharp(input, { limitInputPixels: this.maxPixels, failOn: 'error', sequentialRead: true });
    const size = this.sizeOf(await picture.metadata(), mediaType);
    return { ...size, thumbhash: await thumbhashOf(picture) };
  }

  private sizeOf(metadata: Metadata, mediaType: MediaType): { width: number; height: number } {
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

/** libjpeg shrinks a JPEG while it decodes it: several times cheaper. */
async function thumbhashOf(picture: ReturnType<typeof sharp>): Promise<string> {
  const { data, info } = await picture
    .autoOrient()
    .resize(THUMBHASH_SIDE, THUMBHASH_SIDE, { fit: 'inside', withoutEnlargement: true, kernel: 'linear' })
    .toColourspace('srgb')
    .timeout({ seconds: DECODE_TIMEOUT_SECONDS })
    .raw({ depth: 'uchar' })
    .toBuffer({ resolveWithObject: true });
  const rgba = info.channels === 4 ? data : withAlpha(data);
  return Buffer.from(rgbaToThumbHash(info.width, info.height, rgba)).toString('base64');
}

/** libvips' `ensureAlpha` would be another operation on the whole picture. */
function withAlpha(rgb: Uint8Array): Uint8Array {
  const rgba = new Uint8Array((rgb.length / 3) * 4).fill(255);
  rgb.forEach((value, index) => {
    rgba[index + Math.floor(index / 3)] = value;
  });
  return rgba;
}
