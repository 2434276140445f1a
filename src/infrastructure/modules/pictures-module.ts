import { ContainerModule } from 'inversify';
import { maxJobBytes } from '../../adapters/decoder/decode-bounds.ts';
import { DecodeMemory } from '../../adapters/decoder/decode-memory.ts';
import { DecoderImageInspector, type WantedPixels } from '../../adapters/decoder/decoder-image-inspector.ts';
import { DecoderPool, type DecoderPoolOptions } from '../../adapters/decoder/decoder-pool.ts';
import { DecoderProcess } from '../../adapters/decoder/decoder-process.ts';
import { DecoderRenditionMaker } from '../../adapters/decoder/decoder-rendition-maker.ts';
import { endStrays } from '../../adapters/decoder/end-strays.ts';
import { PixelMemory } from '../../adapters/decoder/pixel-memory.ts';
import type { StorageConfig } from '../config/config.ts';
import { decoderProgram } from '../decoder-program.ts';
import { libraryVersions } from '../library-versions.ts';
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
  memory: DecodeMemory,
): WantedPixels | undefined {
  if (prerendered.length === 0) return undefined;
  const width = Math.min(...prerendered.map((rendition) => rendition.width));
  return { width, memory: new PixelMemory(memory, MAX_PIXEL_BYTES) };
}

function poolOptions({ decoders, decodersIdle, renditions, upload }: StorageConfig): DecoderPoolOptions {
  const program = {
    path: decoderProgram(),
    maxJobBytes: maxJobBytes(upload.maxPixels, upload.maxBytes),
    versions: libraryVersions(),
  };
  return {
    startDecoder: (stopped) => DecoderProcess.start(program, stopped),
    endStrays,
    slots: decoders,
    kept: decodersIdle,
    renditions: renditions.concurrency,
    maxWaiting: renditions.concurrency * WAITING_PER_ENCODER,
    maxWaitMs: MAX_WAIT_FOR_DECODE_MS,
  };
}

const { storageConfig, decoders } = TOKENS;

/** The decoder processes, and what is asked of them. */
export const picturesModule = new ContainerModule(({ bind }) => {
  bind(decoders)
    .toResolvedValue(
      (config, log, timer) =>
        new DecoderPool(poolOptions(config), new DecodeMemory(config.decodeMemoryBytes), log, timer),
      [storageConfig, TOKENS.log, TOKENS.timer],
    )
    .onDeactivation((pool) => pool.stop());
  bind(TOKENS.inspector).toResolvedValue(
    ({ upload, capture }, pool) => new DecoderImageInspector(upload, pool, { embedded: capture }),
    [storageConfig, decoders],
  );
  bind(TOKENS.uploadInspector).toResolvedValue(
    ({ upload, renditions, capture }, pool) =>
      new DecoderImageInspector(upload, pool, {
        embedded: capture,
        wanted: wantedPixels(renditions.prerendered, pool.memory),
      }),
    [storageConfig, decoders],
  );
  bind(TOKENS.renditionMaker).toResolvedValue(
    ({ upload }, pool) => new DecoderRenditionMaker(upload, pool, libraryVersions()),
    [storageConfig, decoders],
  );
});
