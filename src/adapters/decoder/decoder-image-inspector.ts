import { isDeepStrictEqual } from 'node:util';
import * as z from 'zod';
import type { Frame, PixelShape, WantedSize } from '../../decoder/protocol.ts';
import type { Box } from '../../domain/image/box.ts';
import { CAPTURE_ROWS, type CaptureRow, WRITTEN_FIELDS } from '../../domain/image/fields.ts';
import type { Pixels } from '../../domain/image/image-hashes.ts';
import {
  type Capture,
  EMBEDDED_TEXTS,
  type EmbeddedMetadata,
  type EmbeddedTexts,
  NOTHING_EMBEDDED,
} from '../../domain/image/image-metadata.ts';
import type { MediaType } from '../../domain/image/media-type.ts';
import type { PixelLimits } from '../../domain/image/pixel-limits.ts';
import { renditionBox } from '../../domain/image/rendition.ts';
import { cameraText } from '../../domain/image/time/camera-text.ts';
import { formatCaptureTime } from '../../domain/image/time/capture-time.ts';
import { parseCaptureTime } from '../../domain/image/time/parse-capture-time.ts';
import { fileText, type TextForm } from '../../domain/image/words/file-text.ts';
import { keywordTags } from '../../domain/image/words/tags.ts';
import type {
  ImageInspector,
  InspectedFile,
  Inspection,
  InspectionRequester,
} from '../../domain/ports/pictures/image-inspector.ts';
import { decodingBytes, inspectionBounds, leastDecodingBytes } from './decode-bounds.ts';
import type { DecoderPool } from './decoder-pool.ts';
import { pictureFault } from './file-refused.ts';
import { jobInput } from './job-input.ts';
import { openPicture } from './open-picture.ts';
import type { PixelMemory } from './pixel-memory.ts';

/** The pixels that an inspection yields beside the facts. */
export interface WantedPixels {
  /** The width of the renditions that the pixels are for, in pixels. */
  readonly width: number;
  readonly memory: PixelMemory;
}

/** What an inspection yields beside the facts; nothing by default. */
export interface BesidesFacts {
  readonly embedded?: EmbeddedRules;
  readonly wanted?: WantedPixels | undefined;
}

/** What the catalog stores of the metadata in a file. */
export interface EmbeddedRules {
  readonly storesGps: boolean;
  readonly keywordsAreTags: boolean;
  /** Titles, descriptions, alternative texts and credits. */
  readonly storesTexts: boolean;
}

const side = z.int().min(1).max(65_535);
const band = z.int().min(0).max(0xffff);
const level = z.int().min(0).max(255);
const hash = z.tuple([band, band, band, band]);

const words = z
  .string()
  .refine((text) => cameraText(text) === text)
  .nullable();

const positive = z.number().positive().nullable();
const capture = z.object(
  Object.fromEntries(CAPTURE_ROWS.map(([field, row]) => [field, captureSchema(row)])),
) as unknown as z.ZodType<Capture>;
const keywords = z.array(z.string()).refine((tags) => isDeepStrictEqual(keywordTags(tags), tags));

const texts = z.object(
  Object.fromEntries(EMBEDDED_TEXTS.map((field) => [field, writtenText(WRITTEN_FIELDS[field])])),
) as unknown as z.ZodType<EmbeddedTexts>;

function writtenText(form: TextForm): z.ZodType {
  return z
    .string()
    .refine((text) => fileText(text, form) === text)
    .nullable();
}

function captureSchema({ kind, maxDegrees, maxLength }: CaptureRow): z.ZodType {
  if (maxDegrees !== undefined) return z.number().min(-maxDegrees).max(maxDegrees).optional();
  if (kind === 'time') return z.string().refine(isCaptureTime).nullable();
  if (maxLength !== undefined) return writtenText({ maxLength });
  return kind === 'text' ? words : positive;
}

function isCaptureTime(text: string): boolean {
  const time = parseCaptureTime(text);
  return time !== undefined && formatCaptureTime(time) === text;
}

const inspected = z.object({
  kind: z.literal('inspected'),
  width: side,
  height: side,
  thumbhash: z.base64().min(8).max(64),
  hashes: z.object({ dHash: hash, pHash: hash, meanColour: z.tuple([level, level, level]) }),
  embedded: z.object({ capture, keywords, texts }),
  flaw: pictureFault.optional(),
  pixels: z.object({ width: side, height: side, channels: z.literal([3, 4]) }).optional(),
});

/** A decoder holds the whole file. */
const LARGE_FILE_BYTES = 1024 * 1024;

/** Structure first, then one decode in a decoder process. */
export class DecoderImageInspector implements ImageInspector {
  constructor(
    private readonly limits: PixelLimits,
    private readonly pool: DecoderPool,
    private readonly besides: BesidesFacts = {},
  ) {}

  async inspect(
    file: InspectedFile,
    mediaType: MediaType,
    { signal, subject, isStored = false }: InspectionRequester,
  ): Promise<Inspection> {
    const { sha256, size: fileBytes } = file;
    const leastBytes = leastDecodingBytes(fileBytes);
    const isLarge = fileBytes >= LARGE_FILE_BYTES;
    const job = { kind: 'inspection', subject, signal, mediaType, sha256, isLarge, leastBytes } as const;
    return await this.pool.run(job, async ({ ask, reserve }) => {
      const input = await jobInput(file);
      const { maxPixels, maxFramePixels } = this.limits;
      const limits = { mediaType, maxPixels, maxFramePixels };
      const opened = await openPicture(ask, input, limits, inspectionBounds(0, fileBytes));
      // A decoder holds one canvas, however many frames are drawn on it.
      const bounds = inspectionBounds(opened.width * opened.height, fileBytes, this.wanted?.maxBytes);
      // More than the bound is never used: the decoder is ended there.
      reserve(Math.min(decodingBytes(opened) + fileBytes, bounds.memoryBytes));
      const request = { kind: 'inspect', wanted: this.wanted, isStored } as const;
      return await ask({ request, bounds, parse: (reply) => this.inspectionOf(reply, opened) });
    });
  }

  private get wanted(): WantedSize | undefined {
    const { wanted } = this.besides;
    return wanted && { width: wanted.width, maxBytes: wanted.memory.maxBytes };
  }

  /** @throws if the reply is none to this request */
  private inspectionOf({ message, body }: Frame, opened: Box & { readonly frames: number }): Inspection {
    const { kind: _kind, embedded, pixels, flaw, ...found } = inspected.parse(message);
    if (opened.frames < 1) throw new RangeError('A picture has a frame');
    const [shorter, longer] = [Math.min(found.width, found.height), Math.max(found.width, found.height)];
    if (
      shorter !== Math.min(opened.width, opened.height) ||
      longer !== Math.max(opened.width, opened.height)
    ) {
      throw new RangeError('The size is not that of the file');
    }
    const { embedded: rules, wanted } = this.besides;
    return {
      facts: { ...found, frames: opened.frames },
      embedded: rules === undefined ? NOTHING_EMBEDDED : stored(embedded, rules),
      flaw,
      pixels: pixels && wanted?.memory.hold(pixelsOf(pixels, body, found, wanted.width)),
    };
  }
}

/** Takes the place of the credits if the catalog does not store the texts of files. */
const NO_CREDITS: Partial<Capture> = Object.fromEntries(
  CAPTURE_ROWS.flatMap(([field, { maxLength }]) => (maxLength === undefined ? [] : [[field, null]])),
);

function stored({ capture, keywords, texts }: EmbeddedMetadata, rules: EmbeddedRules): EmbeddedMetadata {
  const { latitude: _latitude, longitude: _longitude, ...withoutPosition } = capture;
  const placed = rules.storesGps ? capture : withoutPosition;
  return {
    capture: rules.storesTexts ? placed : { ...placed, ...NO_CREDITS },
    keywords: rules.keywordsAreTags ? keywords : [],
    texts: rules.storesTexts ? texts : undefined,
  };
}

/** @throws if they are not those of the width */
function pixelsOf(shape: PixelShape, data: Buffer, shown: Box, wantedWidth: number): Pixels {
  const box = renditionBox(shown, { width: wantedWidth, fit: 'inside', format: 'webp', quality: 75 });
  const { width, height, channels } = shape;
  if (width !== box.width || height !== box.height || data.length !== width * height * channels) {
    throw new RangeError('The pixels are not those of the box');
  }
  return { ...shape, data };
}
