import { spawn } from 'node:child_process';

/**
 * Runs a shell script once this process has ended, by SIGKILL, too. A handler of `exit` is not enough: Mocha gives its workers
 * one second for all handlers together.
 *
 * @param script must leave its input alone
 * @param args its `$1`, `$2`, …
 */
export function runAfterThisProcess(script: string, ...args: readonly string[]): void {
  // The input of the shell ends with this process.
  const shell = spawn('sh', ['-c', `cat >/dev/null\n${script}`, 'sh', ...args], {
    // Ctrl-C is not for the shell.
    detached: true,
    stdio: ['pipe', 'ignore', 'ignore'],
  });
  shell.unref();
  (shell.stdin as unknown as { unref(): void }).unref();
}
