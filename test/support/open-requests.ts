import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import type { ClientRequest } from 'node:http';

const STARTED = 'http.client.request.start';

/** The HTTP requests of this process that hold a connection: their answer is neither read to its end nor given up. */
export class OpenRequests {
  private readonly open = new Set<ClientRequest>();
  private readonly onStart = (message: unknown): void => {
    const { request } = message as { readonly request: ClientRequest };
    this.open.add(request);
    request.once('close', () => this.open.delete(request));
  };

  constructor() {
    subscribe(STARTED, this.onStart);
  }

  /** Those whose path has a text in it. */
  countOf(text: string): number {
    return [...this.open].filter(({ path }) => path.includes(text)).length;
  }

  stop(): void {
    unsubscribe(STARTED, this.onStart);
  }
}
