import { pino } from 'pino';

/*
 * Replaces `flushSync` of a destination of pino (10.4, with sonic-boom 4.2). pino calls it at exit, and it retries forever if the lines
 * cannot be written. Unnecessary when it has a bound.
 */

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
  destination.flushSync = () => {
    if (isWritable) flushSync();
  };
  return destination;
}
