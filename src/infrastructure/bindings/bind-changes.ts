import type { Container } from 'inversify';
import { ChangeCursors } from '../../application/changes/change-cursors.ts';
import { ChangeTail } from '../../application/changes/change-tail.ts';
import { FollowChanges } from '../../application/changes/follow-changes.ts';
import { ReadChanges } from '../../application/changes/read-changes.ts';
import { ManageWebhooks } from '../../application/webhooks/manage-webhooks.ts';
import { TOKENS } from '../tokens.ts';

/** For requests, and for commands. */
export function bindChanges(container: Container): void {
  const { identity, cursorSeal, changes, images, timer } = TOKENS;
  container
    .bind(ChangeCursors)
    .toResolvedValue((...ports) => new ChangeCursors(...ports), [identity, cursorSeal]);
  container
    .bind(ReadChanges)
    .toResolvedValue((...ports) => new ReadChanges(...ports), [changes, ChangeCursors, images]);
  container
    .bind(ChangeTail)
    .toResolvedValue((...ports) => new ChangeTail(...ports), [changes, timer])
    .onDeactivation((tail) => tail.stop());
  container
    .bind(FollowChanges)
    .toResolvedValue((...ports) => new FollowChanges(...ports), [ReadChanges, ChangeTail, timer]);
  container
    .bind(ManageWebhooks)
    .toResolvedValue((...ports) => new ManageWebhooks(...ports), [TOKENS.webhookEndpoints, ReadChanges]);
}
