import type { Container } from 'inversify';
import { maxJobBytes, WeightedSemaphore } from '../../adapters/decoder/decode-memory.ts';
import { DecoderImageInspector, type WantedPixels } from '../../adapters/decoder/decoder-image-inspector.ts';
import { DecoderPool, type DecoderPoolOptions } from '../../adapters/decoder/decoder-pool.ts';
import { DecoderProcess } from '../../adapters/decoder/decoder-process.ts';
import { DecoderRenditionMaker } from '../../adapters/decoder/decoder-rendition-maker.ts';
import { PixelMemory } from '../../adapters/decoder/pixel-memory.ts';
import type { StorageConfig } from '../config/config.ts';
import { decoderProgram } from '../decoder-program.ts';
import { TOKENS } from '../tokens.ts';

/** Some seconds of work. */
const WAITING_PER_ENCODER = 16;

/** With a decode that ends at its bound of CPU time, less than the 60 s after which proxies time out. */
const MAX_WAIT_FOR_DECODE_MS = 30_000;

/** Pixels of some seventy uploads at the default size. */
const MAX_PIXEL_BYTES = 16 * 1024 * 1024;

/** Enough for the smallest default rendition: a larger one would often cost the inspection more. */
function wantedPixels(
  prerendered: readonly { readonly width: number }[],
  memory: WeightedSemaphore,
): WantedPixels | undefined {
  if (prerendered.length === 0) return undefined;
  const width = Math.min(...prerendered.map((rendition) => rendition.width));
  return { width, memory: new PixelMemory(memory, MAX_PIXEL_BYTES) };
}

function poolOptions({ decoders, renditions: { concurrency }, upload }: StorageConfig): DecoderPoolOptions {
  const program = {
    path: decoderProgram(),
    maxJobBytes: maxJobBytes(upload.maxPixels, upload.maxBytes),
  };
  return {
    startDecoder: () => DecoderProcess.start(program),
    places: decoders,
    renditions: concurrency,
    maxWaiting: concurrency * WAITING_PER_ENCODER,
    maxWaitMs: MAX_WAIT_FOR_DECODE_MS,
  };
}

export function bindImageProcessing(container: Container): void {
  const { storageConfig, log } = TOKENS;
  container
    .bind(DecoderPool)
    .toResolvedValue(
      (config, ...ports) =>
        new DecoderPool(poolOptions(config), new WeightedSemaphore(config.decodeMemoryBytes), ...ports),
      [storageConfig, log, TOKENS.timer],
    )
    .onDeactivation((pool) => pool.stop());
  container
    .bind(TOKENS.inspector)
    .toResolvedValue(
      ({ upload }, pool) => new DecoderImageInspector(upload.maxPixels, pool),
      [storageConfig, DecoderPool],
    );
  container.bind(TOKENS.uploadInspector).toResolvedValue(
    ({ upload, renditions, capture }, pool) =>
      new DecoderImageInspector(upload.maxPixels, pool, {
        embedded: capture,
        wanted: wantedPixels(renditions.prerendered, pool.memory),
      }),
    [storageConfig, DecoderPool],
  );
  container
    .bind(TOKENS.renditionMaker)
    .toResolvedValue(
      ({ upload }, pool) => new DecoderRenditionMaker(upload.maxPixels, pool),
      [storageConfig, DecoderPool],
    );
}
