import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { Webhook } from 'standardwebhooks';
import { eventually } from '../time/eventually.ts';
import { closeServer, listenOnLoopback } from './loopback.ts';

export interface ReceivedMessage {
  readonly id: string;
  readonly text: string;
  readonly body: {
    readonly type: string;
    readonly timestamp: string;
    readonly data: { readonly cursor: string; readonly id: number; readonly space?: string } | null;
  };
}

export const WEBHOOK_SECRET = `whsec_${Buffer.alloc(32, 5).toString('base64')}`;

/** A receiver on the loopback interface, which verifies each message with the library of Standard Webhooks. */
export class WebhookInbox {
  readonly messages: ReceivedMessage[] = [];
  readonly invalid: unknown[] = [];
  /** Of all messages; those that are not 2xx are not kept. */
  status = 204;

  private constructor(
    readonly url: string,
    private readonly server: Server,
  ) {}

  static async open(port = 0): Promise<WebhookInbox> {
    const server = createServer();
    const inbox = new WebhookInbox(`http://127.0.0.1:${await listenOnLoopback(server, port)}/`, server);
    server.on('request', (request, response) => void inbox.#receive(request, response));
    return inbox;
  }

  /** What a service needs to send to it. */
  get env(): Readonly<Record<string, string>> {
    return { WEBHOOK_URLS: this.url, WEBHOOK_SECRETS: WEBHOOK_SECRET };
  }

  /** Resolves to the messages. */
  async whenReceived(count: number): Promise<readonly ReceivedMessage[]> {
    return await eventually(
      () => this.messages,
      ({ length }) => length >= count,
    );
  }

  async close(): Promise<void> {
    await closeServer(this.server);
  }

  async #receive(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const text = Buffer.concat(await request.toArray()).toString();
    const { status } = this;
    try {
      const body = new Webhook(WEBHOOK_SECRET).verify(text, request.headers as Record<string, string>);
      const id = String(request.headers['webhook-id']);
      if (status < 300) this.messages.push({ id, text, body: body as ReceivedMessage['body'] });
    } catch (error) {
      this.invalid.push(error);
    }
    response.writeHead(status).end();
  }
}
