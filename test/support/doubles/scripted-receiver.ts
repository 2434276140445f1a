import type { Cancellation } from '../../../src/domain/ports/process/cancellation.ts';
import type {
  WebhookMessage,
  WebhookReceiver,
  WebhookReply,
} from '../../../src/domain/ports/process/webhook-receiver.ts';

export const DELIVERED: WebhookReply = { result: 'delivered' };

export function refusal(error: string, retryAfterMs = 0): WebhookReply {
  return { result: error === 'HTTP 410' ? 'gone' : 'failed', error, retryAfterMs };
}

/** Takes every message, unless a test has replies in store. A try that is ended has no other reply. */
export class ScriptedReceiver implements WebhookReceiver {
  readonly messages: WebhookMessage[] = [];
  /** Of the next messages. */
  readonly replies: Array<WebhookReply | Promise<WebhookReply>> = [];
  /** Of all messages without another reply. */
  usual: WebhookReply = DELIVERED;

  async post(message: WebhookMessage, ended: Cancellation): Promise<WebhookReply> {
    this.messages.push(message);
    const reply = this.replies.shift() ?? this.usual;
    let end = (): void => {};
    const whenEnded = new Promise<WebhookReply>((resolve) => {
      end = (): void => resolve({ result: 'ended' });
    });
    ended.addEventListener('abort', end);
    return await Promise.race([reply, whenEnded]).finally(() => ended.removeEventListener('abort', end));
  }
}
