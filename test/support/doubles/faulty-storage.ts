import { execFileSync, spawnSync } from 'node:child_process';
import { mkdirSync, rmSync, statfsSync, statSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { RunningCatalog } from '../servers/running-catalog.ts';

const isRoot = process.getuid?.() === 0;

/** A command that makes a process respect file permissions, which root does not. `undefined` if there is none. */
export const WITHOUT_POWERS: readonly string[] | undefined = withoutPowers();

function withoutPowers(): readonly string[] | undefined {
  if (!isRoot) return [];
  return runs('setpriv', '--version') ? ['setpriv', '--inh-caps=-all', '--bounding-set=-all'] : undefined;
}

/** Whether `limitFileSizes` is available. */
export const CAN_LIMIT_FILES = runs('prlimit', '--version');

/** Makes every write after the first `bytes` of a file fail, as on a full disk. Without `bytes` writes succeed again. */
export function limitFileSizes({ process: { pid } }: RunningCatalog, bytes?: number): void {
  execFileSync('prlimit', ['--pid', String(pid), `--fsize=${bytes ?? 'unlimited'}:unlimited`]);
}

/** A file system of its own. */
export interface SmallDisk {
  readonly path: string;
  /** Leaves this many bytes free, rounded to a page. */
  fill(leaving: number): void;
  free(): void;
  remove(): void;
}

/** A disk in memory of this size; `undefined` if it cannot be mounted, which requires root on Linux. */
export function mountSmallDisk(path: string, bytes: number): SmallDisk | undefined {
  mkdirSync(path, { recursive: true });
  if (!isRoot || !runs('mount', '-t', 'tmpfs', '-o', `size=${bytes}`, 'tmpfs', path)) return undefined;
  const filler = join(path, 'filler');
  const free = (): void => rmSync(filler, { force: true });
  return {
    path,
    free,
    fill: (leaving) => {
      free();
      const room = freeBytes(path) - leaving;
      try {
        writeFileSync(filler, Buffer.alloc(Math.max(0, room)));
      } catch (error) {
        // Something else, like a journal of the database, took space since it was counted.
        if (!isFull(error)) throw error;
        const excess = leaving - freeBytes(path);
        truncateSync(filler, Math.max(0, statSync(filler).size - excess));
      }
    },
    remove: () => void execFileSync('umount', ['-l', path]),
  };
}

function freeBytes(path: string): number {
  const { bavail, bsize } = statfsSync(path);
  return bavail * bsize;
}

function isFull(error: unknown): boolean {
  return (error as NodeJS.ErrnoException).code === 'ENOSPC';
}

function runs(command: string, ...args: readonly string[]): boolean {
  return spawnSync(command, args, { stdio: 'ignore' }).status === 0;
}
