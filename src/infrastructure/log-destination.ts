import { pino } from 'pino';

type LogDestination = ReturnType<typeof pino.destination>;

/** What waits for a reader that has stopped reading. Beyond it lines are lost, rather than the service for want of memory. */
export const MAX_WAITING_BYTES = 16 * 1024 * 1024;

/** How long what is left may take to go out in the end. */
const FLUSH_MS = 1_000;

/**
 * Written while the next request is worked on, many lines at a time: to hand over each would cost more than to make it. A
 * line is out within a tenth of a second. Where lines cannot be written the service goes on without.
 */
export function openLogDestination(fileDescriptor: number): LogDestination {
  const destination = pino.destination({
    dest: fileDescriptor,
    sync: false,
    minLength: 4_096,
    maxLength: MAX_WAITING_BYTES,
    periodicFlush: 100,
  });
  let isWritable = true;
  destination.on('error', () => {
    isWritable = false;
  });
  destination.on('write', () => {
    isWritable = true;
  });
  const flushSync = destination.flushSync.bind(destination);
  // Called by pino at exit, where it would try for ever.
  destination.flushSync = () => {
    if (isWritable) flushSync();
  };
  return destination;
}

/**
 * Writes what is left, for a process that is about to end.
 *
 * @returns false where nobody reads it: a thread waits for that still, and the process cannot exit before it
 */
export async function flushLog(destination: LogDestination): Promise<boolean> {
  return await new Promise<boolean>((resolve) => {
    const patience = setTimeout(resolve, FLUSH_MS, false);
    destination.flush(() => {
      clearTimeout(patience);
      resolve(true);
    });
  });
}
