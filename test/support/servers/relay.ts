import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net';

/** What the relay forwards: bytes, or `cut`, which ends the connection, or `stop`, which stalls it. */
export type OnTheWay = (bytes: Buffer) => Buffer | 'cut' | 'stop';

const UNCHANGED: OnTheWay = (bytes) => bytes;

/** A relay between a client and a server on loopback that can damage, cut or stall connections. */
export class Relay {
  /** Applied to bytes for the server. */
  there: OnTheWay = UNCHANGED;
  /** Applied to bytes for the client. */
  back: OnTheWay = UNCHANGED;
  private readonly sockets = new Set<Socket>();

  private constructor(
    private readonly server: Server,
    private readonly target: number,
  ) {
    server.on('connection', (client) => this.relay(client));
  }

  static async to(endpoint: string): Promise<Relay> {
    const server = createServer().listen(0, '127.0.0.1');
    await once(server, 'listening');
    return new Relay(server, Number(new URL(endpoint).port));
  }

  get endpoint(): string {
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}`;
  }

  /** Stops listening at its address. */
  async close(): Promise<void> {
    const closed = once(this.server, 'close');
    this.server.close();
    for (const socket of this.sockets) socket.destroy();
    await closed;
  }

  private relay(client: Socket): void {
    const server = connect(this.target, '127.0.0.1');
    const cut = (): void => {
      client.destroy();
      server.destroy();
    };
    for (const socket of [client, server]) {
      this.sockets.add(socket);
      socket
        .on('error', cut)
        .on('close', cut)
        .once('close', () => this.sockets.delete(socket));
    }
    client.on('data', (bytes) => pass(this.there(bytes), client, server, cut));
    server.on('data', (bytes) => pass(this.back(bytes), server, client, cut));
  }
}

function pass(bytes: Buffer | 'cut' | 'stop', from: Socket, to: Socket, cut: () => void): void {
  if (bytes === 'cut') cut();
  else if (bytes === 'stop') from.pause();
  else if (!to.write(bytes)) {
    from.pause();
    to.once('drain', () => from.resume());
  }
}
