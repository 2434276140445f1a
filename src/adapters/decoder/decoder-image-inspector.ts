import { z } from 'zod';
import type { Frame, Inspect } from '../../decoder/protocol.ts';
import { DomainError, InvalidImage, StorageUnavailable } from '../../domain/errors.ts';
import type { Pixels } from '../../domain/image/image-hashes.ts';
import type { MediaType } from '../../domain/image/media-type.ts';
import { type EmbeddedMetadata, NOTHING_EMBEDDED } from '../../domain/image/metadata.ts';
import { type Box, renditionBox } from '../../domain/image/rendition.ts';
import type {
  ImageFacts,
  ImageInspector,
  InspectedFile,
  Inspection,
  InspectionRequester,
} from '../../domain/ports/pictures/image-inspector.ts';
import { inputOf } from './decode-job.ts';
import {
  inspectionBounds,
  inspectionBytes,
  RAW_PIXEL_BYTES,
  uprightInspectionBytes,
} from './decode-memory.ts';
import type { Decoder, DecoderPool } from './decoder-pool.ts';
import { InputUnreadable } from './decoder-process.ts';
import type { PixelMemory } from './pixel-memory.ts';
import type { FileStructure } from './structure/file-structure.ts';
import { readStructure } from './structure/read-structure.ts';

/** The pixels that an inspection yields beside the facts. */
export interface WantedPixels {
  /** The width of the renditions that the pixels are for, in pixels. */
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

const side = z.int().min(1).max(65_535);
const bytes = z.int().min(0);
const band = z.int().min(0).max(0xffff);
const level = z.int().min(0).max(255);
const hash = z.tuple([band, band, band, band]);

const message = z.discriminatedUnion('kind', [
  z.object({
    kind: z.literal('inspected'),
    width: side,
    height: side,
    thumbhash: z.base64().min(8).max(64),
    hashes: z.object({ dHash: hash, pHash: hash, meanColour: z.tuple([level, level, level]) }),
    blocks: z.object({ exif: bytes, iptc: bytes, xmp: bytes }),
    pixels: z.object({ width: side, height: side, channels: z.literal([3, 4]) }).optional(),
  }),
  z.object({ kind: z.literal('refused'), reason: z.string() }),
]);

type Inspected = z.output<typeof message> & { readonly kind: 'inspected' };

/** Structure first, then one decode in a decoder process. */
export class DecoderImageInspector implements ImageInspector {
  /** @param maxPixels width × height × frames */
  constructor(
    private readonly maxPixels: number,
    private readonly pool: DecoderPool,
    private readonly besides: BesidesFacts = {},
  ) {}

  async inspect(
    file: InspectedFile,
    mediaType: MediaType,
    { signal, subject }: InspectionRequester,
  ): Promise<Inspection> {
    const job = { kind: 'inspection', subject, signal, mediaType, sha256: file.sha256 } as const;
    return await this.pool.run(job, async (decoder) => {
      const structure = await this.structureOf(file, mediaType);
      const reply = await this.decode(decoder, file, mediaType, structure);
      if ('reason' in reply) throw new InvalidImage(mediaType, undefined, { cause: new Error(reply.reason) });
      return this.inspectionOf(reply);
    });
  }

  private async structureOf(file: InspectedFile, mediaType: MediaType): Promise<FileStructure> {
    try {
      return await readStructure(file, mediaType, this.maxPixels);
    } catch (error) {
      throw error instanceof DomainError ? error : new StorageUnavailable({ cause: error });
    }
  }

  private async decode(
    decoder: Decoder,
    file: InspectedFile,
    mediaType: MediaType,
    structure: FileStructure,
  ): Promise<Reply> {
    const { width, height, frames, lzwFrames, placed } = structure;
    const request = {
      kind: 'inspect',
      mediaType,
      stored: { width, height },
      frames,
      lzwFrames,
      placed,
      wanted: this.wantedBox(structure, { width, height }),
      wantedOnItsSide: this.wantedBox(structure, { width: height, height: width }),
    } as const;
    const bounds = inspectionBounds(structure, file.size, request.wanted);
    // More than the bound is never used: the decoder is ended there.
    await decoder.reserve(Math.min(decodeBytes(structure, request) + file.size, bounds.memoryBytes));
    const parse = (frame: Frame): Reply => parseReply(frame, request);
    try {
      return await decoder.decode({ request, input: await inputOf(file), bounds, parse });
    } catch (error) {
      throw error instanceof InputUnreadable ? new StorageUnavailable({ cause: error }) : error;
    }
  }

  /** `undefined` if its pixels would not be held, or cost more than the decode that proves the file. */
  private wantedBox(structure: FileStructure, size: Box): Box | undefined {
    if (this.besides.wanted === undefined) return undefined;
    const { width, memory } = this.besides.wanted;
    const box = renditionBox(size, { width, fit: 'inside', format: 'webp', quality: 75 });
    if (!memory.mayHold(box.width * box.height * RAW_PIXEL_BYTES)) return undefined;
    return uprightInspectionBytes(structure, box) === undefined ? undefined : box;
  }

  private inspectionOf({ facts, blocks, pixels }: InspectedFrame): Inspection {
    return {
      facts,
      embedded: this.besides.readEmbedded?.(blocks) ?? NOTHING_EMBEDDED,
      pixels: pixels && this.besides.wanted?.memory.hold(pixels),
    };
  }
}

/** The orientation is not known yet. */
function decodeBytes(structure: FileStructure, { wanted, wantedOnItsSide }: Inspect): number {
  const boxes = structure.hasExif ? [wanted, wantedOnItsSide] : [wanted];
  const upright = boxes.map((box) => (box && uprightInspectionBytes(structure, box)) ?? 0);
  return Math.max(inspectionBytes(structure), ...upright);
}

interface InspectedFrame {
  readonly facts: ImageFacts;
  readonly blocks: EmbeddedBlocks;
  readonly pixels: Pixels | undefined;
}

type Reply = InspectedFrame | { readonly reason: string };

/** @throws if the reply is none to this request */
function parseReply(frame: Frame, request: Inspect): Reply {
  const found = message.parse(frame.message);
  if (found.kind === 'refused') return found;
  const { width, height, thumbhash, hashes, blocks } = found;
  const { stored } = request;
  const isUpright = width === stored.width && height === stored.height;
  if (!isUpright && !(width === stored.height && height === stored.width)) {
    throw new RangeError('The size is not that of the file');
  }
  const wanted = isUpright ? request.wanted : request.wantedOnItsSide;
  const [exif, iptc, xmp, rest] = split(frame.body, [blocks.exif, blocks.iptc, blocks.xmp]);
  return {
    facts: { width, height, frames: request.frames, thumbhash, hashes },
    blocks: { exif, iptc, xmp },
    pixels: pixelsOf(found, wanted, rest ?? Buffer.of()),
  };
}

/** Empty parts are `undefined`, but for the rest. */
function split(body: Buffer, lengths: readonly number[]): readonly (Buffer | undefined)[] {
  let at = 0;
  const parts = lengths.map((length) => (length === 0 ? undefined : body.subarray(at, (at += length))));
  return [...parts, body.subarray(at)];
}

/** @throws if they are not those of the box */
function pixelsOf({ pixels }: Inspected, wanted: Box | undefined, data: Buffer): Pixels | undefined {
  if (pixels === undefined) return undefined;
  const { width, height, channels } = pixels;
  const isWanted = width === wanted?.width && height === wanted.height;
  if (!isWanted || data.length !== width * height * channels) {
    throw new RangeError('The pixels are not those of the box');
  }
  return { ...pixels, data };
}
