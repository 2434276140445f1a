import { changeView, ownedChangeView } from '../../adapters/http/changes/change-view.ts';
import { HttpWebhookReceiver } from '../../adapters/http/webhooks/http-webhook-receiver.ts';
import { SendWebhooks } from '../../application/webhooks/send-webhooks.ts';
import { shownUrl } from '../../application/webhooks/shown-url.ts';
import type { WebhookReceiver } from '../../domain/ports/process/webhook-receiver.ts';
import type { WebhookSenders } from '../start/start-webhooks.ts';
import type { ServiceParts } from '../tokens.ts';

export function webhookSendersOf(parts: ServiceParts): WebhookSenders {
  const { readOnly, webhooks, spaceClaim } = parts.config;
  const { webhookEndpoints: endpoints, changeUseCases, metrics, clock, uuids, timer, log: events } = parts;
  const owner = uuids.next();
  const surroundings = { owner, timer, random: Math.random, events };
  const configured = readOnly ? [] : webhooks;
  const shown = new Set(configured.map(({ url }) => shownUrl(url)));
  if (shown.size > 0) metrics.webhooks.observe([...shown], () => changeUseCases.manageWebhooks.list());
  const view = spaceClaim === undefined ? changeView : ownedChangeView;
  const senders = configured.map((address) => {
    const receiver = new HttpWebhookReceiver(address, clock, view);
    const counted: WebhookReceiver = {
      post: (...args) => metrics.webhooks.count(shownUrl(address.url), () => receiver.post(...args)),
    };
    return new SendWebhooks(address.url, counted, { endpoints, ...changeUseCases }, surroundings);
  });
  return { senders, endpoints };
}
