import { spawnSync } from 'node:child_process';

/** @param args with which the program ends with 0 */
export function isInstalled(program: string, args: readonly string[] = ['--version']): boolean {
  return spawnSync(program, args).status === 0;
}
