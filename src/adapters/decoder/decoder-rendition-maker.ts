import { createHash } from 'node:crypto';
import { setImmediate } from 'node:timers/promises';
import { LRUCache } from 'lru-cache';
import * as z from 'zod';
import type { Frame } from '../../decoder/protocol.ts';
import { RenditionTooLarge, StorageUnavailable } from '../../domain/errors.ts';
import type { Box } from '../../domain/image/box.ts';
import { requireCleanParts } from '../../domain/image/clean-parts.ts';
import { coverCrop } from '../../domain/image/cover-crop.ts';
import type { Image } from '../../domain/image/image.ts';
import type { Pixels } from '../../domain/image/image-hashes.ts';
import type { MediaType } from '../../domain/image/media-type.ts';
import type { PixelLimits } from '../../domain/image/pixel-limits.ts';
import {
  CLEAN,
  type Derivative,
  derivativeName,
  MAX_RENDITION_BYTES,
  type Rendition,
  type RenditionFormat,
  renditionBox,
} from '../../domain/image/rendition.ts';
import type {
  RenditionMaker,
  RenditionRequester,
  RenditionSource,
} from '../../domain/ports/pictures/rendition-maker.ts';
import {
  decodingBytes,
  encodingBytes,
  inspectionBounds,
  leastDecodingBytes,
  renditionBounds,
} from './decode-bounds.ts';
import type { Decoding } from './decode-job.ts';
import type { DecoderPool } from './decoder-pool.ts';
import type { LibraryVersions } from './decoder-process.ts';
import { jobInput } from './job-input.ts';
import { type OpenedPicture, openPicture } from './open-picture.ts';

/** Raised by hand whenever a change alters the bytes of a rendition of any kind of picture. */
const RECIPE = 4;

/** Raised by hand whenever a change alters the bytes of renditions of these pictures alone. */
const PNG_RECIPE = 1;

const message = z.object({ kind: z.enum(['made', 'too_large']) });

/** Where each format has its mark, in bytes. */
const MARKS: Readonly<Record<RenditionFormat, readonly [at: number, mark: string]>> = {
  jpeg: [0, '\xff\xd8\xff'],
  png: [0, '\x89PNG'],
  webp: [8, 'WEBP'],
  avif: [4, 'ftypavif'],
};

/** The function throws if the reply is no rendition of the format. It returns `undefined` if the rendition would be too large. */
function parserOf(format: RenditionFormat): (reply: Frame) => Uint8Array | undefined {
  const [at, mark] = MARKS[format];
  return ({ message: found, body }) => {
    if (message.parse(found).kind === 'too_large') return undefined;
    if (body.toString('latin1', at, at + mark.length) !== mark) {
      throw new RangeError('The rendition is of another format');
    }
    return body;
  };
}

/** Of JSON, for as many ranges as a clean file may have. */
const MAX_PARTS_BYTES = 4 * 1024 * 1024;

/** @throws if they are not parts of a file of this size */
function cleanPartsIn({ message: found, body }: Frame, size: number): Uint8Array {
  message.parse(found);
  requireCleanParts(JSON.parse(body.toString()), size);
  return body;
}

const MAX_TOO_LARGE = 10_000;
const TOO_LARGE_MS = 10 * 60 * 1000;

/** In decoder processes. */
export class DecoderRenditionMaker implements RenditionMaker {
  readonly version: string;
  private readonly pngVersion: string;
  /** Renditions that were too large, by the SHA-256 of the file and the name of the rendition. No decoder is asked for them again. */
  private readonly tooLarge = new LRUCache<string, true>({ max: MAX_TOO_LARGE, ttl: TOO_LARGE_MS });

  constructor(
    private readonly limits: PixelLimits,
    private readonly pool: DecoderPool,
    versions: LibraryVersions,
  ) {
    this.version = hashOf([RECIPE, versions]);
    this.pngVersion = hashOf([RECIPE, PNG_RECIPE, versions]);
  }

  versionOf(mediaType: MediaType): string {
    return mediaType === 'image/png' ? this.pngVersion : this.version;
  }

  async make(
    source: RenditionSource,
    derivative: Derivative,
    { signal, subject, isAhead = false }: RenditionRequester,
    keep: (bytes: Uint8Array) => Promise<void>,
  ): Promise<void> {
    const { id, mediaType, sha256 } = source.image;
    const kind = isAhead ? 'ahead' : 'rendition';
    const name = derivativeName(derivative);
    const leastBytes = leastBytesOf(source, derivative);
    const job = {
      kind,
      subject,
      signal,
      mediaType,
      sha256,
      derivative: name,
      leastBytes,
      imageId: id,
    } as const;
    if (derivative !== CLEAN && this.tooLarge.has(sizeKey(source.image, derivative))) {
      throw tooLarge(source.image, derivative);
    }
    const makeBytes = (decoding: Decoding): Promise<Uint8Array> =>
      derivative === CLEAN
        ? this.makeCleanParts(source, decoding)
        : this.makeRendition(source, derivative, decoding);
    await this.pool.run(job, async (decoding) => await keep(await makeBytes(decoding)));
  }

  /** @throws {RenditionTooLarge} */
  private async makeRendition(
    source: RenditionSource,
    rendition: Rendition,
    decoding: Decoding,
  ): Promise<Uint8Array> {
    const bytes = await this.makeNow(source, rendition, decoding);
    if (bytes !== undefined) return bytes;
    this.tooLarge.set(sizeKey(source.image, rendition), true);
    throw tooLarge(source.image, rendition);
  }

  private async makeCleanParts(source: RenditionSource, decoding: Decoding): Promise<Uint8Array> {
    const parts = await this.clean(source, decoding);
    // A long list has just been parsed, and will be parsed again: other requests run in between.
    await setImmediate();
    return parts;
  }

  private async makeNow(
    source: RenditionSource,
    rendition: Rendition,
    decoding: Decoding,
  ): Promise<Uint8Array | undefined> {
    const pixels = source.pixels?.read();
    const box = renditionBox(source.image, rendition);
    if (pixels === undefined || !canEncode(pixels, rendition, box)) {
      return await this.makeFromOriginal(source, rendition, decoding);
    }
    decoding.reserve(encodingBytes(box, rendition.format));
    const { data, width, height, channels } = pixels;
    const request = { kind: 'encode', pixels: { width, height, channels }, rendition } as const;
    const parse = parserOf(rendition.format);
    return await decoding.ask({ request, input: data, bounds: renditionBounds(box), parse });
  }

  private async makeFromOriginal(
    source: RenditionSource,
    rendition: Rendition,
    decoding: Decoding,
  ): Promise<Uint8Array | undefined> {
    const { image } = source;
    const box = renditionBox(image, rendition);
    const bounds = renditionBounds(box);
    return await this.askOfOriginal(source, decoding, async (opened) => {
      const bytes = decodingBytes(opened) + image.size + encodingBytes(box, rendition.format);
      decoding.reserve(Math.min(bytes, bounds.memoryBytes));
      const crop = rendition.focus && coverCrop(image, box, rendition.focus);
      const request = { kind: 'render', box, rendition, crop } as const;
      return await decoding.ask({ request, bounds, parse: parserOf(rendition.format) });
    });
  }

  /** Within the bounds of an inspection. */
  private async clean(source: RenditionSource, decoding: Decoding): Promise<Uint8Array> {
    const { size } = source.image;
    const bounds = inspectionBounds(0, size, MAX_PARTS_BYTES);
    return await this.askOfOriginal(source, decoding, async () => {
      decoding.reserve(size);
      const parse = (reply: Frame): Uint8Array => cleanPartsIn(reply, size);
      return await decoding.ask({ request: { kind: 'clean' }, bounds, parse });
    });
  }

  /** @param question called when the file is open in a decoder */
  private async askOfOriginal<T>(
    { image, open }: RenditionSource,
    decoding: Decoding,
    question: (opened: OpenedPicture) => Promise<T>,
  ): Promise<T> {
    const original = await open();
    try {
      const input = await jobInput(original);
      const pixels = image.width * image.height;
      const maxPixels = Math.min(this.limits.maxPixels, pixels);
      const maxFramePixels = Math.min(this.limits.maxFramePixels, pixels * image.frames);
      const shown = { width: image.width, height: image.height };
      const limits = { mediaType: image.mediaType, maxPixels, maxFramePixels, shown };
      // As when it was uploaded: nothing is reserved yet.
      const opened = await openPicture(decoding.ask, input, limits, inspectionBounds(0, image.size));
      return await question(opened);
    } catch (error) {
      // The original may have been deleted since it was opened: then opening it again says so.
      if (error instanceof StorageUnavailable) await (await open()).close();
      throw error;
    } finally {
      await original.close();
    }
  }
}

function hashOf(recipe: readonly unknown[]): string {
  return createHash('sha256').update(JSON.stringify(recipe)).digest('hex').slice(0, 8);
}

/** Memory that is needed whatever the structure of the file is, in bytes. */
function leastBytesOf({ image, pixels }: RenditionSource, derivative: Derivative): number {
  if (derivative === CLEAN) return image.size;
  const box = renditionBox(image, derivative);
  const encoding = encodingBytes(box, derivative.format);
  const decoding = pixels === undefined ? leastDecodingBytes(image.size) : 0;
  return Math.min(encoding + decoding, renditionBounds(box).memoryBytes);
}

function sizeKey({ sha256 }: Image, rendition: Rendition): string {
  return `${sha256} ${derivativeName(rendition)}`;
}

function tooLarge({ mediaType }: Image, { format }: Rendition): RenditionTooLarge {
  return new RenditionTooLarge(mediaType, format, MAX_RENDITION_BYTES);
}

/**
 * Whether these pixels become the same bytes as the original. Not as PNG, which takes the resolution over from the original, and
 * not as JPEG with transparency: sharp flattens before it resizes.
 */
function canEncode({ width, height, channels }: Pixels, rendition: Rendition, box: Box): boolean {
  if (rendition.fit !== 'inside' || width !== box.width || height !== box.height) return false;
  if (rendition.format === 'jpeg') return channels === 3;
  return rendition.format !== 'png';
}
