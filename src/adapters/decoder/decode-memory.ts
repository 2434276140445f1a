import type { Box, RenditionFormat } from '../../domain/image/rendition.ts';
import type { Cancellation } from '../../domain/ports/process/cancellation.ts';
import type { JobBounds } from './decoder-process.ts';
import type { FileStructure } from './structure/file-structure.ts';

const MIB = 1024 * 1024;

/** What libvips uses for any image. */
const BASE_BYTES = 24 * MIB;

/** Buffered while libvips shrinks an image, measured; fewer if the decoder holds all of it. */
const BUFFERED_LINES = 1024;
const MIN_BUFFERED_LINES = 320;

/** A decoder that scales holds its output: the frame, and the canvas on which libvips puts it. */
const SCALED_PIXEL_BYTES = 8;

/** libvips resizes pixels with alpha as four floats. */
const RESIZED_LINES = 256;
const RESIZED_PIXEL_BYTES = 16;

/** RGBA, ready to be encoded. */
export const RAW_PIXEL_BYTES = 4;

/** With the output, measured on noise at quality 100. */
const ENCODER_PIXEL_BYTES: Readonly<Record<RenditionFormat, number>> = {
  jpeg: 8,
  png: 8,
  webp: 36,
  avif: 56,
};

/** Takes the most memory, so that it is the first to be made in two stages. */
const COSTLIEST_FORMAT: RenditionFormat = 'avif';

export function inspectionBytes(structure: FileStructure): number {
  if (structure.scalesOnLoad) return BASE_BYTES + structure.heldBytes;
  return BASE_BYTES + structure.heldBytes + bufferedBytes(structure, structure.maxShrink);
}

/** The bound of every inspection: 10 bytes for each pixel, 64 MB, and the file. */
const INSPECTION_BASE_BYTES = 64 * MIB;
const INSPECTION_PIXEL_BYTES = 10;
const INSPECTION_CPU_SECONDS = 5;

const RENDITION_CPU_SECONDS = 10;
const RENDITION_BYTES = 800 * MIB;

/** The metadata that may be in a file, and the facts. */
const REPLY_BYTES = 16 * MIB;

/** More than any encoder writes for a pixel. */
const OUTPUT_PIXEL_BYTES = 8;

export type DecodeBounds = Omit<JobBounds, 'hasRoom'>;

/** @param wanted the pixels that the inspection returns */
export function inspectionBounds(
  { width, height, frames }: Pick<FileStructure, 'width' | 'height' | 'frames'>,
  fileBytes: number,
  wanted: Box | undefined,
): DecodeBounds {
  return {
    cpuSeconds: INSPECTION_CPU_SECONDS,
    memoryBytes: boundOfInspection(width * height * frames) + fileBytes,
    replyBytes: REPLY_BYTES + (wanted === undefined ? 0 : wanted.width * wanted.height * RAW_PIXEL_BYTES),
  };
}

export function renditionBounds({ width, height }: Box): DecodeBounds {
  return {
    cpuSeconds: RENDITION_CPU_SECONDS,
    memoryBytes: RENDITION_BYTES,
    replyBytes: REPLY_BYTES + width * height * OUTPUT_PIXEL_BYTES,
  };
}

/** The highest bound of a job. */
export function maxJobBytes(maxPixels: number, maxFileBytes: number): number {
  return Math.max(RENDITION_BYTES, boundOfInspection(maxPixels) + maxFileBytes);
}

/** Without the file. */
export function boundOfInspection(pixels: number): number {
  return INSPECTION_BASE_BYTES + INSPECTION_PIXEL_BYTES * pixels;
}

/**
 * Memory of an inspection that yields the upright pixels of a box. `undefined` if it costs the decoder more than the smallest
 * box, or if a rendition of that box would be made of other pixels.
 */
export function uprightInspectionBytes(structure: FileStructure, box: Box): number | undefined {
  const { maxShrink, heldBytes, hasExif, bytesPerPixel } = structure;
  const shrink = shrinkOnLoad(structure, box);
  if (shrink < maxShrink || planRendition(structure, box, COSTLIEST_FORMAT).inTwoStages) return undefined;
  const decoder = heldBytes + bufferedBytes(structure, shrink) + resizedBytes(structure, shrink);
  const pixels = box.width * box.height;
  const bytes = BASE_BYTES + decoder + pixels * (RAW_PIXEL_BYTES + (hasExif ? bytesPerPixel : 0));
  return bytes <= boundOfInspection(structure.width * structure.height) ? bytes : undefined;
}

/** Memory of encoding pixels that are decoded already. */
export function encodingBytes({ width, height }: Box, format: RenditionFormat): number {
  return BASE_BYTES + width * height * (RAW_PIXEL_BYTES + ENCODER_PIXEL_BYTES[format]);
}

interface RenditionPlan {
  /** The decoder is done before the encoder begins, so their memory does not add up. */
  readonly inTwoStages: boolean;
  readonly bytes: number;
}

/** Two stages cost a copy of the output: used only above this. */
const ONE_STAGE_BYTES = 256 * MIB;

export function planRendition(structure: FileStructure, box: Box, format: RenditionFormat): RenditionPlan {
  const pixels = box.width * box.height;
  const raw = pixels * RAW_PIXEL_BYTES;
  const encoder = pixels * ENCODER_PIXEL_BYTES[format];
  const shrink = shrinkOnLoad(structure, box);
  const decoder = structure.heldBytes + bufferedBytes(structure, shrink) + resizedBytes(structure, shrink);
  const turned = structure.hasExif ? pixels : 0;
  const oneStage = decoder + turned * structure.bytesPerPixel + encoder;
  const twoStages = raw + Math.max(decoder, turned * RAW_PIXEL_BYTES + encoder);
  const inTwoStages = oneStage > ONE_STAGE_BYTES && twoStages < oneStage;
  return { inTwoStages, bytes: BASE_BYTES + (inTwoStages ? twoStages : oneStage) };
}

function bufferedBytes(
  { width, height, bytesPerPixel, heldBytes, scalesOnLoad }: FileStructure,
  shrink: number,
): number {
  if (scalesOnLoad) return Math.ceil((width / shrink) * (height / shrink) * SCALED_PIXEL_BYTES);
  const most = heldBytes > 0 ? MIN_BUFFERED_LINES : BUFFERED_LINES;
  const lines = Math.max(MIN_BUFFERED_LINES, Math.min(height / shrink, most));
  return Math.ceil((width / shrink) * bytesPerPixel * lines);
}

function resizedBytes({ width, height }: FileStructure, shrink: number): number {
  return Math.ceil((width / shrink) * RESIZED_PIXEL_BYTES * Math.min(height / shrink, RESIZED_LINES));
}

/** sharp leaves a part to the resize. */
function shrinkOnLoad({ width, height, maxShrink, scalesOnLoad }: FileStructure, box: Box): number {
  const [longer, shorter] = [Math.max(width, height), Math.min(width, height)];
  const scale = Math.min(longer / Math.max(box.width, box.height), shorter / Math.min(box.width, box.height));
  if (scalesOnLoad) return Math.max(1, scale);
  const factor = Math.floor(scale);
  return [8, 4, 2].find((shrink) => shrink <= maxShrink && shrink < factor) ?? 1;
}

interface Waiter {
  readonly weight: number;
  readonly admit: () => void;
}

/** Admits holders, in order of arrival, while their weights fit the capacity. */
export class WeightedSemaphore {
  private readonly waiters: Waiter[] = [];
  /** The oldest first. */
  private readonly loans = new Set<() => void>();
  private taken = 0;

  constructor(readonly capacity: number) {}

  get held(): number {
    return this.taken;
  }

  get waiting(): number {
    return this.waiters.length;
  }

  isFree(weight: number): boolean {
    return this.waiters.length === 0 && this.taken + weight <= this.capacity;
  }

  /**
   * @param weight at most the capacity
   * @returns function to release it
   * @throws the reason of `signal`
   */
  async acquire(weight: number, signal: Cancellation): Promise<() => void> {
    for (const reclaim of this.loans) if (!this.isFree(weight)) reclaim();
    if (this.isFree(weight)) this.taken += weight;
    else await this.wait(weight, signal);
    return () => this.release(weight);
  }

  /**
   * Lends weight that is free, until a holder needs it: nothing ever waits for a loan.
   *
   * @param reclaim called if a holder needs the weight; ends the loan
   * @returns function to end it; `undefined` if the weight is not free
   */
  lend(weight: number, reclaim: () => void): (() => void) | undefined {
    if (!this.isFree(weight)) return undefined;
    this.taken += weight;
    this.loans.add(reclaim);
    return () => {
      if (this.loans.delete(reclaim)) this.release(weight);
    };
  }

  /**
   * Adds to what a holder has, in front of those that wait.
   *
   * @returns function to release it; `undefined` if the weight is not free
   */
  grow(weight: number): (() => void) | undefined {
    for (const reclaim of this.loans) if (this.taken + weight > this.capacity) reclaim();
    if (this.taken + weight > this.capacity) return undefined;
    this.taken += weight;
    return () => this.release(weight);
  }

  private release(weight: number): void {
    this.taken -= weight;
    this.admitNext();
  }

  private async wait(weight: number, signal: Cancellation): Promise<void> {
    signal.throwIfAborted();
    await new Promise<void>((resolve, reject) => {
      const cancel = (): void => {
        this.waiters.splice(this.waiters.indexOf(waiter), 1);
        reject(signal.reason);
        this.admitNext();
      };
      const admit = (): void => {
        signal.removeEventListener('abort', cancel);
        this.taken += weight;
        resolve();
      };
      const waiter = { weight, admit };
      this.waiters.push(waiter);
      signal.addEventListener('abort', cancel, { once: true });
    });
  }

  /** Else light waiters could overtake a heavy one for ever. */
  private admitNext(): void {
    for (;;) {
      const [next] = this.waiters;
      if (next === undefined || this.taken + next.weight > this.capacity) return;
      this.waiters.shift();
      next.admit();
    }
  }
}
