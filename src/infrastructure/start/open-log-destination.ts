import { pino } from 'pino';

export type LogDestination = ReturnType<typeof pino.destination>;

/** Beyond it, lines are dropped to bound the memory. */
const MAX_WAITING_BYTES = 16 * 1024 * 1024;

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
