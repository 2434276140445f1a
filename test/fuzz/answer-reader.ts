import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { guarded } from '../support/time/guarded.ts';

export interface WireResponse {
  readonly status: number;
  /** Names in lower case; values of one name are joined. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Buffer;
}

/** Reads responses from a connection and determines their end by RFC 9112, section 6.3, only. */
export class ResponseReader {
  isOpen = true;
  private received: Buffer = Buffer.alloc(0);
  private wake: () => void = () => undefined;

  private constructor(private readonly socket: Socket) {
    // The kind of the end does not matter; the bytes before it do.
    socket.on('error', () => undefined);
    socket.on('data', (chunk: Buffer) => {
      this.received = Buffer.concat([this.received, chunk]);
      this.wake();
    });
    socket.once('close', () => this.closed());
    socket.once('end', () => this.closed());
  }

  /** @throws {Error} `ECONNREFUSED` if there is no listener */
  static async open(port: number): Promise<ResponseReader> {
    const socket = connect({ port, host: '127.0.0.1', noDelay: true, allowHalfOpen: true });
    await once(socket, 'connect');
    return new ResponseReader(socket);
  }

  /** Whether unread bytes arrived: a response without a request. */
  get hasMore(): boolean {
    return this.received.length > 0;
  }

  /** Resolves once the bytes have been sent or cannot be sent. */
  async write(bytes: Buffer): Promise<void> {
    if (!this.socket.writable) return;
    await new Promise<void>((resolve) => this.socket.write(bytes, () => resolve()));
  }

  /** Ends the sending side. */
  end(): void {
    this.socket.end();
  }

  reset(): void {
    this.socket.resetAndDestroy();
  }

  /**
   * The next final response; `undefined` if the connection ended without one.
   *
   * @throws {Error} if it does not arrive or is not HTTP
   */
  async next(method: string): Promise<WireResponse | undefined> {
    return await guarded(this.arrival(method), () => `the response to a ${method}`);
  }

  private async arrival(method: string): Promise<WireResponse | undefined> {
    for (;;) {
      const response = this.take(method);
      if (response !== undefined && response.status >= 200) return response;
      if (response !== undefined) continue;
      if (!this.isOpen) return this.ended();
      await new Promise<void>((resolve) => {
        this.wake = resolve;
      });
    }
  }

  private closed(): void {
    this.isOpen = false;
    this.wake();
  }

  private ended(): undefined {
    if (this.received.length > 0) {
      throw new Error(`An incomplete response: ${this.received.toString('latin1').slice(0, 500)}`);
    }
  }

  private take(method: string): WireResponse | undefined {
    const end = this.received.indexOf('\r\n\r\n');
    if (end === -1) return undefined;
    const [statusLine = '', ...lines] = this.received.subarray(0, end).toString('latin1').split('\r\n');
    const status = Number(/^HTTP\/1\.1 (\d{3}) /.exec(statusLine)?.[1]);
    if (!(status >= 100)) throw new Error(`Not a status line: ${statusLine}`);
    const headers = headersOf(lines);
    const found = this.bodyAt(end + 4, method, status, headers);
    if (found === undefined) return undefined;
    this.received = this.received.subarray(found.end);
    return { status, headers, body: found.body };
  }

  private bodyAt(
    start: number,
    method: string,
    status: number,
    headers: Readonly<Record<string, string>>,
  ): FoundBody | undefined {
    if (method === 'HEAD' || status < 200 || status === 204 || status === 304) {
      return { body: Buffer.alloc(0), end: start };
    }
    if (headers['transfer-encoding'] === 'chunked') return dechunk(this.received, start);
    if (headers['content-length'] === undefined) throw new Error('A response of unknown length');
    const end = start + Number(headers['content-length']);
    return this.received.length < end ? undefined : { body: this.received.subarray(start, end), end };
  }
}

interface FoundBody {
  readonly body: Buffer;
  readonly end: number;
}

function headersOf(lines: readonly string[]): Record<string, string> {
  const headers: Record<string, string> = {};
  for (const line of lines) {
    const [, name = '', value = ''] = /^([!-9;-~]+):[ \t]*(.*)$/.exec(line) ?? [];
    if (name === '') throw new Error(`Not a header line: ${line}`);
    const key = name.toLowerCase();
    headers[key] = headers[key] === undefined ? value : `${headers[key]}, ${value}`;
  }
  return headers;
}

function dechunk(bytes: Buffer, start: number): FoundBody | undefined {
  const chunks: Buffer[] = [];
  for (let position = start; ; ) {
    const lineEnd = bytes.indexOf('\r\n', position);
    if (lineEnd === -1) return undefined;
    const size = Number.parseInt(bytes.subarray(position, lineEnd).toString('latin1'), 16);
    const [from, to] = [lineEnd + 2, lineEnd + 2 + size];
    if (bytes.length < to + 2) return undefined;
    if (size === 0) return { body: Buffer.concat(chunks), end: to + 2 };
    chunks.push(bytes.subarray(from, to));
    position = to + 2;
  }
}
