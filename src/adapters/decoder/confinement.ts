import { readFileSync } from 'node:fs';
import { HelperInterrupted, runHelper } from './run-helper.ts';

/** What holds for a decoder before it gets the first byte of a client's file. */
export interface Confinement {
  /** It can open no files, sockets or programs. */
  readonly isFrozen: boolean;
  /** It runs as another user than the service: it cannot remove or rename the files of the service, or signal its processes. */
  readonly hasOwnUser: boolean;
}

/**
 * Virtual memory for each byte that a job may use: the service ends a job at its own bound. libvips reserves the canvas of a WebP
 * whenever it opens it, and leaves up to half of what it reserves untouched.
 */
const DATA_FACTOR = 2;

/**
 * Freezes a process: from now on it opens no file, socket, library or program, and writes no file. Its limits cannot be raised again
 * without CAP_SYS_RESOURCE. Allocations fail if its bound is not enforced in time.
 *
 * @returns `false` if the system has no `prlimit` (util-linux), or forbids it
 * @throws if it fails although it is there, or does not end: no decoder gets a file that is less confined than the first
 */
export async function freeze(pid: number, maxJobBytes: number, stopped: AbortSignal): Promise<boolean> {
  if (!(await hasPrlimit(stopped))) return false;
  const data = dataBytesOf(pid) + DATA_FACTOR * maxJobBytes;
  const limits = ['--nofile=0:0', '--fsize=0:0', '--core=0:0', `--data=${data}:${data}`];
  await runHelper('prlimit', ['--pid', String(pid), ...limits], { stopped });
  return true;
}

const hasPrlimit = lazily(
  async (stopped) =>
    process.platform === 'linux' && (await succeeds('prlimit', ['--nofile=64', 'true'], stopped)),
);

function dataBytesOf(pid: number): number {
  const status = readFileSync(`/proc/${pid}/status`, 'latin1');
  return Number(/^VmData:\s*(\d+)/m.exec(status)?.[1]) * 1024;
}

/** @throws {HelperInterrupted} if that cannot be told, because a signal has ended the program */
async function succeeds(program: string, args: readonly string[], stopped: AbortSignal): Promise<boolean> {
  try {
    await runHelper(program, args, { stopped });
    return true;
  } catch (error) {
    if (error instanceof HelperInterrupted) throw error;
    return false;
  }
}

/** Arguments of a program that the kernel ends when this process ends, even if it is stopped or busy. */
export const endsWithParent = lazily(async (stopped) =>
  process.platform === 'linux' && (await succeeds('setpriv', ['--pdeathsig', 'KILL', 'true'], stopped))
    ? ['setpriv', '--pdeathsig', 'KILL']
    : [],
);

/** Keeps the first value. After a failure, the next call tries again. */
function lazily<T>(make: (stopped: AbortSignal) => Promise<T>): (stopped: AbortSignal) => Promise<T> {
  let made: Promise<T> | undefined;
  return async (stopped) => {
    made ??= make(stopped);
    try {
      return await made;
    } catch (error) {
      made = undefined;
      throw error;
    }
  };
}

/** "nobody" on all distributions. */
const NOBODY = 65_534;

/** Capabilities (linux/capability.h) to become another user, and to end its processes afterwards. */
const CAP_KILL = 5n;
const CAP_SETGID = 6n;
const CAP_SETUID = 7n;

/** The user that a decoder becomes. `undefined` unless the service runs as root and may change users. */
export function otherUser(): number | undefined {
  if (process.platform !== 'linux' || process.getuid?.() !== 0) return undefined;
  const status = readFileSync('/proc/self/status', 'latin1');
  const capabilities = BigInt(`0x${/^CapEff:\s*([0-9a-f]+)/m.exec(status)?.[1] ?? '0'}`);
  const mayChangeUsers = [CAP_KILL, CAP_SETGID, CAP_SETUID].every((bit) => (capabilities >> bit) & 1n);
  return mayChangeUsers ? NOBODY : undefined;
}
