import * as z from 'zod';
import type { NamedImage } from '../../../domain/name/name.ts';
import { EXAMPLE_NAME, namedImage, nameEtag } from './name-view.ts';

export const nameValidators = z.object({
  ETag: z.string().meta({
    description:
      'The version: it rises with every change, also over a removal, and no version of a name comes twice.',
    pattern: '^"n[1-9]\\d*"$',
    examples: ['"n2"'],
  }),
});

export const nameResponse = {
  description: 'The name and the image that it points to.',
  cache: 'private, no-cache, no-transform',
  headers: nameValidators,
  json: namedImage,
  example: EXAMPLE_NAME,
} as const;

export function validatorsOf(named: NamedImage) {
  return { ETag: nameEtag(named) };
}
