import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net';

/** What becomes of the first COMMIT that comes by, and of its connection. */
export type CommitFate =
  /** It is done, and nobody hears of it. */
  | 'loses its answer'
  /** It does not arrive, and the server notices that the client is gone. */
  | 'is lost'
  /** The client hears that the connection is lost while the COMMIT is still on its way: see `deliver`. */
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

  /** Lets the COMMIT that is late arrive. */
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
    database.on('data', (answer) => client.write(answer));
    database.on('close', () => client.destroy());
    const clientClosed = (): void => void database.destroy();
    client.on('close', clientClosed);
    client.on('data', (request) => {
      if (this.fate === undefined || !request.includes('COMMIT')) return void database.write(request);
      const fate = this.fate;
      this.fate = undefined;
      client.off('close', clientClosed);
      if (fate === 'loses its answer') database.write(request);
      if (fate === 'is lost') database.destroy();
      if (fate === 'is late') this.#late = (): void => void database.write(request);
      client.destroy();
    });
  }
}
