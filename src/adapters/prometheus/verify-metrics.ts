import { Gauge, Registry } from 'prom-client';
import type { Finding } from '../../application/maintenance/verify-catalog.ts';

export interface VerifyOutcome {
  readonly findings: ReadonlyMap<Finding['problem'], number>;
  /** From 0 to 1. */
  readonly sample: number;
  readonly seconds: number;
}

const PROBLEMS: ReadonlyArray<Finding['problem']> = [
  'missing',
  'damaged',
  'orphaned',
  'miscounted',
  'dangling',
];

/** For the textfile collector of node_exporter: the command ends before anything could scrape it. */
export async function verifyMetrics({ findings, sample, seconds }: VerifyOutcome): Promise<string> {
  const registry = new Registry();
  const registers = [registry];
  const gauge = (name: string, help: string): Gauge =>
    new Gauge({ name: `image_catalog_verify_${name}`, help, registers });
  gauge('last_run_timestamp_seconds', 'End of the last complete verification').setToCurrentTime();
  gauge('duration_seconds', 'Duration of the last complete verification').set(seconds);
  gauge('sample_ratio', 'Part of the records that the last complete verification checked').set(sample);
  const found = new Gauge({
    name: 'image_catalog_verify_findings',
    help: 'Findings of the last complete verification',
    labelNames: ['problem'],
    registers,
  });
  for (const problem of PROBLEMS) found.set({ problem }, findings.get(problem) ?? 0);
  return await registry.metrics();
}
