import { createHash, randomBytes } from 'node:crypto';
import { readFileSync, readlinkSync } from 'node:fs';
import { hostname } from 'node:os';
import type { ProcessRegistry } from '../../domain/ports/process/process-registry.ts';

const NAME = /^([0-9a-f]{12})-(\d{1,10})-([0-9a-f]{8})$/;

/**
 * `<host>-<process id>-<instance>`: the instance tells a process from an earlier one with the same id. In a container every
 * service has the id 1. Where the system says when a process has started, that is its instance.
 */
export class HostProcesses implements ProcessRegistry {
  readonly self: string;
  private readonly host = hostTag();

  constructor() {
    this.self = `${this.host}-${process.pid}-${startOf(process.pid) ?? randomBytes(4).toString('hex')}`;
  }

  isGone(name: string): boolean {
    const [, host, processId] = NAME.exec(name) ?? [];
    if (host !== this.host || name === this.self) return false;
    return Number(processId) === process.pid || !isAlive(Number(processId));
  }

  isRunning(name: string): boolean {
    const [, host, processId, instance] = NAME.exec(name) ?? [];
    return name === this.self || (host === this.host && startOf(Number(processId)) === instance);
  }
}

function hostTag(): string {
  const facts = [hostname(), machineId(), pidNamespace()];
  return createHash('sha256').update(facts.join('\n')).digest('hex').slice(0, 12);
}

/** Machines may share a host name and first namespace number. */
function machineId(): string {
  try {
    return readFileSync('/etc/machine-id', 'utf8').trim();
  } catch {
    return '';
  }
}

/** Containers may share a host name, but not a namespace. */
function pidNamespace(): string {
  try {
    return readlinkSync('/proc/self/ns/pid');
  } catch {
    return '';
  }
}

/** Ticks since the machine has started, whatever its clock shows: proc_pid_stat(5), the 22nd field. */
function startOf(processId: number): string | undefined {
  try {
    const stat = readFileSync(`/proc/${processId}/stat`, 'utf8');
    // The second field is a name in brackets, with any characters.
    const start = stat.slice(stat.lastIndexOf(')') + 2).split(' ')[22 - 3];
    return (Number(start) % 2 ** 32).toString(16).padStart(8, '0');
  } catch {
    return undefined;
  }
}

function isAlive(processId: number): boolean {
  try {
    process.kill(processId, 0);
    return true;
  } catch (error) {
    // EPERM: the process exists and belongs to another user.
    return error instanceof Error && 'code' in error && error.code === 'EPERM';
  }
}
