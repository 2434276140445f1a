import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { json } from 'node:stream/consumers';
import { closeServer, listenOnLoopback } from './loopback.ts';

export interface ReceivedSpan {
  readonly traceId: string;
  readonly spanId: string;
  readonly parentSpanId?: string;
  readonly name: string;
  /** 2 for an error. */
  readonly status?: { readonly code?: number; readonly message?: string };
  readonly attributes: ReadonlyArray<{ readonly key: string; readonly value: Record<string, unknown> }>;
}

interface TraceRequest {
  readonly resourceSpans: ReadonlyArray<{
    readonly resource: { readonly attributes: ReceivedSpan['attributes'] };
    readonly scopeSpans: ReadonlyArray<{ readonly spans: readonly ReceivedSpan[] }>;
  }>;
}

/** Receives spans by OTLP over HTTP. */
export class OtlpReceiver {
  readonly spans: ReceivedSpan[] = [];
  /** `service.name` and others. */
  readonly resources: ReceivedSpan['attributes'][] = [];
  readonly paths = new Set<string>();
  /** `true`: takes requests and never responds. */
  isHanging = false;
  readonly #server: Server;
  #port = 0;

  private constructor() {
    this.#server = createServer((request, response) => void this.#take(request, response));
  }

  static async start(): Promise<OtlpReceiver> {
    const receiver = new OtlpReceiver();
    receiver.#port = await listenOnLoopback(receiver.#server);
    return receiver;
  }

  get endpoint(): string {
    return `http://127.0.0.1:${this.#port}`;
  }

  named(name: string): readonly ReceivedSpan[] {
    return this.spans.filter((span) => span.name === name);
  }

  async stop(): Promise<void> {
    await closeServer(this.#server);
  }

  async #take(request: IncomingMessage, response: ServerResponse): Promise<void> {
    this.paths.add(request.url ?? '');
    const { resourceSpans } = (await json(request)) as TraceRequest;
    for (const { resource, scopeSpans } of resourceSpans) {
      this.resources.push(resource.attributes);
      for (const { spans } of scopeSpans) this.spans.push(...spans);
    }
    if (!this.isHanging) response.writeHead(200, { 'content-type': 'application/json' }).end('{}');
  }
}
