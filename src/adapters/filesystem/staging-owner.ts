import { createHash } from 'node:crypto';
import { readlinkSync } from 'node:fs';
import { hostname } from 'node:os';

/** Names the machine, or the container, in which a process id means something. */
function hostTag(): string {
  return createHash('sha256').update(`${hostname()}\n${pidNamespace()}`).digest('hex').slice(0, 12);
}

/** Containers may share a host name and never share process ids; empty where the system has no such thing. */
function pidNamespace(): string {
  try {
    return readlinkSync('/proc/self/ns/pid');
  } catch {
    return '';
  }
}

const HOST_TAG = hostTag();

/** Says in a file's name which process needs it, so that what a dead one left can be told from work under way. */
export function stagingFileName(uuid: string): string {
  return `${HOST_TAG}-${process.pid}-${uuid}.part`;
}

export type StagingOwner = 'this-process' | 'alive' | 'dead' | 'elsewhere' | 'foreign';

const STAGING_FILE = /^([0-9a-f]{12})-(\d+)-[0-9a-f-]{36}\.part$/;

/** Who needs a file of the staging area; `foreign` where its name is not one that `stagingFileName` makes. */
export function stagingOwnerOf(fileName: string): StagingOwner {
  const match = STAGING_FILE.exec(fileName);
  if (match === null) return 'foreign';
  if (match[1] !== HOST_TAG) return 'elsewhere';
  const pid = Number(match[2]);
  if (pid === process.pid) return 'this-process';
  return isAlive(pid) ? 'alive' : 'dead';
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    // EPERM: it is there and belongs to somebody else.
    return error instanceof Error && 'code' in error && error.code === 'EPERM';
  }
}
