import { createParser, type EventSourceMessage } from 'eventsource-parser';

/** What an open stream has sent, by a parser that is not of this project. */
export class EventReader {
  readonly events: EventSourceMessage[] = [];
  readonly comments: string[] = [];
  retryMs: number | undefined;
  text = '';
  /** Why the response is not complete. */
  failure: unknown;
  #hasEnded = false;
  #wake: () => void = () => {};

  private constructor(
    readonly response: Response,
    private readonly leaving: AbortController,
  ) {}

  static async open(url: string, headers: Readonly<Record<string, string>>): Promise<EventReader> {
    const leaving = new AbortController();
    const response = await fetch(url, {
      headers: { Accept: 'text/event-stream', ...headers },
      signal: leaving.signal,
    });
    const reader = new EventReader(response, leaving);
    void reader.#read();
    return reader;
  }

  /** Resolves when it is so, or when the stream has ended. */
  async until(isReached: () => boolean): Promise<void> {
    while (!isReached() && !this.#hasEnded) {
      await new Promise<void>((resolve) => {
        this.#wake = resolve;
      });
    }
  }

  /** Resolves to the first changes. */
  async changes(count: number): Promise<ReadonlyArray<Readonly<Record<string, unknown>>>> {
    await this.until(() => this.events.length >= count);
    return this.events.slice(0, count).map(({ data }) => JSON.parse(data) as Record<string, unknown>);
  }

  /** Resolves when the response is complete. */
  async end(): Promise<void> {
    await this.until(() => false);
  }

  leave(): void {
    this.leaving.abort();
  }

  async #read(): Promise<void> {
    const parser = createParser({
      onEvent: (event) => this.events.push(event),
      onComment: (comment) => this.comments.push(comment),
      onRetry: (ms) => {
        this.retryMs = ms;
      },
    });
    const decoder = new TextDecoder();
    try {
      for await (const chunk of this.response.body ?? []) {
        const text = decoder.decode(chunk as Uint8Array, { stream: true });
        this.text += text;
        parser.feed(text);
        this.#wake();
      }
    } catch (error) {
      this.failure = error;
    }
    this.#hasEnded = true;
    this.#wake();
  }
}
