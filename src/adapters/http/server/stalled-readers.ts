import type { Server } from 'node:http';
import type { Socket } from 'node:net';
import type { Timer } from '../../../domain/ports/process/timer.ts';

/** A client may take nothing for the time of so many checks; before the first of them at most another one passes. */
const CHECKS = 30;
const CHECK_INTERVAL_MS = 1_000;

/** Node keeps it to itself, but its own timer of a socket reads it, too. */
interface SocketHandle {
  /** Includes those that are still queued. */
  readonly bytesWritten: number;
  /** Bytes that the system has not taken yet, because the client reads none. */
  readonly writeQueueSize: number;
}

type Sender = Pick<Socket, 'destroy'> & { readonly _handle?: SocketHandle | null };

interface Seen {
  readonly taken: number;
  readonly checks: number;
}

/**
 * Disconnects clients that take nothing although bytes are to be sent, of whatever response. Node's own timer of a socket is not used:
 * it starts again when it finds a write taken in part, and also ends connections that wait for the service.
 */
export class StalledReaders {
  private readonly seen = new Map<Sender, Seen>();

  /** Looks at the connections of the server until it is closed. */
  static watch(server: Server, timer: Timer): void {
    const readers = new StalledReaders();
    const look = (): (() => void) =>
      timer(CHECK_INTERVAL_MS, () => {
        readers.check();
        cancel = look();
      });
    let cancel = (): void => {};
    server.once('listening', () => {
      cancel = look();
    });
    server.on('connection', (socket: Socket) => {
      readers.seen.set(socket, { taken: 0, checks: 0 });
      socket.once('close', () => readers.seen.delete(socket));
    });
    server.once('close', () => cancel());
  }

  private check(): void {
    for (const [socket, { taken: before, checks }] of this.seen) {
      const { bytesWritten = 0, writeQueueSize = 0 } = socket._handle ?? {};
      const taken = bytesWritten - writeQueueSize;
      const stalled = writeQueueSize > 0 && taken === before ? checks + 1 : 0;
      if (stalled >= CHECKS) socket.destroy();
      this.seen.set(socket, { taken, checks: stalled });
    }
  }
}
