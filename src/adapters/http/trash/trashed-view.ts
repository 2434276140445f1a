import * as z from 'zod';
import type { TrashedImage } from '../../../domain/ports/records/trash.ts';
import { imageRecord, imageView } from '../record/image-view.ts';
import type { HttpSettings } from '../route/http-settings.ts';
import type { Immutable } from '../route/operation.ts';

const DAY_MS = 24 * 60 * 60_000;

export const trashedImage = z
  .object({
    image: imageRecord.describe('As it was when it was deleted. Its links are 404 until it is restored.'),
    trashedAt: z.string().meta({ format: 'date-time', description: 'When it was deleted, in UTC.' }),
    trashedBy: z
      .string()
      .nullable()
      .describe(
        'Who has deleted it: `sub`, or else `client_id` or `azp`, of the token. Null for commands, and if it is not recorded.',
      ),
    erasedAt: z.string().meta({
      format: 'date-time',
      description: 'From when on a sweep erases it, by the present `TRASH_DAYS`.',
    }),
  })
  .meta({ id: 'TrashedImage', description: 'A deleted image that can be restored.' });

export type TrashedView = Immutable<z.output<typeof trashedImage>>;

export function trashedView(
  { image, trashedAt, trashedBy }: TrashedImage,
  settings: Pick<HttpSettings, 'renditions' | 'trashDays'>,
): TrashedView {
  return {
    image: imageView(image, settings),
    trashedAt: trashedAt.toISOString(),
    trashedBy,
    erasedAt: new Date(trashedAt.getTime() + settings.trashDays * DAY_MS).toISOString(),
  };
}
