import type { Job } from './jobs.ts';
import { measure, type Run } from './measure.ts';
import type { Server } from './server.ts';
import { type Spread, spreadOf } from './statistics.ts';
import type { Workbench } from './workbench.ts';

/** A server and the requests to it. */
export interface Subject {
  readonly server: Server;
  readonly job: Job;
}

/** The figures of one side over all rounds. */
export interface Side {
  readonly requestsPerSecond: Spread;
  readonly cpuMsPerRequest: Spread;
  readonly peakRssBytes: number;
  readonly p50Ms: number;
  readonly p99Ms: number;
}

/** A service beside its baseline. Ratios are taken per round, because both sides of a round share the state of the machine. */
export interface Comparison {
  readonly title: string;
  readonly concurrency: number;
  readonly service: Side;
  readonly baseline: Side;
  /** Service to baseline. */
  readonly throughputRatio: Spread;
  /** Service to baseline. */
  readonly cpuRatio: Spread;
}

interface Pair {
  readonly title: string;
  readonly concurrency: number;
  readonly service: () => Promise<Run>;
  readonly baseline: () => Promise<Run>;
}

/** Interleaves the rounds: service, baseline, service, baseline, … */
export async function compareRuns(pair: Pair, rounds: number): Promise<Comparison> {
  const service: Run[] = [];
  const baseline: Run[] = [];
  for (let round = 0; round < rounds; round += 1) {
    service.push(await pair.service());
    baseline.push(await pair.baseline());
  }
  const ratios = (of: (run: Run) => number): Spread =>
    spreadOf(service.map((run, round) => of(run) / of(baseline[round] as Run)));
  return {
    title: pair.title,
    concurrency: pair.concurrency,
    service: sideOf(service),
    baseline: sideOf(baseline),
    throughputRatio: ratios((run) => run.requestsPerSecond),
    cpuRatio: ratios((run) => run.cpuMsPerRequest),
  };
}

/** Compares two servers over the network, after a warm-up of both. */
export async function compare(
  bench: Workbench,
  title: string,
  concurrency: number,
  service: Subject,
  baseline: Subject,
): Promise<Comparison> {
  const run = ({ server, job }: Subject): Promise<Run> => measure(bench.generator, server, job);
  for (const subject of [service, baseline]) await run({ ...subject, job: short(subject.job) });
  const pair = { title, concurrency, service: () => run(service), baseline: () => run(baseline) };
  return await compareRuns(pair, bench.options.rounds);
}

function short(job: Job): Job {
  return job.kind === 'get' || job.kind === 'upload' ? { ...job, seconds: 1 } : job;
}

function sideOf(runs: readonly Run[]): Side {
  return {
    requestsPerSecond: spreadOf(runs.map((run) => run.requestsPerSecond)),
    cpuMsPerRequest: spreadOf(runs.map((run) => run.cpuMsPerRequest)),
    peakRssBytes: Math.max(...runs.map((run) => run.peakRssBytes)),
    p50Ms: spreadOf(runs.map((run) => run.latencyMs.p50)).median,
    p99Ms: spreadOf(runs.map((run) => run.latencyMs.p99)).median,
  };
}
