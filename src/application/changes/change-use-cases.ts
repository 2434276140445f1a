import type { AddressSeal } from '../../domain/ports/process/address-seal.ts';
import type { Timer } from '../../domain/ports/process/timer.ts';
import type { CatalogIdentity } from '../../domain/ports/records/catalog-identity.ts';
import type { ChangeRecords } from '../../domain/ports/records/change-feed.ts';
import type { ImageRecords } from '../../domain/ports/records/image-repository.ts';
import type { WebhookRecords } from '../../domain/ports/records/webhook-endpoints.ts';
import { ManageWebhooks } from '../webhooks/manage-webhooks.ts';
import { ChangeCursors } from './change-cursors.ts';
import { ChangeTail } from './change-tail.ts';
import { FollowChanges } from './follow-changes.ts';
import { ReadChanges } from './read-changes.ts';

export interface ChangePorts {
  readonly identity: CatalogIdentity;
  readonly addressSeal: AddressSeal;
  readonly changes: ChangeRecords;
  readonly images: ImageRecords;
  readonly webhookEndpoints: WebhookRecords;
  readonly timer: Timer;
}

/** The use cases of the feed that requests and commands share. */
export function changeUseCasesOf(ports: ChangePorts) {
  const { changes, timer } = ports;
  const cursors = new ChangeCursors(ports.identity, ports.addressSeal);
  const readChanges = new ReadChanges(changes, cursors, ports.images);
  const changeTail = new ChangeTail(changes, timer);
  return {
    readChanges,
    changeTail,
    followChanges: new FollowChanges(readChanges, changeTail, timer),
    manageWebhooks: new ManageWebhooks(ports.webhookEndpoints, readChanges),
  };
}

export type ChangeUseCases = Readonly<ReturnType<typeof changeUseCasesOf>>;
