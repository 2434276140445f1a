import { randomUUID } from 'node:crypto';
import type { CapturedLog } from '../doubles/captured-log.ts';

interface RequestOptions extends RequestInit {
  readonly headers?: Readonly<Record<string, string>>;
}

/** Sends requests to a service of this process, one after the other. */
export class RequestClient {
  constructor(
    private readonly url: string,
    readonly token: string,
    private readonly log: CapturedLog,
  ) {}

  /** Resolves when the service has logged the request, its last step. */
  async send(status: number, path: string, options: RequestOptions = {}): Promise<void> {
    await this.#fetch(status, path, options);
  }

  /** Resolves to the id of the image. */
  async upload(bytes: Uint8Array): Promise<number> {
    const body = new FormData();
    body.set('file', new Blob([bytes]), 'cat.jpg');
    const text = await this.#fetch(201, '/api/upload', { method: 'POST', body });
    return (JSON.parse(text) as { readonly id: number }).id;
  }

  async #fetch(status: number, path: string, options: RequestOptions): Promise<string> {
    const requestId = randomUUID();
    const headers = { Authorization: `Bearer ${this.token}`, ...options.headers, 'X-Request-Id': requestId };
    const response = await fetch(`${this.url}${path}`, { ...options, headers });
    const text = await response.text();
    if (response.status !== status) {
      throw new Error(`${path} returned ${response.status} ${text.slice(0, 200)}`);
    }
    await this.log.entry((entry) => entry['requestId'] === requestId && entry.msg === 'request');
    return text;
  }
}
