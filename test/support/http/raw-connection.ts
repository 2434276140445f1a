import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import type { ReceivedResponse, SentRequest } from '../openapi/described-api.ts';

export interface RawResponse {
  readonly status: number;
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

type CheckResponse = (request: SentRequest, response: ReceivedResponse) => void;

const REQUEST_LINE = /^([A-Z]+) (\S+) HTTP\/1\.1\r\n/;

/** A connection on which a test sends exact bytes at exact times, and reads the exact responses. */
export class RawConnection {
  /** Resolves when both sides have closed. */
  readonly closed: Promise<unknown>;
  readonly #unanswered: SentRequest[] = [];
  #received = Buffer.alloc(0);
  #ended = false;
  #wake: () => void = () => {};

  private constructor(
    private readonly socket: Socket,
    private readonly check: CheckResponse,
  ) {
    this.closed = new Promise((resolve) => socket.once('close', resolve));
    // A server may close by a reset; the tests check the bytes before it.
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

  /** @param check gets each final response of a request whose head was sent in one piece */
  static async open(port: number, check: CheckResponse = () => {}): Promise<RawConnection> {
    const socket = connect({ port, host: '127.0.0.1', noDelay: true });
    await once(socket, 'connect');
    return new RawConnection(socket, check);
  }

  /** Received bytes that no `response` has consumed. */
  get pending(): string {
    return this.#received.toString('latin1');
  }

  send(data: string | Uint8Array): void {
    this.socket.write(data);
    const [, method, path] = REQUEST_LINE.exec(data.toString()) ?? [];
    if (method !== undefined && path !== undefined) this.#unanswered.push({ method, path });
  }

  /** Resets the connection. */
  abandon(): void {
    this.socket.resetAndDestroy();
  }

  end(): void {
    this.socket.end();
  }

  /** Closes the connection, as at the end of a process. */
  close(): void {
    this.socket.destroy();
  }

  /** Stops reading from the socket, so that the data of the server accumulates. */
  pause(): void {
    this.socket.pause();
  }

  /** Waits for this many bytes, consumes the received bytes, and stops reading. Resolves to the number of bytes. */
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
    if (head.status >= 200) this.#check({ ...head, body });
    return { ...head, body };
  }

  #check({ status, headers, body }: RawResponse): void {
    const request = this.#unanswered.shift();
    // `#body` does not read chunks.
    const text = 'transfer-encoding' in headers ? undefined : body;
    if (request !== undefined) this.check(request, { status, headers, text });
  }

  /** Resolves at the first bytes of a response, and stops reading from the socket. */
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

  /** Supports only bodies with `Content-Length`, because the tests read no others. */
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
