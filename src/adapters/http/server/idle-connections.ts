import type { Server } from 'node:http';
import type { Socket } from 'node:net';
import type { Logger } from 'pino';
import type { Timer } from '../../../domain/ports/process/timer.ts';

export interface IdleConnectionsOptions {
  /** Of one listener. */
  readonly maxConnections: number;
  readonly timer: Timer;
  readonly log: Pick<Logger, 'warn'>;
}

interface Connection {
  readonly socket: Socket;
  isOpen: boolean;
  /** Whose responses have not ended. A request begins when its head has arrived. */
  requests: number;
  /** When it was last looked at. */
  bytesRead: number;
  /** The neighbours in the list of idle connections. */
  older: Connection | undefined;
  newer: Connection | undefined;
}

const LOOK_EVERY_MS = 1_000;
const LOOKS_BETWEEN_LINES = 60;

/**
 * Bounds the connections of a server. At the limit the connection that has been idle longest is closed for a new one. If each has a
 * request under way, the new one is closed. Node.js with `maxConnections` would always close the new one, so a client could keep all
 * others out with connections that it does not use.
 *
 * The idle connections are a linked list, so that each event takes the same time however many there are.
 */
export class IdleConnections {
  private readonly connections = new WeakMap<Socket, Connection>();
  private open = 0;
  private oldest: Connection | undefined;
  private newest: Connection | undefined;
  private looksUntilLine = 0;

  private constructor(private readonly options: IdleConnectionsOptions) {}

  /** Bounds the connections of the server until it is closed. */
  static bound(server: Server, options: IdleConnectionsOptions): IdleConnections {
    const idle = new IdleConnections(options);
    const look = (): (() => void) =>
      options.timer(LOOK_EVERY_MS, () => {
        idle.look();
        cancel = look();
      });
    let cancel = (): void => {};
    server.once('listening', () => {
      cancel = look();
    });
    server.once('close', () => cancel());
    server.on('connection', (socket: Socket) => idle.add(socket));
    return idle;
  }

  /** To be called at the begin of a request: its connection is not idle before `ended` was called as often. */
  began(socket: Socket): void {
    const connection = this.connections.get(socket);
    if (connection === undefined) return;
    if (connection.requests === 0 && connection.isOpen) this.unlink(connection);
    connection.requests += 1;
  }

  ended(socket: Socket): void {
    const connection = this.connections.get(socket);
    if (connection === undefined) return;
    connection.requests -= 1;
    if (connection.requests === 0 && connection.isOpen) this.append(connection);
  }

  private add(socket: Socket): void {
    const connection: Connection = {
      socket,
      isOpen: true,
      requests: 0,
      bytesRead: 0,
      older: undefined,
      newer: undefined,
    };
    this.connections.set(socket, connection);
    socket.once('close', () => this.forget(connection));
    if (this.open >= this.options.maxConnections) this.makeRoom();
    this.open += 1;
    this.append(connection);
    if (this.open > this.options.maxConnections) this.close(connection);
  }

  private makeRoom(): void {
    this.report();
    // Bytes may have come since the last look.
    while (this.oldest !== undefined && this.moveIfActive(this.oldest));
    if (this.oldest !== undefined) this.close(this.oldest);
  }

  /** An operator should know why connections are closed. */
  private report(): void {
    if (this.looksUntilLine > 0) return;
    this.looksUntilLine = LOOKS_BETWEEN_LINES;
    const { maxConnections, log } = this.options;
    log.warn(
      { maxConnections },
      'connection limit reached: the connection that has been idle longest is closed for each new one',
    );
  }

  private close(connection: Connection): void {
    this.forget(connection);
    connection.socket.destroy();
  }

  private forget(connection: Connection): void {
    if (!connection.isOpen) return;
    connection.isOpen = false;
    this.open -= 1;
    if (connection.requests === 0) this.unlink(connection);
  }

  /** Once a second: the bytes of a head that has not arrived as a whole cause no event. */
  private look(): void {
    this.looksUntilLine = Math.max(0, this.looksUntilLine - 1);
    const last = this.newest;
    let next = this.oldest;
    while (next !== undefined) {
      const connection: Connection = next;
      next = connection === last ? undefined : connection.newer;
      this.moveIfActive(connection);
    }
  }

  /** Returns whether bytes have come since it was last looked at. */
  private moveIfActive(connection: Connection): boolean {
    const isActive = connection.socket.bytesRead !== connection.bytesRead;
    if (isActive) {
      this.unlink(connection);
      this.append(connection);
    }
    return isActive;
  }

  private append(connection: Connection): void {
    connection.bytesRead = connection.socket.bytesRead;
    connection.older = this.newest;
    if (this.newest === undefined) this.oldest = connection;
    else this.newest.newer = connection;
    this.newest = connection;
  }

  private unlink(connection: Connection): void {
    const { older, newer } = connection;
    if (older === undefined) this.oldest = newer;
    else older.newer = newer;
    if (newer === undefined) this.newest = older;
    else newer.older = older;
    connection.older = undefined;
    connection.newer = undefined;
  }
}
