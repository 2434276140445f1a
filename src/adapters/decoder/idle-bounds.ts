import type { ProcessUsage } from './process-usage.ts';

/** Above its start. Beyond this, a fresh process costs less than the memory that the libraries keep. */
export const MAX_KEPT_BYTES = 64 * 1024 * 1024;

/** In a minute. A decoder collects garbage for some milliseconds after a picture, and then does nothing. */
const MAX_CPU_SECONDS = 0.5;

/** Once a second. */
const LOOKS_IN_MINUTE = 60;

/** What a decoder may use while it has no job. */
export class IdleBounds {
  private cpuAtBegin: number;
  private looks = 0;

  /** @param start what it uses when it has started */
  constructor(private readonly start: ProcessUsage) {
    this.cpuAtBegin = start.cpuSeconds;
  }

  /** To be called at the end of a job: a minute begins. */
  begin(cpuSeconds: number): void {
    this.cpuAtBegin = cpuSeconds;
    this.looks = 0;
  }

  /** To be called once a second. */
  excess(usage: ProcessUsage): 'memory' | 'CPU time' | undefined {
    if (usage.anonymousBytes - this.start.anonymousBytes > MAX_KEPT_BYTES) return 'memory';
    if (this.usesCpu(usage)) return 'CPU time';
    this.looks += 1;
    if (this.looks === LOOKS_IN_MINUTE) this.begin(usage.cpuSeconds);
    return undefined;
  }

  usesCpu({ cpuSeconds }: ProcessUsage): boolean {
    return cpuSeconds - this.cpuAtBegin > MAX_CPU_SECONDS;
  }
}
