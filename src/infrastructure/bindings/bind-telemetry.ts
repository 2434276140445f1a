import type { Container } from 'inversify';
import { DecoderPool } from '../../adapters/decoder/decoder-pool.ts';
import { SigningKeys } from '../../adapters/http/auth/signing-keys.ts';
import { RequestsUnderWay } from '../../adapters/http/server/requests-under-way.ts';
import type { OpenTelemetry } from '../../adapters/opentelemetry/open-telemetry.ts';
import { observeDisks } from '../../adapters/prometheus/disk-metrics.ts';
import { ServiceMetrics } from '../../adapters/prometheus/service-metrics.ts';
import type { Config } from '../config/config.ts';
import { TOKENS } from '../tokens.ts';
import { readVersion } from '../version.ts';
import { watchPorts, watchReceive } from './watch-ports.ts';

export function bindTelemetry(container: Container, tracing: OpenTelemetry | undefined): void {
  const { metrics, config, renditions } = TOKENS;
  container
    .bind(metrics)
    .toResolvedValue(() => new ServiceMetrics({ version: readVersion(), node: process.version }));
  container.bind(TOKENS.telemetry).toResolvedValue(
    (measured, settings, decoders, cache, keys, changePlaces, slices, similarImages) => {
      const maxBytes = cacheBoundOf(settings);
      measured.images.observe({ decoders, cache: { bytes: () => cache.bytes, maxBytes } });
      measured.signingKeys.observe(() => keys.ageMs / 1000);
      measured.sweeps.scheduled(settings.readOnly ? 0 : settings.sweep.intervalMs / 1000);
      measured.sweeps.observeSlices(() => slices.longestUnsweptMs());
      measured.observeChanges(() => changePlaces.size);
      measured.observeSimilar(() => similarImages.boundedSearches);
      observeDisks(dataFoldersOf(settings), measured.registry);
      const { requests, uploadStages } = measured;
      const underWay = new RequestsUnderWay();
      requests.observe(() => underWay.size);
      return {
        requests,
        underWay,
        metrics: measured,
        watchReceive: watchReceive(uploadStages, tracing),
        tracer: tracing,
      };
    },
    [
      metrics,
      config,
      DecoderPool,
      renditions,
      SigningKeys,
      TOKENS.changePlaces,
      TOKENS.sweepSlices,
      TOKENS.similarImages,
    ],
  );
  watchPorts(container, tracing);
}

function cacheBoundOf({ renditions: { cache, cacheMaxBytes } }: Config): number | undefined {
  return cache.boundsCache ? cacheMaxBytes : undefined;
}

function dataFoldersOf({ database, blobStore, stagingPath, renditions }: Config): Record<string, string> {
  const folders = {
    database: database.folder,
    blobs: blobStore.blobFolder,
    staging: stagingPath,
    renditions: renditions.cache.blobFolder,
  };
  return Object.fromEntries(
    Object.entries(folders).filter((entry): entry is [string, string] => entry[1] !== undefined),
  );
}
