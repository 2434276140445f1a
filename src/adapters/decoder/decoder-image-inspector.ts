import { buffer } from 'node:stream/consumers';
import { z } from 'zod';
import type { Frame } from '../../decoder/protocol.ts';
import { CatalogError, InvalidImage, StorageUnavailable } from '../../domain/errors.ts';
import type { Pixels } from '../../domain/image/appearance.ts';
import type { MediaType } from '../../domain/image/media-type.ts';
import { type EmbeddedMetadata, NOTHING_EMBEDDED } from '../../domain/image/metadata.ts';
import { type Box, renditionBox } from '../../domain/image/rendition.ts';
import type {
  ImageInspector,
  InspectedFile,
  Inspection,
  InspectionRequester,
} from '../../domain/ports/image-inspector.ts';
import { inspectionBounds, inspectionBytes, uprightInspectionBytes } from './decode-memory.ts';
import type { Decoder, DecoderPool } from './decoder-pool.ts';
import { InputUnreadable, type JobInput } from './decoder-process.ts';
import type { PixelMemory } from './pixel-memory.ts';
import type { FileStructure } from './structure/file-structure.ts';
import { readStructure } from './structure/read-structure.ts';

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

const side = z.int().min(1).max(65_535);
const bytes = z.int().min(0);
const band = z.int().min(0).max(0xffff);
const level = z.int().min(0).max(255);
const hash = z.tuple([band, band, band, band]);

/** A decoder may be in the hands of the file that it has read. */
const reply = z.discriminatedUnion('kind', [
  z.object({
    kind: z.literal('inspected'),
    width: side,
    height: side,
    thumbhash: z.base64().max(64),
    appearance: z.object({ dHash: hash, pHash: hash, meanColour: z.tuple([level, level, level]) }),
    blocks: z.object({ exif: bytes, iptc: bytes, xmp: bytes }),
    pixels: z.object({ width: side, height: side, channels: z.literal([3, 4]) }).optional(),
  }),
  z.object({ kind: z.literal('refused'), reason: z.string() }),
]);

type Inspected = z.output<typeof reply> & { readonly kind: 'inspected' };

/** Structure first, then one decode in a decoder process. */
export class DecoderImageInspector implements ImageInspector {
  /** @param maxPixels width × height */
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
      const frame = await this.decode(decoder, file, mediaType, structure);
      return this.inspectionOf(frame, mediaType);
    });
  }

  private async structureOf(file: InspectedFile, mediaType: MediaType): Promise<FileStructure> {
    try {
      return await readStructure(file, mediaType, this.maxPixels);
    } catch (error) {
      throw error instanceof CatalogError ? error : new StorageUnavailable({ cause: error });
    }
  }

  private async decode(
    decoder: Decoder,
    file: InspectedFile,
    mediaType: MediaType,
    structure: FileStructure,
  ): Promise<Frame> {
    const { width, height } = structure;
    await decoder.reserve(this.decodeBytes(structure) + file.size);
    const request = {
      kind: 'inspect',
      mediaType,
      stored: { width, height },
      wanted: this.wantedBox(structure, { width, height }),
      wantedOnItsSide: this.wantedBox(structure, { width: height, height: width }),
    } as const;
    const bounds = inspectionBounds(structure, file.size, request.wanted);
    try {
      return await decoder.decode(request, await inputOf(file), bounds);
    } catch (error) {
      throw error instanceof InputUnreadable ? new StorageUnavailable({ cause: error }) : error;
    }
  }

  /** The orientation is not known yet. */
  private decodeBytes(structure: FileStructure): number {
    const { width, height } = structure;
    const sizes = [{ width, height }, ...(structure.hasExif ? [{ width: height, height: width }] : [])];
    const upright = sizes.map((size) => {
      const box = this.wantedBox(structure, size);
      return (box && uprightInspectionBytes(structure, box)) ?? 0;
    });
    return Math.max(inspectionBytes(structure), ...upright);
  }

  /** `undefined` if its pixels would cost more than the decode that proves the file. */
  private wantedBox(structure: FileStructure, size: Box): Box | undefined {
    if (this.besides.wanted === undefined) return undefined;
    const { width } = this.besides.wanted;
    const box = renditionBox(size, { width, fit: 'inside', format: 'webp', quality: 75 });
    return uprightInspectionBytes(structure, box) === undefined ? undefined : box;
  }

  private inspectionOf({ message, body }: Frame, mediaType: MediaType): Inspection {
    const { success, data, error } = reply.safeParse(message);
    if (!success) throw new InvalidImage(mediaType, undefined, { cause: error });
    if (data.kind === 'refused')
      throw new InvalidImage(mediaType, undefined, { cause: new Error(data.reason) });
    const { width, height, thumbhash, appearance, blocks } = data;
    const [exif, iptc, xmp, rest] = split(body, [blocks.exif, blocks.iptc, blocks.xmp]);
    const pixels = pixelsOf(data, rest as Buffer);
    return {
      facts: { width, height, thumbhash, appearance },
      embedded: this.besides.readEmbedded?.({ exif, iptc, xmp }) ?? NOTHING_EMBEDDED,
      pixels: pixels && this.besides.wanted?.memory.hold(pixels),
    };
  }
}

/** Empty parts are `undefined`, but for the rest. */
function split(body: Buffer, lengths: readonly number[]): readonly (Buffer | undefined)[] {
  let at = 0;
  const parts = lengths.map((length) => (length === 0 ? undefined : body.subarray(at, (at += length))));
  return [...parts, body.subarray(at)];
}

function pixelsOf({ pixels }: Inspected, data: Buffer): Pixels | undefined {
  if (pixels === undefined || data.length !== pixels.width * pixels.height * pixels.channels)
    return undefined;
  return { ...pixels, data };
}

async function inputOf(file: InspectedFile): Promise<JobInput> {
  return file.buffered ?? file.localPath ?? (await buffer(file.read()));
}
