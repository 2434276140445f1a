import type { Change, ChangeType } from '../records/change-feed.ts';
import type { Cancellation } from './cancellation.ts';

export interface WebhookMessage {
  /** Equal messages have equal ids. It has no dot. */
  readonly id: string;
  /** Changes are lost if the feed does not reach back to where the endpoint was. */
  readonly type: ChangeType | 'changes.lost';
  readonly at: Date;
  /** Null of `changes.lost`. */
  readonly data: { readonly change: Change; readonly cursor: string } | null;
}

export type WebhookReply =
  | { readonly result: 'delivered' }
  /** The caller has ended it. The receiver may have taken the message. */
  | { readonly result: 'ended' }
  | {
      /** `gone`: the receiver wants no more messages. */
      readonly result: 'failed' | 'gone';
      /** In words, without a secret. */
      readonly error: string;
      /** The receiver wants no message earlier. */
      readonly retryAfterMs: number;
    };

export interface WebhookReceiver {
  /** Sends the message once. Resolves within 15 s, or when it is ended, and never rejects. */
  post(message: WebhookMessage, ended: Cancellation): Promise<WebhookReply>;
}
