import type { Container } from 'inversify';
import { EmbeddedReader } from '../../adapters/embedded/embedded-reader.ts';
import { DecodeQueue } from '../../adapters/sharp/decode-queue.ts';
import { PixelMemory } from '../../adapters/sharp/pixel-memory.ts';
import { SharpImageInspector, type WantedPixels } from '../../adapters/sharp/sharp-image-inspector.ts';
import { SharpRenditionMaker } from '../../adapters/sharp/sharp-rendition-maker.ts';
import { WeightedSemaphore } from '../../adapters/sharp/weighted-semaphore.ts';
import { TOKENS } from '../tokens.ts';

/** Some seconds of work. */
const WAITING_PER_ENCODER = 16;

/** With the longest decode and encode, less than the 60 s after which proxies time out. */
const MAX_WAIT_FOR_DECODE_MS = 30_000;

/** Pixels of some seventy uploads at the default size. */
const MAX_PIXEL_BYTES = 16 * 1024 * 1024;

/** Of the smallest default rendition: a larger one would often cost the inspection more. */
function wantedPixels(
  prerendered: readonly { readonly width: number }[],
  memory: WeightedSemaphore,
): WantedPixels | undefined {
  if (prerendered.length === 0) return undefined;
  const width = Math.min(...prerendered.map((rendition) => rendition.width));
  return { width, memory: new PixelMemory(memory, MAX_PIXEL_BYTES) };
}

export function bindPictures(container: Container): void {
  const { storageConfig, decodeMemory, inspections, encodes } = TOKENS;
  container
    .bind(decodeMemory)
    .toResolvedValue(({ decodeMemoryBytes }) => new WeightedSemaphore(decodeMemoryBytes), [storageConfig]);
  container.bind(inspections).toResolvedValue(
    ({ renditions }, memory) =>
      // Admission bounds the uploads, so the queue of their inspections is unbounded.
      new DecodeQueue(memory, {
        concurrency: renditions.concurrency,
        maxWaiting: Number.POSITIVE_INFINITY,
        maxWaitMs: MAX_WAIT_FOR_DECODE_MS,
      }),
    [storageConfig, decodeMemory],
  );
  container
    .bind(TOKENS.inspector)
    .toResolvedValue(
      ({ upload }, queue) => new SharpImageInspector(upload.maxPixels, queue),
      [storageConfig, inspections],
    );
  container.bind(TOKENS.uploadInspector).toResolvedValue(
    ({ upload, renditions, capture }, queue, memory) => {
      const embedded = new EmbeddedReader(capture);
      const wanted = wantedPixels(renditions.prerendered, memory);
      return new SharpImageInspector(upload.maxPixels, queue, {
        readEmbedded: (blocks) => embedded.read(blocks),
        wanted,
      });
    },
    [storageConfig, inspections, decodeMemory],
  );
  container.bind(encodes).toResolvedValue(
    ({ renditions: { concurrency } }, memory) =>
      new DecodeQueue(memory, {
        concurrency,
        maxWaiting: concurrency * WAITING_PER_ENCODER,
        maxWaitMs: MAX_WAIT_FOR_DECODE_MS,
      }),
    [storageConfig, decodeMemory],
  );
  container
    .bind(TOKENS.renditionMaker)
    .toResolvedValue(
      ({ upload }, queue) => new SharpRenditionMaker(upload.maxPixels, queue),
      [storageConfig, encodes],
    );
}
