import { createHash, randomBytes } from 'node:crypto';
import { readFileSync, readlinkSync } from 'node:fs';
import { hostname } from 'node:os';
import type { ProcessRegistry } from '../../domain/ports/process/process-registry.ts';

const NAME = /^([0-9a-f]{12})-(\d{1,10})-([0-9a-f]{8})$/;

/**
 * `<host>-<process id>-<instance>`: the instance tells a process from an earlier one with the same id. In a container every
 * service has the id 1.
 */
export class HostProcesses implements ProcessRegistry {
  readonly self: string;
  private readonly host = hostTag();

  constructor() {
    this.self = `${this.host}-${process.pid}-${randomBytes(4).toString('hex')}`;
  }

  isGone(name: string): boolean {
    const [, host, processId] = NAME.exec(name) ?? [];
    if (host !== this.host || name === this.self) return false;
    return Number(processId) === process.pid || !isAlive(Number(processId));
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

function isAlive(processId: number): boolean {
  try {
    process.kill(processId, 0);
    return true;
  } catch (error) {
    // EPERM: the process exists and belongs to another user.
    return error instanceof Error && 'code' in error && error.code === 'EPERM';
  }
}
