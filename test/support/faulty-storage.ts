import { execFileSync, spawnSync } from 'node:child_process';
import { mkdirSync, rmSync, statfsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { RunningCatalog } from './running-catalog.ts';

const isRoot = process.getuid?.() === 0;

/** What makes the permissions of files count for a process: for root they do not. `undefined` where nothing does. */
export const WITHOUT_POWERS: readonly string[] | undefined = withoutPowers();

function withoutPowers(): readonly string[] | undefined {
  if (!isRoot) return [];
  return runs('setpriv', '--version') ? ['setpriv', '--inh-caps=-all', '--bounding-set=-all'] : undefined;
}

/** Whether `limitFileSizes` can be had. */
export const CAN_LIMIT_FILES = runs('prlimit', '--version');

/** Makes every write beyond the first bytes of a file fail, as on a full disk; without `bytes` they succeed again. */
export function limitFileSizes({ process: { pid } }: RunningCatalog, bytes?: number): void {
  execFileSync('prlimit', ['--pid', String(pid), `--fsize=${bytes ?? 'unlimited'}:unlimited`]);
}

/** A file system of its own. */
export interface SmallDisk {
  readonly path: string;
  /** Leaves so many bytes free, to a page. */
  fill(leaving: number): void;
  free(): void;
  remove(): void;
}

/** A disk in memory of so many bytes; `undefined` where none may be mounted, which takes root on Linux. */
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
      const { bavail, bsize } = statfsSync(path);
      writeFileSync(filler, Buffer.alloc(Math.max(0, bavail * bsize - leaving)));
    },
    remove: () => void execFileSync('umount', ['-l', path]),
  };
}

/** Says why a test is not run; skips it. */
export function skipAloud(test: Mocha.Context, reason: string): never {
  console.warn(`      ${reason}: skipped`);
  return test.skip();
}

function runs(command: string, ...args: readonly string[]): boolean {
  return spawnSync(command, args, { stdio: 'ignore' }).status === 0;
}
