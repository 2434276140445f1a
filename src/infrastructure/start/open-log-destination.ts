import { pino } from 'pino';

type LogDestination = ReturnType<typeof pino.destination>;

/** Beyond it, lines are dropped to bound the memory. */
export const MAX_WAITING_BYTES = 16 * 1024 * 1024;

const FLUSH_MS = 1_000;

/**
 * Writes many lines at a time, each within 100 ms: a write costs more than making its line. If lines cannot be written, the
 * service continues without them.
 */
export function openLogDestination(fileDescriptor: number): LogDestination {
  const destination = pino.destination({
    dest: fileDescriptor,
    sync: false,
    minLength: 12_288,
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
  // pino calls this at exit, and would retry forever.
  destination.flushSync = () => {
    if (isWritable) flushSync();
  };
  return destination;
}

/** Resolves to `false` if a thread still waits for the reader: the process cannot exit before it. */
export async function flushLog(destination: LogDestination): Promise<boolean> {
  return await new Promise<boolean>((resolve) => {
    const timeout = setTimeout(resolve, FLUSH_MS, false);
    // Twice: while a write is under way, the first one resolves with its end, and newer lines still wait.
    destination.flush(() =>
      destination.flush(() => {
        clearTimeout(timeout);
        resolve(true);
      }),
    );
  });
}
