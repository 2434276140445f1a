import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import type { ClientRequest } from 'node:http';

const STARTED = 'http.client.request.start';

/** The HTTP requests of this process that hold a connection: their response is neither complete nor aborted. */
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

  /** The requests whose path contains a text. */
  countOf(text: string): number {
    return [...this.open].filter(({ path }) => path.includes(text)).length;
  }

  stop(): void {
    unsubscribe(STARTED, this.onStart);
  }
}
