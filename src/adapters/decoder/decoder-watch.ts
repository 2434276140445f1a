import type { DecodeBounds } from './decode-bounds.ts';
import type { DecoderEnd } from './decoder-ended.ts';
import { IdleBounds } from './idle-bounds.ts';
import { UsageReader } from './process-usage.ts';

/** Wall-clock time of a job. */
const MAX_MS = 30_000;

/** Whether the memory of all decodes has room for what a job uses. */
export type HasRoom = (usedBytes: number) => boolean;

interface Job {
  readonly cpuAtStart: number;
  readonly hasRoom: HasRoom;
  /** Of the questions that have a reply. */
  usedMs: number;
  /** `undefined` between two questions. */
  askedAt?: number | undefined;
  bounds?: DecodeBounds;
}

/** What a decoder process uses. Cancels it beyond the bounds of its job, or of a decoder without one. */
export class DecoderWatch {
  private readonly usage: UsageReader | undefined;
  private job: Job | undefined;
  /** `undefined` if the usage is not known. */
  private idle: IdleBounds | undefined;
  private idleBytes = 0;
  private bytesAtStart = 0;
  private cpuSeen = 0;

  /** @param cancel gets, of a decoder without a job, also what it did in words */
  constructor(
    pid: number,
    private readonly cancel: (why: DecoderEnd, words?: string) => void,
  ) {
    this.usage = readerOf(pid);
  }

  /** That it has worked for a job; `undefined` if nobody waits for it. */
  get jobMs(): number | undefined {
    const { job } = this;
    return job?.askedAt === undefined ? undefined : job.usedMs + performance.now() - job.askedAt;
  }

  /** What the libraries had kept of earlier jobs when the last one began. */
  get keptBytes(): number {
    return this.bytesAtStart - this.idleBytes;
  }

  /** Since its start, as far as it is known of a process that has exited. */
  get cpuSeconds(): number {
    this.cpuSeen = this.usage?.read()?.cpuSeconds ?? this.cpuSeen;
    return this.cpuSeen;
  }

  get jobCpuSeconds(): number {
    return this.cpuSeconds - (this.job?.cpuAtStart ?? 0);
  }

  /** The largest body of a reply; none is expected between two jobs. */
  get replyBytes(): number {
    return this.job?.bounds?.replyBytes ?? 0;
  }

  /** The process has started and has no job. `IdleBounds` count from what it uses now. */
  markIdle(): void {
    const usage = this.usage?.read();
    this.idle = usage && new IdleBounds(usage);
    this.idleBytes = usage?.anonymousBytes ?? 0;
    this.bytesAtStart = this.idleBytes;
    this.cpuSeen = usage?.cpuSeconds ?? 0;
  }

  beginJob(hasRoom: HasRoom): void {
    const usage = this.usage?.read();
    this.cpuSeen = usage?.cpuSeconds ?? this.cpuSeen;
    this.bytesAtStart = Math.max(this.idleBytes, usage?.anonymousBytes ?? 0);
    this.job = { cpuAtStart: this.cpuSeen, hasRoom, usedMs: 0 };
    if (usage !== undefined && this.idle?.usesCpu(usage) === true) this.cancelIdle('CPU time');
  }

  finishJob(): void {
    this.job = undefined;
    this.idle?.begin(this.cpuSeconds);
  }

  /** Returns what says that the question has its reply. */
  beginQuestion(bounds: DecodeBounds): () => void {
    const job = this.job as Job;
    const askedAt = performance.now();
    job.bounds = bounds;
    job.askedAt = askedAt;
    return () => {
      job.usedMs += performance.now() - askedAt;
      job.askedAt = undefined;
    };
  }

  /**
   * To be called every few milliseconds.
   *
   * @param isIdleWatch once a second
   */
  enforceBounds(isIdleWatch: boolean): void {
    if (this.job !== undefined) this.enforceJobBounds(this.job);
    else if (isIdleWatch) this.enforceIdleBounds();
  }

  close(): void {
    this.usage?.close();
  }

  private enforceJobBounds({ bounds, cpuAtStart, hasRoom }: Job): void {
    if ((this.jobMs ?? 0) > MAX_MS) return this.cancel('time');
    const usage = this.usage?.read();
    if (usage === undefined || bounds === undefined) return;
    this.cpuSeen = usage.cpuSeconds;
    const used = usage.anonymousBytes - this.bytesAtStart;
    if (usage.isStopped) this.cancel('signal');
    else if (usage.cpuSeconds - cpuAtStart > bounds.cpuSeconds) this.cancel('cpu');
    else if (used > bounds.memoryBytes) this.cancel('memory');
    else if (!hasRoom(used)) this.cancel('no_memory');
  }

  private enforceIdleBounds(): void {
    const usage = this.usage?.read();
    if (usage === undefined) return;
    const excess = this.idle?.excess(usage);
    const children = this.usage?.children() ?? [];
    // They may have left its process group.
    for (const child of children) kill(child);
    // The libraries keep much of a large picture: this says nothing about the file.
    if (excess === 'memory') this.cancel('cancelled');
    else if (excess !== undefined) this.cancelIdle(excess);
    else if (children.length > 0) this.cancelIdle('a process');
  }

  private cancelIdle(excess: string): void {
    this.cancel('crash', `${excess} without a job`);
  }
}

export function kill(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL');
  } catch {
    // It has exited.
  }
}

function readerOf(pid: number): UsageReader | undefined {
  if (process.platform !== 'linux') return undefined;
  try {
    return new UsageReader(pid);
  } catch {
    // Without /proc only the time of a job is bounded, as elsewhere than on Linux.
    return undefined;
  }
}
