import { repeat } from '../time/repeat.ts';
import { untilNextLook } from '../time/until-next-look.ts';
import { isStartingDecoder } from './decoder-processes.ts';
import { cpuMsOf, ownCpuMsOf, processIdsOf, unsharedBytesOf, wantsCpu } from './process-tree.ts';

const MS_PER_SECOND = 1000;
const SAMPLE_MS = 5;
/** Samples between two looks for new child processes. */
const SAMPLES_PER_LOOK = 20;
/** A process that takes at most one tick of CPU between so many looks, and wants none, is idle. */
const IDLE_LOOKS = 5;
const TICK_MS = 10;

export interface ProcessCost {
  /** User and system time, until the process tree is idle again. */
  readonly cpuSeconds: number;
  /** The highest anonymous and shared memory, minus the value before. */
  readonly growthBytes: number;
}

/** Of a process and its descendants together. */
export interface Cost extends ProcessCost {
  /** Of the process alone. */
  readonly own: ProcessCost;
  /** The most CPU and the most memory of any one descendant; 0 if there is none. */
  readonly descendant: ProcessCost;
  readonly descendants: number;
}

/** Measures what some work costs a process and its descendants. Needs Linux. */
export async function costOf<T>(
  pid: number,
  work: () => Promise<T>,
): Promise<{ readonly result: T; readonly cost: Cost }> {
  await idle(pid);
  const cpuMsBefore = cpuMsOf(pid);
  const sampler = new CostSampler(pid);
  try {
    const result = await work();
    await idle(pid);
    const cpuSeconds = (cpuMsOf(pid) - cpuMsBefore) / MS_PER_SECOND;
    return { result, cost: { cpuSeconds, ...sampler.costs() } };
  } finally {
    sampler.stop();
  }
}

async function idle(pid: number): Promise<void> {
  for (let before = Number.NEGATIVE_INFINITY; ; ) {
    const now = cpuMsOf(pid);
    if (now - before <= TICK_MS && !wantsCpu(pid)) return;
    before = now;
    for (let look = 0; look < IDLE_LOOKS; look += 1) await untilNextLook();
  }
}

/** Samples the processes of a tree from its creation to `stop`. */
class CostSampler {
  readonly stop: () => void;
  private readonly processes = new Map<number, SampledProcess>();
  private readonly bytesBefore: number;
  private highestBytes: number;
  private samples = 0;

  constructor(private readonly pid: number) {
    this.look();
    this.bytesBefore = this.sampleAll();
    this.highestBytes = this.bytesBefore;
    this.stop = repeat(SAMPLE_MS, () => this.sample());
  }

  costs(): Omit<Cost, 'cpuSeconds'> {
    this.sampleAll();
    const own = this.processes.get(this.pid)?.cost() ?? NO_COST;
    const descendants = [...this.processes.values()]
      .filter(({ pid }) => pid !== this.pid)
      .map((each) => each.cost());
    const descendant = {
      cpuSeconds: Math.max(0, ...descendants.map((cost) => cost.cpuSeconds)),
      growthBytes: Math.max(0, ...descendants.map((cost) => cost.growthBytes)),
    };
    return {
      growthBytes: this.highestBytes - this.bytesBefore,
      own,
      descendant,
      descendants: descendants.length,
    };
  }

  private sample(): void {
    this.samples += 1;
    if (this.samples % SAMPLES_PER_LOOK === 0) this.look();
    this.highestBytes = Math.max(this.highestBytes, this.sampleAll());
  }

  private look(): void {
    for (const pid of processIdsOf(this.pid)) {
      if (!this.processes.has(pid)) this.processes.set(pid, new SampledProcess(pid));
    }
  }

  /** Bytes of all. */
  private sampleAll(): number {
    return [...this.processes.values()].reduce((total, each) => total + each.sample(), 0);
  }
}

const NO_COST: ProcessCost = { cpuSeconds: 0, growthBytes: 0 };

class SampledProcess {
  private before = { cpuMs: 0, bytes: 0 };
  private cpuMs = 0;
  private highestBytes = 0;
  /** The warm-up of a decoder is not a cost of a picture. */
  private isStarting = true;

  constructor(readonly pid: number) {}

  /** The bytes of now: 0 if the process has ended. */
  sample(): number {
    const bytes = unsharedBytesOf(this.pid);
    this.cpuMs = Math.max(this.cpuMs, ownCpuMsOf(this.pid));
    this.highestBytes = Math.max(this.highestBytes, bytes);
    if (this.isStarting && bytes > 0) this.begin(bytes);
    return bytes;
  }

  private begin(bytes: number): void {
    this.before = { cpuMs: this.cpuMs, bytes };
    this.highestBytes = bytes;
    this.isStarting = isStartingDecoder(this.pid);
  }

  cost(): ProcessCost {
    return {
      cpuSeconds: (this.cpuMs - this.before.cpuMs) / MS_PER_SECOND,
      growthBytes: this.highestBytes - this.before.bytes,
    };
  }
}
