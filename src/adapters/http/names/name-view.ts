import * as z from 'zod';
import { NAME_PATTERN, type NamedImage } from '../../../domain/name/name.ts';

export const nameText = z.string().meta({ pattern: NAME_PATTERN.source, examples: ['front-page'] });

export const namedImage = z
  .object({
    name: nameText,
    number: z
      .int()
      .min(1)
      .describe(
        'Of the catalog, never reused: the `name-<number>` of cache tags. A name that is set again keeps it, unless it was forgotten meanwhile.',
      ),
    id: z.int().min(1).describe('The image that the name points to.'),
    version: z.int().min(1).describe('Rises with every change; the number in the `ETag`.'),
    updatedAt: z.string().meta({ format: 'date-time', description: 'When it was pointed there, in UTC.' }),
  })
  .meta({ id: 'Name', description: 'An address that stays while the picture behind it changes.' });

export type NameView = z.output<typeof namedImage>;

export const EXAMPLE_NAME: NameView = {
  name: 'front-page',
  number: 3,
  id: 1,
  version: 2,
  updatedAt: '2026-01-31T12:30:00.000Z',
};

export function nameView({ name, number, imageId, version, updatedAt }: NamedImage): NameView {
  return { name, number, id: imageId, version, updatedAt: updatedAt.toISOString() };
}

export function nameEtag({ version }: Pick<NamedImage, 'version'>): string {
  return `"n${version}"`;
}
