import { pino } from 'pino';

/** What waits for a reader that has stopped reading. Beyond it lines are lost, rather than the service for want of memory. */
export const MAX_WAITING_BYTES = 16 * 1024 * 1024;

/**
 * Written while the next request is worked on, many lines at a time: to hand over each would cost more than to make it. A
 * line is out within a tenth of a second; what is left goes out at exit.
 */
export function openLogDestination(fileDescriptor: number): ReturnType<typeof pino.destination> {
  return pino.destination({
    dest: fileDescriptor,
    sync: false,
    minLength: 4_096,
    maxLength: MAX_WAITING_BYTES,
    periodicFlush: 100,
  });
}
