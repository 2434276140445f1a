import { closeSync, openSync, readdirSync, readFileSync, readSync } from 'node:fs';

export interface ProcessUsage {
  /** User and system time, seconds. */
  readonly cpuSeconds: number;
  /** Memory that belongs to no file. */
  readonly anonymousBytes: number;
  /** By SIGSTOP or a debugger. */
  readonly isStopped: boolean;
}

/** USER_HZ of Linux on all of Node's platforms. */
const TICKS_PER_SECOND = 100;
/** Behind the name in parentheses (proc_pid_stat(5)); user and system time are the 14th and 15th field of the line. */
const USER_TICKS = 11;
const SYSTEM_TICKS = 12;
const KIB = 1024;

const page = Buffer.allocUnsafeSlow(4096);

/** Reads what a child process uses from `/proc`. Takes some microseconds: the files stay open. */
export class UsageReader {
  private readonly stat: number;
  private readonly status: number;
  private isOpen = true;

  /** @throws if there is no `/proc`, or no such process in it */
  constructor(private readonly pid: number) {
    this.stat = openSync(`/proc/${pid}/stat`, 'r');
    this.status = openSync(`/proc/${pid}/status`, 'r');
  }

  /** `undefined` if the process has ended. */
  read(): ProcessUsage | undefined {
    if (!this.isOpen) return undefined;
    try {
      return usageOf(textOf(this.stat), textOf(this.status));
    } catch {
      return undefined;
    }
  }

  /** Processes that it has started, and that still are its children. Empty if the kernel does not tell. */
  children(): readonly number[] {
    if (!this.isOpen) return [];
    // Each thread has its own: proc_tid_children(5).
    return threadsOf(this.pid).flatMap(childrenOf);
  }

  close(): void {
    if (!this.isOpen) return;
    this.isOpen = false;
    closeSync(this.stat);
    closeSync(this.status);
  }
}

function threadsOf(pid: number): readonly string[] {
  try {
    return readdirSync(`/proc/${pid}/task`).map((thread) => `/proc/${pid}/task/${thread}`);
  } catch {
    return [];
  }
}

function childrenOf(thread: string): readonly number[] {
  try {
    return readFileSync(`${thread}/children`, 'latin1').trim().split(' ').filter(Boolean).map(Number);
  } catch {
    // The thread has ended.
    return [];
  }
}

function textOf(descriptor: number): string {
  return page.toString('latin1', 0, readSync(descriptor, page, 0, page.length, 0));
}

function usageOf(stat: string, status: string): ProcessUsage {
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  return {
    cpuSeconds: (Number(fields[USER_TICKS]) + Number(fields[SYSTEM_TICKS])) / TICKS_PER_SECOND,
    anonymousBytes: kibOf(status, 'RssAnon') * KIB + kibOf(status, 'RssShmem') * KIB,
    isStopped: fields[0] === 'T' || fields[0] === 't',
  };
}

/** 0 if the process has no memory any more. */
function kibOf(status: string, name: string): number {
  return Number(new RegExp(`^${name}:\\s*(\\d+)`, 'm').exec(status)?.[1] ?? 0);
}
