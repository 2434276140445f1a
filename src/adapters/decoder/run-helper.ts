import { execFile } from 'node:child_process';
import { promisify } from 'node:util';

const run = promisify(execFile);

/** Helpers work for some milliseconds. One that a signal has stopped would hold the start of a decoder for ever. */
const HELPER_TIMEOUT_MS = 10_000;

interface HelperLimits {
  readonly timeoutMs?: number;
  /** Kills it. */
  readonly stopped?: AbortSignal;
}

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
  { timeoutMs = HELPER_TIMEOUT_MS, stopped }: HelperLimits = {},
): Promise<void> {
  try {
    await run(program, args, {
      env: {},
      timeout: timeoutMs,
      killSignal: 'SIGKILL',
      ...(stopped && { signal: stopped }),
    });
  } catch (error) {
    throw interruptionOf(program, error) ?? error;
  }
}

/** `undefined` if the program has failed by itself. A filter of system calls ends it by SIGSYS, which is an answer too. */
function interruptionOf(program: string, error: unknown): HelperInterrupted | undefined {
  const { killed, signal } = error as { killed?: boolean; signal?: NodeJS.Signals | null };
  if ((error as Error).name === 'AbortError') return new HelperInterrupted(`${program} was stopped`);
  if (killed === true) return new HelperInterrupted(`${program} was killed, because it did not end in time`);
  if (typeof signal !== 'string' || signal === 'SIGSYS') return undefined;
  return new HelperInterrupted(`${program} was ended by ${signal}`);
}
