import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';

/** Resolves when the process is gone, also one that has ended by itself. */
export async function endProcess(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const exited = once(child, 'exit');
  child.kill('SIGTERM');
  await exited;
}
