import { createHmac } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import type { Cancellation } from '../../../domain/ports/process/cancellation.ts';
import type { Clock } from '../../../domain/ports/process/clock.ts';
import type {
  WebhookMessage,
  WebhookReceiver,
  WebhookReply,
} from '../../../domain/ports/process/webhook-receiver.ts';
import { changeView } from '../changes/change-view.ts';
import { responseTo } from '../outgoing/response-to.ts';

const SECRET_PREFIX = 'whsec_';
const GONE = 410;

export interface WebhookAddress {
  /** Its user and password are sent as Basic. */
  readonly url: string;
  /** `whsec_` and base64. All of them sign. */
  readonly secrets: readonly string[];
}

/** Standard Webhooks 1.0 (https://github.com/standard-webhooks/standard-webhooks). */
export class HttpWebhookReceiver implements WebhookReceiver {
  /** @param deadlineMs from the call to the end of the response's headers */
  constructor(
    private readonly address: WebhookAddress,
    private readonly clock: Clock,
    private readonly view: typeof changeView = changeView,
    private readonly deadlineMs = 15_000,
  ) {}

  async post(message: WebhookMessage, ended: Cancellation): Promise<WebhookReply> {
    try {
      const response = await this.send(message, ended);
      // However long the body is, none of it is read.
      response.destroy();
      return this.replyOf(response);
    } catch (error) {
      if (ended.aborted) return { result: 'ended' };
      return { result: 'failed', error: this.reasonOf(error), retryAfterMs: 0 };
    }
  }

  private send(message: WebhookMessage, ended: Cancellation): Promise<IncomingMessage> {
    const body = this.bodyOf(message);
    const options = {
      method: 'POST',
      signal: AbortSignal.timeout(this.deadlineMs),
      headers: { ...this.signed(message.id, body), 'content-length': Buffer.byteLength(body) },
    };
    return responseTo(this.address.url, options, (sent) => {
      const end = (): unknown => sent.destroy();
      ended.addEventListener('abort', end);
      sent.once('close', () => ended.removeEventListener('abort', end));
      sent.end(body);
    });
  }

  private signed(id: string, body: string): Record<string, string> {
    const timestamp = Math.floor(this.clock.now().getTime() / 1000);
    const signatures = this.address.secrets.map((secret) => {
      const key = Buffer.from(secret.slice(SECRET_PREFIX.length), 'base64');
      return `v1,${createHmac('sha256', key).update(`${id}.${timestamp}.${body}`).digest('base64')}`;
    });
    return {
      'content-type': 'application/json',
      'user-agent': 'image-catalog',
      'webhook-id': id,
      'webhook-timestamp': String(timestamp),
      'webhook-signature': signatures.join(' '),
    };
  }

  private replyOf({ statusCode = 0, headers }: IncomingMessage): WebhookReply {
    if (statusCode >= 200 && statusCode < 300) return { result: 'delivered' };
    const result = statusCode === GONE ? 'gone' : 'failed';
    return { result, error: `HTTP ${statusCode}`, retryAfterMs: this.waitIn(headers['retry-after']) };
  }

  /** RFC 9110, section 10.2.3: seconds, or a date. */
  private waitIn(retryAfter = ''): number {
    if (/^\d+$/.test(retryAfter)) return Number(retryAfter) * 1000;
    const date = Date.parse(retryAfter);
    return Number.isNaN(date) ? 0 : Math.max(0, date - this.clock.now().getTime());
  }

  /** Codes alone: a message may repeat what the receiver has sent. */
  private reasonOf(error: unknown): string {
    const { code } = error as { readonly code?: unknown };
    if (code === 'ABORT_ERR') return `no response within ${this.deadlineMs / 1000} s`;
    return typeof code === 'string' ? code : 'the connection was closed';
  }

  /** The same bytes at every try: nothing in it depends on the time. */
  private bodyOf({ type, at, data }: WebhookMessage): string {
    return JSON.stringify({
      type,
      timestamp: at.toISOString(),
      data: data && this.view(data.change, data.cursor),
    });
  }
}
