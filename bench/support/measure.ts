import {
  cpuMsOf,
  forgetPeakRss,
  mainThreadMsOf,
  peakRssOf,
} from '../../test/support/servers/process-tree.ts';
import type { Job, Latency, Load } from './jobs.ts';
import type { LoadGenerator } from './load-generator.ts';
import type { Server } from './server.ts';

/** One run of one job against one server. */
export interface Run {
  readonly requests: number;
  readonly requestsPerSecond: number;
  /** User and system time of the process trees of the server and its helpers. */
  readonly cpuMsPerRequest: number;
  /** Part of it: the server's event loop. */
  readonly mainThreadMsPerRequest: number;
  /** Of the server's process tree during this run. */
  readonly peakRssBytes: number;
  readonly latencyMs: Latency;
  readonly load: Load;
}

/** @throws {InvalidRun} if a response is wrong */
export async function measure(generator: LoadGenerator, server: Server, job: Job): Promise<Run> {
  forgetPeakRss(server.pid);
  const cpuBefore = cpuMsOfAll(server);
  const mainThreadBefore = mainThreadMsOf(server.pid);
  const load = await generator.perform(job);
  const cpuMs = cpuMsOfAll(server) - cpuBefore;
  const mainThreadMs = mainThreadMsOf(server.pid) - mainThreadBefore;
  if (load.errors.length > 0 || load.requests === 0) throw new InvalidRun(job.kind, load.errors);
  return {
    requests: load.requests,
    requestsPerSecond: load.requests / load.seconds,
    cpuMsPerRequest: cpuMs / load.requests,
    mainThreadMsPerRequest: mainThreadMs / load.requests,
    peakRssBytes: peakRssOf(server.pid),
    latencyMs: load.latency,
    load,
  };
}

function cpuMsOfAll({ pid, helpers = [] }: Server): number {
  return [pid, ...helpers].reduce((total, one) => total + cpuMsOf(one), 0);
}

/** The figures of this run must not be used. */
export class InvalidRun extends Error {
  constructor(what: string, errors: readonly string[]) {
    super(`invalid run of "${what}": ${errors.join('; ') || 'no responses'}`);
  }
}
