import { setTimeout as delay } from 'node:timers/promises';
import { cpuMsOf, processIdsOf, unsharedBytesOf } from './process-tree.ts';

const MS_PER_SECOND = 1000;
const SAMPLE_MS = 5;
/** Samples between two looks for new child processes. */
const SAMPLES_PER_LOOK = 20;
/** A process that takes at most one tick of CPU in this time is idle. */
const IDLE_WINDOW_MS = 100;
const TICK_MS = 10;

export interface Cost {
  /** User and system time of the process tree, until it is idle again. */
  readonly cpuSeconds: number;
  /** The highest anonymous and shared memory of the process tree, minus the value before. */
  readonly growthBytes: number;
}

/** Measures what some work costs a process and its descendants. Needs Linux. */
export async function costOf<T>(
  pid: number,
  work: () => Promise<T>,
): Promise<{ readonly result: T; readonly cost: Cost }> {
  await idle(pid);
  const cpuMsBefore = cpuMsOf(pid);
  const peak = new MemoryPeak(pid);
  try {
    const result = await work();
    await idle(pid);
    const cpuSeconds = (cpuMsOf(pid) - cpuMsBefore) / MS_PER_SECOND;
    return { result, cost: { cpuSeconds, growthBytes: peak.growthBytes } };
  } finally {
    peak.stop();
  }
}

async function idle(pid: number): Promise<void> {
  for (let before = Number.NEGATIVE_INFINITY; ; ) {
    const now = cpuMsOf(pid);
    if (now - before <= TICK_MS) return;
    before = now;
    await delay(IDLE_WINDOW_MS);
  }
}

/** Samples the memory of a process tree from its creation to `stop`. */
class MemoryPeak {
  private readonly before: number;
  private readonly timer: NodeJS.Timeout;
  private members: readonly number[];
  private highest: number;
  private samples = 0;

  constructor(private readonly pid: number) {
    this.members = processIdsOf(pid);
    this.before = unsharedBytesOf(this.members);
    this.highest = this.before;
    this.timer = setInterval(() => this.sample(), SAMPLE_MS);
  }

  get growthBytes(): number {
    return this.highest - this.before;
  }

  stop(): void {
    clearInterval(this.timer);
  }

  private sample(): void {
    this.samples += 1;
    if (this.samples % SAMPLES_PER_LOOK === 0) this.members = processIdsOf(this.pid);
    this.highest = Math.max(this.highest, unsharedBytesOf(this.members));
  }
}
