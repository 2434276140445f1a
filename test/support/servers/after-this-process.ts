import { spawn } from 'node:child_process';

/**
 * Runs a shell script after this process has ended, also by SIGKILL. A handler of `exit` is not enough: Mocha gives its workers
 * one second for all handlers together.
 *
 * @param script must not read its standard input
 * @param args its `$1`, `$2`, …
 */
export function runAfterThisProcess(script: string, ...args: readonly string[]): void {
  // The input of the shell ends with this process.
  const shell = spawn('sh', ['-c', `cat >/dev/null\n${script}`, 'sh', ...args], {
    // Ctrl-C must not end the shell.
    detached: true,
    stdio: ['pipe', 'ignore', 'ignore'],
  });
  shell.unref();
  (shell.stdin as unknown as { unref(): void }).unref();
}
