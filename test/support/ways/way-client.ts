import { randomUUID } from 'node:crypto';
import type { CapturedLog } from '../doubles/captured-log.ts';

const WIDTHS = [16, 32, 48, 96, 128, 256];

interface WayRequest extends RequestInit {
  readonly headers?: Readonly<Record<string, string>>;
}

/** Sends requests to a service of this process, one after the other. */
export class WayClient {
  #widths = [...WIDTHS];

  constructor(
    private readonly url: string,
    private readonly token: string,
    private readonly log: CapturedLog,
  ) {}

  /** Resolves when the service has logged the request, its last step. */
  async send(status: number, path: string, init: WayRequest = {}): Promise<void> {
    await this.#fetch(status, path, init);
  }

  /** Resolves to the id of the image. */
  async upload(bytes: Uint8Array): Promise<number> {
    const body = new FormData();
    body.set('file', new Blob([bytes]), 'cat.jpg');
    const text = await this.#fetch(201, '/api/upload', { method: 'POST', body });
    return (JSON.parse(text) as { readonly id: number }).id;
  }

  /** A side of no rendition so far. */
  unusedWidth(): number {
    const width = this.#widths.shift();
    if (width === undefined) throw new TypeError('All widths are used');
    return width;
  }

  async #fetch(status: number, path: string, init: WayRequest): Promise<string> {
    const requestId = randomUUID();
    const headers = { Authorization: `Bearer ${this.token}`, ...init.headers, 'X-Request-Id': requestId };
    const response = await fetch(`${this.url}${path}`, { ...init, headers });
    const text = await response.text();
    if (response.status !== status) {
      throw new Error(`${path} returned ${response.status} ${text.slice(0, 200)}`);
    }
    await this.log.entry((entry) => entry['requestId'] === requestId && entry.msg === 'request');
    return text;
  }
}
