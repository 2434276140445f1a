import { z } from 'zod';
import type { TrashedImage } from '../../../domain/ports/records/trash.ts';
import { imageRecord, type ViewImage } from '../image/image-view.ts';

const DAY_MS = 24 * 60 * 60_000;

export const trashedImage = z
  .object({
    image: imageRecord.meta({
      description: 'As it was when it was deleted. Its links are 404 until it is restored.',
    }),
    trashedAt: z.string().meta({ format: 'date-time', description: 'When it was deleted, in UTC.' }),
    trashedBy: z.string().nullable().meta({
      description:
        'Who has deleted it: `sub`, or else `client_id` or `azp`, of the token. Null for commands, and if it is not recorded.',
    }),
    erasedAt: z.string().meta({
      format: 'date-time',
      description: 'From when on a sweep erases it, by the present `TRASH_DAYS`.',
    }),
  })
  .meta({ id: 'TrashedImage', description: 'A deleted image that can be restored.' });

export type TrashedView = z.output<typeof trashedImage>;

/** @param days that images stay in the trash */
export function trashedView(view: ViewImage, days: number): (trashed: TrashedImage) => TrashedView {
  return ({ image, trashedAt, trashedBy }) => ({
    image: view(image),
    trashedAt: trashedAt.toISOString(),
    trashedBy,
    erasedAt: new Date(trashedAt.getTime() + days * DAY_MS).toISOString(),
  });
}
