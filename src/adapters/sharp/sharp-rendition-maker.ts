import { createHash } from 'node:crypto';
import { pipeline } from 'node:stream/promises';
import type { Sharp } from 'sharp';
import { CatalogError, InvalidImage } from '../../domain/errors.ts';
import { type Rendition, renditionBox } from '../../domain/image/rendition.ts';
import type { OpenedBlob } from '../../domain/ports/blob-store.ts';
import type { RenditionMaker, RenditionSource } from '../../domain/ports/rendition-maker.ts';
import type { PictureLane } from './picture-lane.ts';
import { DECODE_TIMEOUT_SECONDS, sharp } from './sharp.ts';

/** Raised by hand whenever a change here makes other bytes of the same rendition. */
const RECIPE = 1;

/** Each step up doubles the time for a few per cent of the size; 3 is where AVIF still comes while somebody waits. */
const AVIF_EFFORT = 3;

/**
 * AVIF's scale runs ahead of the others': the same number would look better, and weigh more, than a JPEG or WebP of it.
 * With this offset, which Next.js uses as well, one `quality` means about one look, and AVIF is the smallest again.
 */
const AVIF_QUALITY_OFFSET = 20;

const WHITE = '#ffffff';
const TRANSPARENT = { r: 255, g: 255, b: 255, alpha: 0 };

/** Makes renditions with sharp, one libvips thread each. */
export class SharpRenditionMaker implements RenditionMaker<AbortSignal> {
  readonly version: string = createHash('sha256')
    .update(JSON.stringify([RECIPE, sharp.versions]))
    .digest('hex')
    .slice(0, 8);

  constructor(private readonly lane: PictureLane) {}

  async make(source: RenditionSource, rendition: Rendition, signal: AbortSignal): Promise<Uint8Array> {
    return await this.lane.run(() => render(source, rendition), signal);
  }
}

async function render({ image, open }: RenditionSource, rendition: Rendition): Promise<Uint8Array> {
  const original = await open();
  try {
    const picture = await decoderOf(original, image.width * image.height);
    resize(picture, image, rendition);
    return await encode(picture, rendition).timeout({ seconds: DECODE_TIMEOUT_SECONDS }).toBuffer();
  } catch (error) {
    if (error instanceof CatalogError) throw error;
    // The original may have been deleted since it was opened: then opening it again says so.
    await (await open()).close();
    throw new InvalidImage(image.mediaType, 'cannot be rendered', { cause: error });
  } finally {
    await original.close();
  }
}

/** A path lets libvips read as it goes, and a JPEG be shrunk while it is read. */
async function decoderOf(original: OpenedBlob, maxPixels: number): Promise<Sharp> {
  const options = { limitInputPixels: maxPixels, failOn: 'error', sequentialRead: true } as const;
  if (original.localPath !== undefined) return sharp(original.localPath, options);
  if (original.bytes instanceof Uint8Array) return sharp(original.bytes, options);
  const picture = sharp(options);
  await pipeline(original.bytes, picture);
  return picture;
}

function resize(picture: Sharp, image: RenditionSource['image'], rendition: Rendition): void {
  const background = rendition.format === 'jpeg' ? WHITE : TRANSPARENT;
  const fit = rendition.fit === 'inside' ? 'fill' : rendition.fit;
  picture.autoOrient().resize({ ...renditionBox(image, rendition), fit, background });
  if (rendition.format === 'jpeg') picture.flatten({ background: WHITE });
  picture.toColourspace('srgb');
}

function encode(picture: Sharp, { format, quality }: Rendition): Sharp {
  switch (format) {
    case 'jpeg':
      return picture.jpeg({ quality });
    case 'png':
      return picture.png();
    case 'webp':
      return picture.webp({ quality });
    case 'avif':
      return picture.avif({ quality: Math.max(quality - AVIF_QUALITY_OFFSET, 1), effort: AVIF_EFFORT });
  }
}
