import { readFileSync } from 'node:fs';
import { repeat } from '../time/repeat.ts';
import { isAlive, ownCpuMsOf, processIdsOf } from './process-tree.ts';

/** CPU time of a decoder that has begun a picture. */
const BUSY_MS = 50;

/** The decoders of a service that can take a picture. Needs Linux. */
export function decodersOf(servicePid: number): readonly number[] {
  return processIdsOf(servicePid).filter((pid) => pid !== servicePid && isFrozen(pid));
}

/** Those too that have not started yet. */
export function allDecodersOf(servicePid: number): readonly number[] {
  return processIdsOf(servicePid).filter((pid) => commandOf(pid).includes('decoder.cjs'));
}

const KILL_EVERY_MS = 5;

/** Kills all decoders but one, as soon as they are seen. Returns the end of this. */
export function killOthers(servicePid: number, survivor: number): () => void {
  return repeat(KILL_EVERY_MS, () => killAll(allDecodersOf(servicePid).filter((pid) => pid !== survivor)));
}

export function killAll(pids: readonly number[]): void {
  for (const pid of pids) {
    try {
      process.kill(pid, 'SIGKILL');
    } catch {
      // It has ended.
    }
  }
}

/** Those that have used CPU time since a call with the same map, which this fills. */
export function busyDecodersOf(servicePid: number, begun: Map<number, number>): readonly number[] {
  return decodersOf(servicePid).filter((pid) => {
    const before = begun.get(pid);
    if (before === undefined) begun.set(pid, ownCpuMsOf(pid));
    return before !== undefined && ownCpuMsOf(pid) > before + BUSY_MS;
  });
}

export function aliveOf(pids: readonly number[]): readonly number[] {
  return pids.filter(isAlive);
}

/** Whether a process is a decoder that has not yet been confined. */
export function isStartingDecoder(pid: number): boolean {
  return commandOf(pid).includes('decoder.cjs') && !isFrozen(pid);
}

function commandOf(pid: number): string {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'latin1');
  } catch {
    return '';
  }
}

/** The last step before its first picture. */
function isFrozen(pid: number): boolean {
  try {
    return /^Max open files +0 /m.test(readFileSync(`/proc/${pid}/limits`, 'latin1'));
  } catch {
    return false;
  }
}
