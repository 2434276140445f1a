import type {
  WebhookMessage,
  WebhookReceiver,
  WebhookReply,
} from '../../../src/domain/ports/process/webhook-receiver.ts';

export const DELIVERED: WebhookReply = { result: 'delivered' };

export function refusal(error: string, retryAfterMs = 0): WebhookReply {
  return { result: error === 'HTTP 410' ? 'gone' : 'failed', error, retryAfterMs };
}

/** Takes every message, unless a test has replies in store. */
export class ScriptedReceiver implements WebhookReceiver {
  readonly messages: WebhookMessage[] = [];
  /** Of the next messages. */
  readonly replies: Array<WebhookReply | Promise<WebhookReply>> = [];
  /** Of all messages without another reply. */
  usual: WebhookReply = DELIVERED;

  async post(message: WebhookMessage): Promise<WebhookReply> {
    this.messages.push(message);
    return (await this.replies.shift()) ?? this.usual;
  }
}
