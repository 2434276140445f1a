import { pino } from 'pino';

type LogDestination = ReturnType<typeof pino.destination>;

/** What waits for a reader that has stopped reading. Beyond it lines are lost, rather than the service for want of memory. */
export const MAX_WAITING_BYTES = 16 * 1024 * 1024;

/** How long what is left may take to go out in the end. */
const FLUSH_MS = 1_000;

/**
 * Written while the next request is worked on, many lines at a time: to hand over each would cost more than to make it. A
 * line is out within a tenth of a second. Where lines cannot be written the service goes on, and tries again with the next.
 */
export function openLogDestination(fileDescriptor: number): LogDestination {
  const destination = pino.destination({
    dest: fileDescriptor,
    sync: false,
    minLength: 4_096,
    maxLength: MAX_WAITING_BYTES,
    periodicFlush: 100,
  });
  return destination.on('error', () => undefined);
}

/** Writes what is left, for a process that is about to end. What cannot be written is given up: at exit pino would try for ever. */
export async function flushLog(destination: LogDestination): Promise<void> {
  const isOut = await new Promise<boolean>((resolve) => {
    const patience = setTimeout(resolve, FLUSH_MS, false);
    destination.flush((error) => {
      clearTimeout(patience);
      // Syncing the log is tried, too, which pipes do not know.
      resolve(!(error instanceof Error && 'syscall' in error && error.syscall === 'write'));
    });
  });
  if (!isOut) destination.flushSync = () => undefined;
}
