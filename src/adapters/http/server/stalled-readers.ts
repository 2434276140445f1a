import type { Server } from 'node:http';
import type { Socket } from 'node:net';

/** The timeout is the time of so many checks; before the first of them at most another one passes. */
const CHECKS = 30;

/** Node keeps it to itself, but its own timer of a socket reads it, too. */
interface SocketHandle {
  /** Includes those that are still queued. */
  readonly bytesWritten: number;
  /** Bytes that the system has not taken yet, because the client reads none. */
  readonly writeQueueSize: number;
}

type Sender = Pick<Socket, 'destroy'> & { readonly _handle?: SocketHandle | null };

/**
 * Disconnects clients that take nothing although bytes are to be sent. Node's own timer of a socket starts again when it
 * finds a write taken in part, so that such a client would hold its response for twice the timeout.
 */
export class StalledReaders {
  private readonly seen = new Map<Sender, { readonly taken: number; readonly checks: number }>();

  /** Looks at the connections of the server as long as it listens. */
  static watch(server: Server, timeoutMs: number): void {
    const readers = new StalledReaders();
    const timer = setInterval(() => readers.check(), timeoutMs / CHECKS).unref();
    server.on('connection', (socket: Socket) => {
      readers.add(socket);
      socket.once('close', () => readers.seen.delete(socket));
    });
    server.once('close', () => clearInterval(timer));
  }

  add(socket: Sender): void {
    this.seen.set(socket, { taken: 0, checks: 0 });
  }

  check(): void {
    for (const [socket, { taken: before, checks }] of this.seen) {
      const { bytesWritten = 0, writeQueueSize = 0 } = socket._handle ?? {};
      const taken = bytesWritten - writeQueueSize;
      const stalled = writeQueueSize > 0 && taken === before ? checks + 1 : 0;
      if (stalled >= CHECKS) socket.destroy();
      this.seen.set(socket, { taken, checks: stalled });
    }
  }
}
