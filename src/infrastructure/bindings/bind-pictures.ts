import type { Container } from 'inversify';
import { DecodeQueue } from '../../adapters/sharp/decode-queue.ts';
import { SharpImageInspector } from '../../adapters/sharp/sharp-image-inspector.ts';
import { SharpRenditionMaker } from '../../adapters/sharp/sharp-rendition-maker.ts';
import { WeightedSemaphore } from '../../adapters/sharp/weighted-semaphore.ts';
import { TOKENS } from '../tokens.ts';

/** Some seconds of work. */
const WAITING_PER_ENCODER = 16;

/** With the longest decode and encode, less than the 60 s after which proxies time out. */
const MAX_WAIT_FOR_DECODE_MS = 30_000;

export function bindPictures(container: Container): void {
  const { storageConfig, decodeMemory, inspectionQueue, renditionQueue } = TOKENS;
  container
    .bind(decodeMemory)
    .toResolvedValue(({ decodeMemoryBytes }) => new WeightedSemaphore(decodeMemoryBytes), [storageConfig]);
  container.bind(inspectionQueue).toResolvedValue(
    ({ renditions }, memory) =>
      // Admission bounds the uploads, so the queue of their inspections is unbounded.
      new DecodeQueue(memory, {
        concurrency: renditions.concurrency,
        maxWaiting: Number.POSITIVE_INFINITY,
        maxWaitMs: MAX_WAIT_FOR_DECODE_MS,
      }),
    [storageConfig, decodeMemory],
  );
  container.bind(renditionQueue).toResolvedValue(
    ({ renditions: { concurrency } }, memory) =>
      new DecodeQueue(memory, {
        concurrency,
        maxWaiting: concurrency * WAITING_PER_ENCODER,
        maxWaitMs: MAX_WAIT_FOR_DECODE_MS,
      }),
    [storageConfig, decodeMemory],
  );
  container
    .bind(TOKENS.inspector)
    .toResolvedValue(
      ({ upload }, queue) => new SharpImageInspector(upload.maxPixels, queue),
      [storageConfig, inspectionQueue],
    );
  container
    .bind(TOKENS.renditionMaker)
    .toResolvedValue(
      ({ upload }, queue) => new SharpRenditionMaker(upload.maxPixels, queue),
      [storageConfig, renditionQueue],
    );
}
