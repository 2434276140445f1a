import { readFileSync } from 'node:fs';

/** Linux reports CPU time in ticks of 10 ms (proc_pid_stat(5), `USER_HZ`). */
const SECONDS_PER_TICK = 0.01;
const MICROSECONDS = 1e6;

/**
 * User and system time in seconds of this process, its descendants that run, and those that have ended. A descendant whose
 * parent was killed before it is missing. Without `/proc`, that of this process alone.
 */
export function cpuOfThisTree(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / MICROSECONDS + endedChildrenOf(process.pid) + runningChildrenOf(process.pid);
}

function runningChildrenOf(pid: number): number {
  const children = readIfThere(`/proc/${pid}/task/${pid}/children`).split(' ').filter(Boolean).map(Number);
  return children.reduce(
    (total, child) => total + ownTimeOf(child) + endedChildrenOf(child) + runningChildrenOf(child),
    0,
  );
}

function ownTimeOf(pid: number): number {
  return secondsOf(pid, 11);
}

function endedChildrenOf(pid: number): number {
  return secondsOf(pid, 13);
}

/** User and system time in neighbouring fields of proc_pid_stat(5), counted behind the name, which may contain spaces. */
function secondsOf(pid: number, field: number): number {
  const stat = readIfThere(`/proc/${pid}/stat`);
  const [user = 0, system = 0] = stat
    .slice(stat.lastIndexOf(')') + 2)
    .split(' ')
    .slice(field, field + 2)
    .map(Number);
  return (user + system) * SECONDS_PER_TICK;
}

/** A process may end between being listed and being read. */
function readIfThere(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return '';
  }
}
