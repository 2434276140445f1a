import { MS_PER_TICK, memberOf, readIfThere } from '../servers/process-tree.ts';

const MICROSECONDS = 1e6;

/**
 * User and system time in seconds of this process, its descendants that run, and those that have ended. A descendant whose
 * parent was killed before it is missing. Without `/proc`, that of this process alone.
 */
export function cpuOfThisTree(): number {
  const { user, system } = process.cpuUsage();
  const [self] = memberOf(String(process.pid));
  const ended = self === undefined ? 0 : self.ticks - self.ownTicks;
  return (user + system) / MICROSECONDS + ((ended + ticksOfChildren(process.pid)) * MS_PER_TICK) / 1000;
}

/** By the lists of children: a look at all processes of the system would cost more than most tests. */
function ticksOfChildren(pid: number): number {
  const children = readIfThere(`/proc/${pid}/task/${pid}/children`).split(' ').filter(Boolean);
  return children
    .flatMap(memberOf)
    .reduce((total, child) => total + child.ticks + ticksOfChildren(child.pid), 0);
}
