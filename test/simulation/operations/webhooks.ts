import { ChangeTail } from '../../../src/application/changes/change-tail.ts';
import { FollowChanges } from '../../../src/application/changes/follow-changes.ts';
import { EVERY_SPACE } from '../../../src/application/changes/read-changes.ts';
import { SendWebhooks } from '../../../src/application/webhooks/send-webhooks.ts';
import type { Timer } from '../../../src/domain/ports/process/timer.ts';
import type {
  WebhookMessage,
  WebhookReceiver,
  WebhookReply,
} from '../../../src/domain/ports/process/webhook-receiver.ts';
import { settled } from '../../support/time/gate.ts';
import { type CatalogProcess, SILENT } from '../catalog-process.ts';
import { require } from '../ledger.ts';
import { ProcessEnded } from '../scheduler.ts';
import type { SimulatedCatalog } from '../simulated-catalog.ts';
import type { Storage } from '../storage.ts';
import { Copy } from './feed.ts';
import type { OperationKind } from './operation-kind.ts';

export const WEBHOOK_URL = 'https://hooks.example.com/';

const TURN_MS = 10_000;
/** So that a run has few polls. */
const SLOWER = 8;
const FAILED: WebhookReply = { result: 'failed', error: 'ECONNRESET', retryAfterMs: 0 };

/** Keeps a copy of the catalog. It may be killed at any message, before or after it has noted it. */
class Receiver implements WebhookReceiver {
  readonly copy = new Copy(EVERY_SPACE);
  isKilled = (): boolean => false;
  senders = 0;
  readonly #seen = new Map<string, string>();
  #last = 0;

  async post({ id, type, at, data }: WebhookMessage): Promise<WebhookReply> {
    require(data !== null, `the receiver was told ${type}`);
    if (this.isKilled()) return FAILED;
    const text = JSON.stringify([type, at, data]);
    require((this.#seen.get(id) ?? text) === text, `message ${id} was ${this.#seen.get(id)}, and is ${text}`);
    this.#seen.set(id, text);
    const { change } = data;
    const isNew = change.position.number > this.#last;
    if (isNew) this.copy.apply(change);
    if (isNew) this.#last = change.position.number;
    return this.isKilled() ? FAILED : { result: 'delivered' };
  }
}

const receivers = new WeakMap<SimulatedCatalog, Receiver>();

function receiverOf(catalog: SimulatedCatalog): Receiver {
  const known = receivers.get(catalog) ?? new Receiver();
  receivers.set(catalog, known);
  return known;
}

function timerOf({ scheduler: { timers } }: SimulatedCatalog, factor = 1): Timer {
  return (ms, run) => {
    const timer = timers.after(ms * factor, run);
    return () => timer.cancel();
  };
}

/** @param owner no other sender has it */
function senderOf(catalog: SimulatedCatalog, process: CatalogProcess, owner: string): SendWebhooks {
  const { readChanges, ports, portOf } = process;
  const receiver = portOf('receiver', receiverOf(catalog) as Pick<Receiver, 'post'>);
  const tail = new ChangeTail(ports.changes, timerOf(catalog, SLOWER));
  const timer = timerOf(catalog);
  const followChanges = new FollowChanges(readChanges, tail, timer);
  return new SendWebhooks(
    WEBHOOK_URL,
    { post: async (message) => await receiver.post(message).catch(failedUnlessEnded) },
    { endpoints: ports.webhookEndpoints, readChanges, followChanges },
    { owner, timer, random: () => 0.5, events: SILENT },
  );
}

function failedUnlessEnded(error: unknown): WebhookReply {
  if (error instanceof ProcessEnded) throw error;
  return FAILED;
}

/** A process sends for a while, beside others that do as well. */
export const DELIVER: OperationKind = {
  weight: 3,
  run: async (catalog, { process: place }) => {
    const process = catalog.process(place);
    const receiver = receiverOf(catalog);
    receiver.isKilled = (): boolean => catalog.random.chance(0.1);
    receiver.senders += 1;
    const sender = senderOf(catalog, process, `sender-${receiver.senders}`);
    catalog.scheduler.timers.after(TURN_MS, () => sender.stop());
    await sender.execute();
  },
};

/** In the end the receiver has exactly the catalog. */
export async function requireDelivered(
  catalog: SimulatedCatalog,
  process: CatalogProcess,
  storage: Storage,
): Promise<void> {
  const { changes, webhookEndpoints } = storage;
  const receiver = receiverOf(catalog);
  receiver.isKilled = (): boolean => false;
  const sender = senderOf(catalog, process, 'the last sender');
  const ended = sender.execute();
  const latest = await changes.latest();
  for (let tries = 0; tries < 1_000; tries += 1) {
    await settled();
    const [endpoint] = await webhookEndpoints.findAll();
    if (endpoint?.after.number === latest.number) break;
    catalog.passTime(1_000);
  }
  sender.stop();
  catalog.passTime(TURN_MS);
  await ended;
  receiver.copy.requireSame(storage);
}
