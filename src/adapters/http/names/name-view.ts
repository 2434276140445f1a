import * as z from 'zod';
import { NAME_PATTERN, type NamedImage } from '../../../domain/name/name.ts';
import { publicPath } from '../../../domain/name/public-address.ts';
import type { RouteParts } from '../route/route-parts.ts';

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
    updatedAt: z.string().meta({ format: 'date-time', description: 'When it was last changed, in UTC.' }),
    public: z.boolean().describe('Whether everyone may see the image at a permanent address.'),
    url: z.string().nullable().meta({
      format: 'uri',
      description:
        'The public address of the image; null if the name is not public, or the service publishes no names. `width` and `format` can be added as query parameters.',
    }),
  })
  .meta({ id: 'Name', description: 'An address that stays while the picture behind it changes.' });

export type NameView = z.output<typeof namedImage>;

export const EXAMPLE_NAME: NameView = {
  name: 'front-page',
  number: 3,
  id: 1,
  version: 2,
  updatedAt: '2026-01-31T12:30:00.000Z',
  public: true,
  url: 'http://localhost:3002/p/3/front-page',
};

export function nameView(
  named: NamedImage,
  { settings: { publishNames }, webUrl }: Pick<RouteParts, 'settings' | 'webUrl'>,
): NameView {
  const { name, number, imageId, version, updatedAt, isPublic } = named;
  return {
    name,
    number,
    id: imageId,
    version,
    updatedAt: updatedAt.toISOString(),
    public: isPublic,
    url: isPublic && publishNames && webUrl !== undefined ? webUrl() + publicPath(named) : null,
  };
}

export function nameEtag({ version }: Pick<NamedImage, 'version'>): string {
  return `"n${version}"`;
}
