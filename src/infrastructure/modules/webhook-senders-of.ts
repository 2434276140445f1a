import type { ResolutionContext } from 'inversify';
import { changeView, ownedChangeView } from '../../adapters/http/changes/change-view.ts';
import { HttpWebhookReceiver } from '../../adapters/http/webhooks/http-webhook-receiver.ts';
import { sharedRead } from '../../adapters/prometheus/shared-read.ts';
import { SendWebhooks } from '../../application/webhooks/send-webhooks.ts';
import { shownUrl } from '../../application/webhooks/shown-url.ts';
import type { WebhookReceiver } from '../../domain/ports/process/webhook-receiver.ts';
import { type Resolved, resolveAll } from '../resolve-all.ts';

export function webhookSendersOf(context: ResolutionContext): readonly SendWebhooks[] {
  const ports = resolveAll(context, 'config', 'webhookEndpoints', 'changeUseCases', 'metrics');
  const { clock, uuids, timer, log: events } = resolveAll(context, 'clock', 'uuids', 'timer', 'log');
  const { config, webhookEndpoints: endpoints, changeUseCases, metrics } = ports;
  const { readOnly, webhooks, spaceClaim } = config;
  const owner = uuids.next();
  const surroundings = { owner, timer, random: Math.random, events };
  const configured = readOnly ? [] : webhooks;
  showEndpoints(ports, [...new Set(configured.map(({ url }) => shownUrl(url)))]);
  const view = spaceClaim === undefined ? changeView : ownedChangeView;
  return configured.map((address) => {
    const receiver = new HttpWebhookReceiver(address, clock, view);
    const counted: WebhookReceiver = {
      post: async (...args) => {
        const reply = await receiver.post(...args);
        if ('error' in reply) metrics.count('webhook_failures_total', shownUrl(address.url));
        return reply;
      },
    };
    return new SendWebhooks(address.url, counted, { endpoints, ...changeUseCases }, surroundings);
  });
}

/** @param urls as operators see them: several endpoints may look the same */
function showEndpoints(
  { metrics, changeUseCases }: Resolved<'metrics' | 'changeUseCases'>,
  urls: readonly string[],
): void {
  if (urls.length === 0) return;
  for (const url of urls) metrics.count('webhook_failures_total', url, 0);
  const list = sharedRead(() => changeUseCases.manageWebhooks.list());
  const lagOf = async (shown: string): Promise<number> => {
    const lags = (await list()).filter(({ url }) => url === shown).map(({ lagSeconds }) => lagSeconds);
    return lags.length === 0 ? Number.NaN : Math.max(...lags);
  };
  metrics.read('webhook_lag_seconds', lagOf, urls);
}
