import { execFile } from 'node:child_process';
import { promisify } from 'node:util';

const run = promisify(execFile);

/** Helpers work for some milliseconds. One that a signal has stopped would hold the start of a decoder for ever. */
const HELPER_TIMEOUT_MS = 10_000;

/** A helper that a signal has ended. It says nothing about what the system allows. */
export class HelperInterrupted extends Error {}

/**
 * Runs a small program of the system, without the environment of the service, and kills it after a time.
 *
 * @throws {HelperInterrupted} if a signal has ended it, such as the one at the end of the time
 * @throws if it cannot be run, or fails
 */
export async function runHelper(
  program: string,
  args: readonly string[],
  timeoutMs: number = HELPER_TIMEOUT_MS,
): Promise<void> {
  try {
    await run(program, args, { env: {}, timeout: timeoutMs, killSignal: 'SIGKILL' });
  } catch (error) {
    const { killed = false, signal = null } = error as { killed?: boolean; signal?: NodeJS.Signals | null };
    if (killed) {
      throw new HelperInterrupted(`${program} was killed, because it took more than ${timeoutMs} ms`);
    }
    // A filter of system calls ends a program by SIGSYS: that is an answer.
    if (signal !== null && signal !== 'SIGSYS') {
      throw new HelperInterrupted(`${program} was ended by ${signal}`);
    }
    throw error;
  }
}
