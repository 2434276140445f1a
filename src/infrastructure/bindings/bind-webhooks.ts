import type { Container } from 'inversify';
import { changeView, ownedChangeView } from '../../adapters/http/changes/change-view.ts';
import { HttpWebhookReceiver } from '../../adapters/http/webhooks/http-webhook-receiver.ts';
import { FollowChanges } from '../../application/changes/follow-changes.ts';
import { ReadChanges } from '../../application/changes/read-changes.ts';
import { ManageWebhooks } from '../../application/webhooks/manage-webhooks.ts';
import { SendWebhooks } from '../../application/webhooks/send-webhooks.ts';
import { shownUrl } from '../../application/webhooks/shown-url.ts';
import type { WebhookReceiver } from '../../domain/ports/process/webhook-receiver.ts';
import type { Config } from '../config/config.ts';
import { type Parts, partsOf } from '../parts.ts';
import type { WebhookSenders } from '../start/start-webhooks.ts';
import { TOKENS } from '../tokens.ts';

const PARTS = {
  endpoints: TOKENS.webhookEndpoints,
  readChanges: ReadChanges,
  followChanges: FollowChanges,
  manageWebhooks: ManageWebhooks,
  metrics: TOKENS.metrics,
  timer: TOKENS.timer,
  clock: TOKENS.clock,
  uuids: TOKENS.uuids,
  events: TOKENS.log,
} as const;

export function bindWebhooks(container: Container): void {
  container
    .bind(TOKENS.webhookSenders)
    .toResolvedValue((config) => sendersOf(config, partsOf(container, PARTS)), [TOKENS.config])
    .onDeactivation(({ senders }) => senders.forEach((sender) => sender.stop()));
}

function sendersOf({ readOnly, webhooks, spaceClaim }: Config, parts: Parts<typeof PARTS>): WebhookSenders {
  const { endpoints, manageWebhooks, metrics, clock, uuids, timer, events } = parts;
  const owner = uuids.next();
  const surroundings = { owner, timer, random: Math.random, events };
  const configured = readOnly ? [] : webhooks;
  const shown = new Set(configured.map(({ url }) => shownUrl(url)));
  if (shown.size > 0) metrics.webhooks.observe([...shown], () => manageWebhooks.list());
  const view = spaceClaim === undefined ? changeView : ownedChangeView;
  const senders = configured.map((address) => {
    const receiver = new HttpWebhookReceiver(address, clock, view);
    const counted: WebhookReceiver = {
      post: (...args) => metrics.webhooks.count(shownUrl(address.url), () => receiver.post(...args)),
    };
    return new SendWebhooks(address.url, counted, parts, surroundings);
  });
  return { senders, endpoints };
}
