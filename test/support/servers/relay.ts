import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net';

/**
 * What the relay forwards: bytes, or `cut`, which ends the connection, or `stop`, which stalls it. `keep` ends the connection of the
 * client alone: its bytes are still in transit.
 */
export type OnTheWay = (bytes: Buffer) => Buffer | 'cut' | 'stop' | 'keep';

const UNCHANGED: OnTheWay = (bytes) => bytes;

/** A relay between a client and a server on loopback that can damage, cut or stall connections. */
export class Relay {
  /** Applied to bytes for the server. */
  there: OnTheWay = UNCHANGED;
  /** Applied to bytes for the client. */
  back: OnTheWay = UNCHANGED;
  /** Forwards what is kept. */
  deliver = (): void => {};
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
    const keep = (bytes: Buffer): void => {
      client.off('close', cut).destroy();
      this.deliver = () => void server.write(bytes);
    };
    client.on('data', (bytes) => {
      const passed = this.there(bytes);
      if (passed === 'keep') keep(bytes);
      else pass(passed, client, server, cut);
    });
    server.on('data', (bytes) => pass(this.back(bytes), server, client, cut));
  }
}

function pass(bytes: ReturnType<OnTheWay>, from: Socket, to: Socket, cut: () => void): void {
  if (bytes === 'cut' || bytes === 'keep') cut();
  else if (bytes === 'stop') from.pause();
  else if (!to.write(bytes)) {
    from.pause();
    to.once('drain', () => from.resume());
  }
}
