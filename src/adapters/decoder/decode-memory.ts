import { ENCODER_PIXEL_BYTES, type Opened, RAW_PIXEL_BYTES } from '../../decoder/protocol.ts';
import type { Box, RenditionFormat } from '../../domain/image/rendition.ts';
import type { Cancellation } from '../../domain/ports/process/cancellation.ts';
import type { JobBounds } from './decoder-process.ts';

const MIB = 1024 * 1024;

/** The bound of every inspection: 10 bytes for each pixel, 64 MB, and the file. */
const INSPECTION_BASE_BYTES = 64 * MIB;
const INSPECTION_PIXEL_BYTES = 10;
const INSPECTION_CPU_SECONDS = 5;

const RENDITION_CPU_SECONDS = 10;
const RENDITION_BYTES = 800 * MIB;

/** More than any encoder writes beside the pixels, and for a pixel. */
const OUTPUT_BASE_BYTES = 16 * MIB;
const OUTPUT_PIXEL_BYTES = 8;

export type DecodeBounds = Omit<JobBounds, 'hasRoom'>;

/** @param pixels width × height × frames; 0 before the structure is known */
export function inspectionBounds(pixels: number, fileBytes: number, replyBytes = 0): DecodeBounds {
  return {
    cpuSeconds: INSPECTION_CPU_SECONDS,
    memoryBytes: boundOfInspection(pixels) + fileBytes,
    replyBytes,
  };
}

export function renditionBounds({ width, height }: Box): DecodeBounds {
  return {
    cpuSeconds: RENDITION_CPU_SECONDS,
    memoryBytes: RENDITION_BYTES,
    replyBytes: OUTPUT_BASE_BYTES + width * height * OUTPUT_PIXEL_BYTES,
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

/** What libvips uses for any image, and buffers of those that it does not hold. */
const BASE_BYTES = 24 * MIB;
const BUFFERED_LINES = 1024;
const BUFFERED_PIXEL_BYTES = 8;

/** Reserved for a decode; what is used beyond it counts when it is seen. */
export function decodingBytes({ width, height, heldBytes }: Omit<Opened, 'kind'>): number {
  return BASE_BYTES + heldBytes + width * Math.min(height, BUFFERED_LINES) * BUFFERED_PIXEL_BYTES;
}

/** Reserved for the encoder. */
export function encodingBytes({ width, height }: Box, format: RenditionFormat): number {
  return width * height * (RAW_PIXEL_BYTES + ENCODER_PIXEL_BYTES[format]);
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
