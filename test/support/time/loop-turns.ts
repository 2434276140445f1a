import { PerformanceObserver } from 'node:perf_hooks';
import { mainThreadCpu } from '../loop/main-thread-cpu.ts';
import { repeat } from './repeat.ts';

const EVERY_MS = 1;
/** Shorter turns are not kept. */
const SHORT_MS = 3;

interface Turn {
  readonly start: number;
  readonly end: number;
  readonly cpuMs: number;
}

/**
 * Measures the CPU of the main thread in each turn of its event loop, without garbage collection. A timer reads the clock of the
 * thread: two turns within a millisecond count as one. Needs Linux.
 */
export class LoopTurns {
  readonly #observer = new PerformanceObserver((list) => this.#collections.push(...list.getEntries()));
  readonly #collections: { readonly startTime: number; readonly duration: number }[] = [];
  readonly #turns: Turn[] = [];
  readonly #begin = mainThreadCpuMs();
  readonly #stop: () => void;
  #last = { time: performance.now(), cpuMs: mainThreadCpuMs() };

  constructor() {
    this.#observer.observe({ entryTypes: ['gc'] });
    this.#stop = repeat(EVERY_MS, () => this.#look());
  }

  /** Ends the measurement. */
  stop(): { readonly cpuMs: number; readonly longestMs: number } {
    this.#look();
    this.#stop();
    this.#collections.push(...this.#observer.takeRecords());
    this.#observer.disconnect();
    const longestMs = Math.max(0, ...this.#turns.map((turn) => this.#withoutCollections(turn)));
    return { cpuMs: mainThreadCpuMs() - this.#begin, longestMs };
  }

  #look(): void {
    const now = { time: performance.now(), cpuMs: mainThreadCpuMs() };
    const cpuMs = now.cpuMs - this.#last.cpuMs;
    if (cpuMs > SHORT_MS) this.#turns.push({ start: this.#last.time, end: now.time, cpuMs });
    this.#last = now;
  }

  /** Collections are known by the time that they took: the thread may have waited for its core as long, in the same proportion. */
  #withoutCollections({ start, end, cpuMs }: Turn): number {
    const collected = this.#collections.reduce(
      (sum, { startTime, duration }) =>
        sum + Math.max(0, Math.min(end, startTime + duration) - Math.max(start, startTime)),
      0,
    );
    return cpuMs * Math.max(0, 1 - collected / (end - start));
  }
}

/** CPU of the main thread of this process so far, in ms. */
export function mainThreadCpuMs(): number {
  return mainThreadCpu() ?? Number.NaN;
}
