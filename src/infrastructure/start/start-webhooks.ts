import type { ServiceParts } from '../tokens.ts';
import { requiring } from './prepare-storage.ts';

/**
 * Every change from now on is delivered. Resolves to what ends it, when running tries have ended and the leases are given up. That
 * never rejects.
 *
 * @throws {UnusableDependency}
 */
export async function startWebhooks({
  webhookSenders: senders,
  webhookEndpoints: endpoints,
}: Pick<ServiceParts, 'webhookSenders' | 'webhookEndpoints'>): Promise<() => Promise<void>> {
  if (senders.length > 0) {
    await requiring('DATABASE_URL', () => endpoints.register(senders.map(({ url }) => url)));
  }
  const ended = Promise.all(senders.map((sender) => sender.execute()));
  return async () => {
    for (const sender of senders) sender.stop();
    await ended;
  };
}
