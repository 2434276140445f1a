import type { SendWebhooks } from '../../application/webhooks/send-webhooks.ts';
import type { WebhookEndpoints } from '../../domain/ports/records/webhook-endpoints.ts';
import { requiring } from './prepare-storage.ts';

export interface WebhookSenders {
  /** One for each endpoint. */
  readonly senders: readonly SendWebhooks[];
  readonly endpoints: Pick<WebhookEndpoints, 'register'>;
}

export interface RunningWebhooks {
  /** Resolves when running tries have ended and the leases are given up. Never rejects. */
  stop(): Promise<void>;
}

/**
 * Every change from now on is delivered.
 *
 * @throws {UnusableDependency}
 */
export async function startWebhooks({
  senders,
  endpoints,
}: WebhookSenders): Promise<RunningWebhooks | undefined> {
  if (senders.length === 0) return undefined;
  await requiring('DATABASE_URL', () => endpoints.register(senders.map(({ url }) => url)));
  const ended = Promise.all(senders.map((sender) => sender.execute()));
  return {
    stop: async (): Promise<void> => {
      for (const sender of senders) sender.stop();
      await ended;
    },
  };
}
