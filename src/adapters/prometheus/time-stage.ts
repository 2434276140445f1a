import type { ServiceMetrics } from './service-metrics.ts';

type UploadStage = 'receive' | 'inspect' | 'store' | 'record';

/** Times a part of an upload. A stage that fails counts as well. */
export async function timeStage<T>(
  metrics: ServiceMetrics,
  stage: UploadStage,
  work: () => Promise<T>,
): Promise<T> {
  const start = performance.now();
  try {
    return await work();
  } finally {
    const seconds = (performance.now() - start) / 1000;
    metrics.durations('upload_stage_duration_seconds').of(stage).observe(seconds);
  }
}
