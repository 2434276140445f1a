import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net';

/** What the proxy does with the first COMMIT and its connection. */
export type CommitFate =
  /** The server commits, but the client gets no response. */
  | 'loses the response'
  /** The server gets no COMMIT, and notices that the client has disconnected. */
  | 'is lost'
  /** The client loses its connection while the COMMIT is still in transit: see `deliver`. */
  | 'is late';

/** A TCP proxy in front of a Postgres server that cuts the connection at a COMMIT. */
export class CommitProxy {
  readonly #sockets = new Set<Socket>();
  #late: (() => void) | undefined;

  private constructor(
    private readonly server: Server,
    private fate: CommitFate | undefined,
  ) {}

  static async start(serverPort: number, fate: CommitFate): Promise<CommitProxy> {
    const server = createServer();
    const proxy = new CommitProxy(server, fate);
    server.on('connection', (client) => proxy.#pipe(client, connect(serverPort, '127.0.0.1')));
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    return proxy;
  }

  get port(): number {
    return (this.server.address() as AddressInfo).port;
  }

  /** Delivers the delayed COMMIT. */
  deliver(): void {
    this.#late?.();
  }

  async stop(): Promise<void> {
    for (const socket of this.#sockets) socket.destroy();
    this.server.close();
    await once(this.server, 'close');
  }

  #pipe(client: Socket, database: Socket): void {
    for (const socket of [client, database]) {
      this.#sockets.add(socket);
      socket.on('error', () => undefined);
    }
    database.on('data', (response) => client.write(response));
    database.on('close', () => client.destroy());
    const clientClosed = (): void => void database.destroy();
    client.on('close', clientClosed);
    client.on('data', (request) => {
      if (this.fate === undefined || !request.includes('COMMIT')) return void database.write(request);
      const fate = this.fate;
      this.fate = undefined;
      client.off('close', clientClosed);
      if (fate === 'loses the response') database.write(request);
      if (fate === 'is lost') database.destroy();
      if (fate === 'is late') this.#late = (): void => void database.write(request);
      client.destroy();
    });
  }
}
