import { once } from 'node:events';
import { connect, type Socket } from 'node:net';

export interface RawResponse {
  readonly status: number;
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/** A connection on which a test says exactly what it wants, when it wants, and hears exactly what comes back. */
export class RawConnection {
  /** When both sides have closed. */
  readonly closed: Promise<unknown>;
  #received = Buffer.alloc(0);
  #ended = false;
  #wake: () => void = () => {};

  private constructor(private readonly socket: Socket) {
    this.closed = new Promise((resolve) => socket.once('close', resolve));
    // A reset is one of the ways in which a server closes; what came before it is what counts.
    socket.on('error', () => {});
    socket.on('data', (chunk) => {
      this.#received = Buffer.concat([this.#received, chunk]);
      this.#wake();
    });
    void this.closed.then(() => {
      this.#ended = true;
      this.#wake();
    });
  }

  static async open(port: number): Promise<RawConnection> {
    const socket = connect({ port, host: '127.0.0.1', noDelay: true });
    await once(socket, 'connect');
    return new RawConnection(socket);
  }

  /** Bytes that came and that no `response` has taken. */
  get pending(): string {
    return this.#received.toString('latin1');
  }

  /** How many bytes the operating system has taken of what was sent. */
  get bytesSent(): number {
    return this.socket.bytesWritten - this.socket.writableLength;
  }

  send(data: string | Uint8Array): void {
    this.socket.write(data);
  }

  /** Leaves without a word. */
  abandon(): void {
    this.socket.resetAndDestroy();
  }

  end(): void {
    this.socket.end();
  }

  /** Lets go of the connection, as a process does that ends. */
  close(): void {
    this.socket.destroy();
  }

  /** Takes nothing more from the socket, so that what the server sends piles up. */
  pause(): void {
    this.socket.pause();
  }

  /** Takes what has come, once it is so much, and lets no more come than that; bytes taken. */
  async swallow(bytes: number): Promise<number> {
    this.socket.resume();
    await this.#until(() => (this.#received.length >= bytes ? true : undefined));
    this.pause();
    return this.#take(this.#received.length).length;
  }

  /** The next response, interim ones (1xx) included. */
  async response(): Promise<RawResponse> {
    const head = await this.#until(() => this.#head());
    const body = await this.#until(() => this.#body(head));
    return { ...head, body };
  }

  /** When the first bytes of a response are here; nothing more is taken from the socket then. */
  async begun(): Promise<void> {
    await this.#until(() => (this.#received.length > 0 ? true : undefined));
    this.pause();
  }

  async #until<T>(take: () => T | undefined): Promise<T> {
    for (;;) {
      const taken = take();
      if (taken !== undefined) return taken;
      if (this.#ended) throw new Error(`The connection closed after: ${JSON.stringify(this.pending)}`);
      await new Promise<void>((resolve) => {
        this.#wake = resolve;
      });
    }
  }

  #head(): Omit<RawResponse, 'body'> | undefined {
    const end = this.#received.indexOf('\r\n\r\n');
    if (end === -1) return undefined;
    const [statusLine = '', ...lines] = this.#take(end + 4)
      .toString('latin1')
      .trimEnd()
      .split('\r\n');
    const headers = lines.map((line): [string, string] => {
      const colon = line.indexOf(':');
      return [line.slice(0, colon).toLowerCase(), line.slice(colon + 1).trim()];
    });
    return { status: Number(statusLine.split(' ')[1]), headers: Object.fromEntries(headers) };
  }

  /** Only of announced length: no test here reads another. */
  #body({ headers }: Omit<RawResponse, 'body'>): string | undefined {
    const length = Number(headers['content-length'] ?? 0);
    return this.#received.length < length ? undefined : this.#take(length).toString('utf8');
  }

  #take(length: number): Buffer {
    const taken = this.#received.subarray(0, length);
    this.#received = this.#received.subarray(length);
    return taken;
  }
}

/** The head of a request, with the blank line that ends it. */
export function requestHead(
  method: string,
  path: string,
  headers: Readonly<Record<string, string | number>> = {},
): string {
  const lines = Object.entries({ Host: 'localhost', ...headers }).map(
    ([name, value]) => `${name}: ${value}\r\n`,
  );
  return `${method} ${path} HTTP/1.1\r\n${lines.join('')}\r\n`;
}
