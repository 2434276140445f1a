import { statfs } from 'node:fs/promises';
import type { HttpTelemetry, RequestTracer } from '../../adapters/http/telemetry/http-telemetry.ts';
import { RequestsUnderWay } from '../../adapters/http/telemetry/requests-under-way.ts';
import { RequestMetrics } from '../../adapters/prometheus/request-metrics.ts';
import { sharedRead } from '../../adapters/prometheus/shared-read.ts';
import { ALL } from '../../application/concurrency/queue-policy.ts';
import type { Resolved } from '../resolve-all.ts';
import { stage } from './watched-port.ts';

type Measured = Resolved<
  | 'config'
  | 'metrics'
  | 'signingKeys'
  | 'changeSlots'
  | 'sweepSlices'
  | 'similarImages'
  | 'decoders'
  | 'renditions'
>;

export function telemetryOf(measured: Measured, tracer: RequestTracer | undefined): HttpTelemetry {
  const { config, metrics, signingKeys, changeSlots, sweepSlices, similarImages } = measured;
  const underWay = new RequestsUnderWay();
  metrics.read('http_requests_in_flight', () => underWay.size);
  metrics.read('change_readers', () => changeSlots.running(ALL));
  metrics.read('similar_searches_bounded_total', () => similarImages.boundedSearches);
  metrics.read('jwks_age_seconds', () => signingKeys.ageMs / 1000);
  metrics.read(
    'sweep_slices_age_seconds',
    async () => ((await sweepSlices.longestUnsweptMs()) ?? Number.NaN) / 1000,
  );
  metrics.set('sweep_interval_seconds', config.readOnly ? 0 : config.sweep.intervalMs / 1000);
  readDecoders(measured);
  readDisks(measured);
  return {
    requests: new RequestMetrics(metrics),
    underWay,
    metrics,
    watchReceive: stage(metrics, tracer, 'receive', 'receive'),
    tracer,
  };
}

function readDecoders({ metrics, decoders }: Measured): void {
  const { admission, memory, decoders: processes } = decoders;
  metrics.read('decode_jobs_running', (kind) => admission.running(kind));
  metrics.read('decode_jobs_waiting', (kind) => admission.waiting(kind));
  metrics.read('decode_jobs_waiting_limit', (kind) => admission.maxWaiting(kind));
  metrics.read('decoders_running', () => processes.count);
  metrics.read('decode_memory_reserved_bytes', () => memory.held);
  metrics.read('decode_memory_limit_bytes', () => memory.capacity);
  metrics.read('decode_memory_waiting', () => admission.waitingForMemory);
  metrics.read('decoder_cpu_seconds_total', () => processes.cpuSeconds);
  metrics.read('decoders_ended_total', (reason) => decoders.ended(reason));
}

function readDisks({ metrics, renditions, config }: Measured): void {
  const { database, blobStore, stagingPath, renditions: cached } = config;
  const { cache, cacheMaxBytes } = cached;
  metrics.read('rendition_cache_bytes', () => renditions.bytes ?? Number.NaN);
  metrics.read('rendition_cache_limit_bytes', () =>
    cache.boundsCache ? cacheMaxBytes : Number.POSITIVE_INFINITY,
  );
  // `undefined` for what is not in a folder, such as a database on Postgres.
  const folders = {
    database: database.folder,
    blobs: blobStore.blobFolder,
    staging: stagingPath,
    renditions: cache.blobFolder,
  };
  const disks = new Map(
    Object.entries(folders).flatMap(([name, path]) =>
      path === undefined ? [] : [[name, sharedRead(() => statfs(path))] as const],
    ),
  );
  const bytesOf = async (name: string, blocks: 'bavail' | 'blocks'): Promise<number> => {
    const stats = await disks.get(name)?.();
    return stats === undefined ? Number.NaN : stats[blocks] * stats.bsize;
  };
  metrics.read('disk_free_bytes', (name) => bytesOf(name, 'bavail'), [...disks.keys()]);
  metrics.read('disk_size_bytes', (name) => bytesOf(name, 'blocks'), [...disks.keys()]);
}
