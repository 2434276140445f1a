import { RequestsUnderWay } from '../../adapters/http/telemetry/requests-under-way.ts';
import type { HttpTelemetry } from '../../adapters/http/telemetry/telemetry.ts';
import type { OpenTelemetry } from '../../adapters/opentelemetry/open-telemetry.ts';
import { observeDisks } from '../../adapters/prometheus/disk-metrics.ts';
import { ALL } from '../../application/concurrency/queue-policy.ts';
import type { Config } from '../config/config.ts';
import type { ServiceParts } from '../tokens.ts';
import { watchReceive } from './watch-ports.ts';

export function telemetryOf(parts: ServiceParts, tracing: OpenTelemetry | undefined): HttpTelemetry {
  const { config, metrics, decoders, renditions, signingKeys, changeSlots, sweepSlices, similarImages } =
    parts;
  metrics.images.observe({
    decoders,
    cache: { bytes: () => renditions.bytes, maxBytes: cacheBoundOf(config) },
  });
  metrics.signingKeys.observe(() => signingKeys.ageMs / 1000);
  metrics.sweeps.scheduled(config.readOnly ? 0 : config.sweep.intervalMs / 1000);
  metrics.sweeps.observeSlices(() => sweepSlices.longestUnsweptMs());
  metrics.observeChanges(() => changeSlots.running(ALL));
  metrics.observeSimilar(() => similarImages.boundedSearches);
  observeDisks(dataFoldersOf(config), metrics.registry);
  const { requests, uploadStages } = metrics;
  const underWay = new RequestsUnderWay();
  requests.observe(() => underWay.size);
  return { requests, underWay, metrics, watchReceive: watchReceive(uploadStages, tracing), tracer: tracing };
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
