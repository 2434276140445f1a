import { buffer } from 'node:stream/consumers';
import type { Metadata } from 'sharp';
import { rgbaToThumbHash } from 'thumbhash';
import { InvalidImage, StorageUnavailable } from '../../domain/errors.ts';
import type { MediaType } from '../../domain/image/media-type.ts';
import type { ImageFacts, ImageInspector } from '../../domain/ports/image-inspector.ts';
import type { ReadableFile } from '../../domain/ports/staging-area.ts';
import type { PictureLane } from './picture-lane.ts';
import { DECODE_TIMEOUT_SECONDS, sharp } from './sharp.ts';

/**
 * ThumbHash takes up to 100 pixels and keeps at most 7 waves a side (https://evanw.github.io/thumbhash/): 24 pixels show
 * those (the placeholder differs from that of 100 by 1 of 255 on average), and the hash of 100 would block the event loop
 * for sixteen times as long.
 */
const THUMBHASH_SIDE = 24;

const SHARP_FORMAT: Readonly<Record<MediaType, string>> = { 'image/jpeg': 'jpeg', 'image/png': 'png' };

/** Inspects with sharp: the header for the size, then one decode from the first to the last byte. */
export class SharpImageInspector implements ImageInspector {
  /**
   * @param maxPixels width × height that are still decoded
   * @param lane bounds how many pictures are decoded at a time
   */
  constructor(
    private readonly maxPixels: number,
    private readonly lane: PictureLane,
  ) {}

  async inspect(file: ReadableFile, mediaType: MediaType): Promise<ImageFacts> {
    return await this.lane.run(() => this.decode(file, mediaType));
  }

  private async decode(file: ReadableFile, mediaType: MediaType): Promise<ImageFacts> {
    // A path lets libvips read as it goes; only a staged file that has none is brought into memory for it.
    const input = file.bytes ?? file.localPath ?? (await buffer(file.read()));
    try {
      const picture = sharp(input, {
        limitInputPixels: this.maxPixels,
        failOn: 'error',
        sequentialRead: true,
      });
      const size = this.sizeOf(await picture.metadata(), mediaType);
      const thumbhash = await thumbhashOf(picture);
      return { ...size, thumbhash };
    } catch (error) {
      throw error instanceof InvalidImage ? error : this.refusal(error, mediaType);
    }
  }

  private sizeOf(metadata: Metadata, mediaType: MediaType): { width: number; height: number } {
    if (metadata.format !== SHARP_FORMAT[mediaType]) throw new InvalidImage(mediaType);
    const { width, height } = metadata.autoOrient;
    if (width * height > this.maxPixels) throw this.tooManyPixels(mediaType);
    return { width, height };
  }

  private refusal(error: unknown, mediaType: MediaType): Error {
    if (error instanceof Error && error.message.includes('file is missing')) {
      return new StorageUnavailable({ cause: error });
    }
    if (error instanceof Error && error.message.includes('exceeds pixel limit'))
      return this.tooManyPixels(mediaType);
    return new InvalidImage(mediaType, undefined, { cause: error });
  }

  private tooManyPixels(mediaType: MediaType): InvalidImage {
    return new InvalidImage(mediaType, `has more than ${this.maxPixels} pixels`);
  }
}

/** Decodes the whole picture (a JPEG already shrunk, which is several times cheaper) and hashes what is left of it. */
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

/** Opaque RGBA of RGB: for so few pixels cheaper than libvips' `ensureAlpha`, which is one more operation on all of the picture. */
function withAlpha(rgb: Uint8Array): Uint8Array {
  const rgba = new Uint8Array((rgb.length / 3) * 4).fill(255);
  rgb.forEach((value, index) => {
    rgba[index + Math.floor(index / 3)] = value;
  });
  return rgba;
}
