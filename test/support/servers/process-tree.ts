import { readdirSync, readFileSync, writeFileSync } from 'node:fs';

/** Linux reports CPU time in ticks of 10 ms (proc_pid_stat(5), `USER_HZ`). */
export const MS_PER_TICK = 10;

/** User and system time in ms of a process and its descendants, including those that have ended. */
export function cpuMsOf(pid: number): number {
  return sum(treeOf(pid).map(({ ticks }) => ticks)) * MS_PER_TICK;
}

/** User and system time in ms of a process alone; 0 if it has ended. */
export function ownCpuMsOf(pid: number): number {
  return sum(memberOf(String(pid)).map(({ ownTicks }) => ownTicks)) * MS_PER_TICK;
}

/** User and system time in ms of the first thread of a process: in Node.js, the event loop. */
export function mainThreadMsOf(pid: number): number {
  return sum(memberOf(`${pid}/task/${pid}`).map(({ ticks }) => ticks)) * MS_PER_TICK;
}

/** Resident memory in bytes of a process and its descendants. */
export function rssOf(pid: number): number {
  return sum(treeOf(pid).map((member) => statusBytes(member.pid, 'VmRSS')));
}

/** Highest resident memory in bytes since `forgetPeakRss`. Adds the peaks of all processes, even if they are not simultaneous. */
export function peakRssOf(pid: number): number {
  return sum(treeOf(pid).map((member) => statusBytes(member.pid, 'VmHWM')));
}

/** Highest resident memory in bytes of a process alone since `forgetPeakRss`. */
export function ownPeakRssOf(pid: number): number {
  return statusBytes(pid, 'VmHWM');
}

/** The process and its descendants. */
export function processIdsOf(pid: number): readonly number[] {
  return treeOf(pid).map((member) => member.pid);
}

/** Whether a process runs or is stopped, and has not ended. */
export function isAlive(pid: number): boolean {
  const stat = readIfThere(`/proc/${pid}/stat`);
  return stat !== '' && !ENDED.includes(stateIn(stat));
}

/** Whether a thread of a process or its descendants runs, or waits for a processor. This process, which looks, does not count. */
export function wantsCpu(pid: number): boolean {
  const others = processIdsOf(pid).filter((member) => member !== process.pid);
  return others.some((member) => threadsOf(member).some((stat) => stateIn(stat) === 'R'));
}

function threadsOf(pid: number): readonly string[] {
  try {
    return readdirSync(`/proc/${pid}/task`).map((thread) => readIfThere(`/proc/${pid}/task/${thread}/stat`));
  } catch {
    return [];
  }
}

/** Field 3 of proc_pid_stat(5). */
function stateIn(stat: string): string {
  return stat.charAt(stat.lastIndexOf(')') + 2);
}

/** Zombie and dead: proc_pid_stat(5). */
const ENDED: readonly string[] = ['Z', 'X'];

/** Anonymous and shared memory of a process in bytes. Excludes pages of files, which the kernel can drop. */
export function unsharedBytesOf(pid: number): number {
  return statusBytes(pid, 'RssAnon') + statusBytes(pid, 'RssShmem');
}

/** Memory in bytes of a process and its descendants. What processes share counts once. */
export function pssOf(pid: number): number {
  return sum(treeOf(pid).map((member) => ownPssOf(member.pid)));
}

function ownPssOf(pid: number): number {
  const found = /^Pss:\s+(\d+) kB/m.exec(readIfThere(`/proc/${pid}/smaps_rollup`));
  return Number(found?.[1] ?? 0) * 1024;
}

/** Resets the peak to the current value: proc_pid_clear_refs(5). */
export function forgetPeakRss(pid: number): void {
  for (const member of treeOf(pid)) writeFileSync(`/proc/${member.pid}/clear_refs`, '5');
}

interface Member {
  readonly pid: number;
  readonly parent: number;
  readonly ticks: number;
  /** Without those of children that have ended. */
  readonly ownTicks: number;
}

function treeOf(root: number): readonly Member[] {
  const all = readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .flatMap(memberOf);
  const tree = all.filter(({ pid }) => pid === root);
  for (const { pid } of tree) tree.push(...all.filter(({ parent }) => parent === pid));
  return tree;
}

/** Fields 4 and 14 to 17 of proc_pid_stat(5), counted behind the name, which may contain spaces and parentheses. Empty if it has ended. */
export function memberOf(name: string): readonly Member[] {
  const stat = readIfThere(`/proc/${name}/stat`);
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  if (fields.length < 15) return [];
  const ticks = fields.slice(11, 15).map(Number);
  return [
    { pid: Number(name), parent: Number(fields[1]), ticks: sum(ticks), ownTicks: sum(ticks.slice(0, 2)) },
  ];
}

function statusBytes(pid: number, field: string): number {
  const found = new RegExp(`^${field}:\\s+(\\d+) kB`, 'm').exec(readIfThere(`/proc/${pid}/status`));
  return Number(found?.[1] ?? 0) * 1024;
}

/** A process may end between being listed and being read. */
export function readIfThere(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return '';
  }
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0);
}
