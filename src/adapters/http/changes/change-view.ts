import * as z from 'zod';
import { CHANGE_CURSOR } from '../../../application/changes/change-cursors.ts';
import type { ReadChanges } from '../../../application/changes/read-changes.ts';
import type { Change } from '../../../domain/ports/records/change-feed.ts';
import { nameText } from '../names/name-view.ts';
import { imageRecord } from '../record/image-view.ts';

export const changeCursor = z.string().meta({
  pattern: CHANGE_CURSOR.source,
  description: 'A place in the feed. It says nothing else.',
});

/** As events and webhooks send it. */
const change = z.object({
  cursor: changeCursor,
  type: z.string().meta({
    description:
      '`image.created`, `image.updated` (metadata), `image.deleted`, `image.trashed`, `image.restored`, `name.set` or `name.removed`. Types may be added later; ignore those that you do not know.',
    examples: ['image.created'],
  }),
  id: z.int().min(1).describe('The image; of a name, that it points or pointed to.'),
  at: z.string().meta({
    format: 'date-time',
    description: 'By the clock of the process that made the change: times may go back, the order does not.',
  }),
  by: z
    .string()
    .nullable()
    .describe(
      '`sub`, or else `client_id` or `azp`, of the token. Null for commands, for the service itself, and if it is not recorded.',
    ),
  version: z
    .int()
    .min(1)
    .optional()
    .describe('Of `image.updated`: the number in the `ETag` of the metadata.'),
  name: nameText.optional().describe('Of `name.set` and `name.removed`.'),
  public: z
    .boolean()
    .optional()
    .describe(
      'Of `name.set`: whether the name was public after the change. Earlier versions did not record it.',
    ),
  number: z
    .int()
    .min(1)
    .optional()
    .describe('Of a name that the catalog still knows: caches know it by `name-<number>`.'),
});

export type ChangeView = z.output<typeof change>;

export const listedChange = change
  .extend({
    image: imageRecord
      .nullable()
      .optional()
      .describe('With `include=image`: the record as it is now; null if it is gone.'),
  })
  .meta({ id: 'Change' });

/** For readers of every space. */
interface OwnedChangeView extends ChangeView {
  readonly space: string;
}

/** In the order of the changes. */
export async function changeViews(
  changes: readonly Change[],
  readChanges: Pick<ReadChanges, 'cursorsOf'>,
  view: (change: Change, cursor: string) => ChangeView = changeView,
): Promise<readonly ChangeView[]> {
  const cursors = await readChanges.cursorsOf(changes);
  return changes.map((change, at) => view(change, cursors[at] ?? ''));
}

export function changeView(change: Change, cursor: string): ChangeView {
  const { type, imageId, at, by, version, name, nameNumber, isPublic } = change;
  return {
    cursor,
    type,
    id: imageId,
    at: at.toISOString(),
    by,
    ...(version !== undefined && { version }),
    ...(name !== undefined && { name }),
    ...(isPublic !== undefined && { public: isPublic }),
    ...(nameNumber !== undefined && { number: nameNumber }),
  };
}

export function ownedChangeView(change: Change, cursor: string): OwnedChangeView {
  return { ...changeView(change, cursor), space: change.space };
}
