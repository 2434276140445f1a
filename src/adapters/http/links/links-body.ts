import * as z from 'zod';
import { DEFAULT_QUALITY, RENDITION_FORMATS } from '../../../domain/image/rendition.ts';
import {
  DEFAULT_LINK_SECONDS,
  MAX_LINK_SECONDS,
  MIN_LINK_SECONDS,
} from '../../../domain/link/link-expiry.ts';
import { MAX_PAGE_IMAGES } from '../../../domain/link/shared-page.ts';
import {
  BOX_NEEDS_BOTH_SIDES,
  boxFields,
  hasItsSides,
  metadataChoice,
  QUALITIES,
} from '../bytes/file-query.ts';
import { anyName } from '../request/any-name.ts';
import { anyImageId, imageIds } from '../request/image-ids.ts';
import { wholeNumberField } from '../request/whole-number-field.ts';

const MAX_RENDITIONS = 8;
const RENDITIONS = `an array of 1 to ${MAX_RENDITIONS} renditions`;

const MAX_NAMES = 500;
const NAMES = `an array of 1 to ${MAX_NAMES} names`;

const linkedNames = z
  .array(anyName, NAMES)
  .min(1, NAMES)
  .max(MAX_NAMES, NAMES)
  .describe('Names, whose links follow them from image to image; duplicates count once.');

const TITLE = 'text or null';

/** @param sizes in pixels, ascending */
export function linksBody(sizes: readonly number[]) {
  const body = z.strictObject({
    ids: imageIds(anyImageId()).optional(),
    names: linkedNames.optional(),
    renditions: z
      .array(linkedRendition(sizes), RENDITIONS)
      .min(1, RENDITIONS)
      .max(MAX_RENDITIONS, RENDITIONS)
      .default([{}])
      .describe(
        'One link to each for every image. `{}` is the original, `{ "metadata": "none" }` the original without metadata.',
      ),
    ttlSeconds: wholeNumberField(MIN_LINK_SECONDS, MAX_LINK_SECONDS)
      .default(DEFAULT_LINK_SECONDS)
      .describe('How long the links are good at least; at most a tenth longer.'),
    page: z
      .strictObject({ title: z.string(TITLE).nullable() }, 'an object with a title')
      .optional()
      .describe(`Asks for a page that shows the images, at most ${MAX_PAGE_IMAGES}, in this order.`),
  });
  return body
    .refine(({ ids, names }) => ids !== undefined || names !== undefined, {
      path: ['ids'],
      error: 'an array of ids if there are no "names"',
    })
    .refine(({ names, page }) => page === undefined || names === undefined, {
      path: ['page'],
      error: 'left out with "names": a page shows images by their ids',
    })
    .refine(({ ids = [], page }) => page === undefined || ids.length <= MAX_PAGE_IMAGES, {
      path: ['ids'],
      error: `an array of 1 to ${MAX_PAGE_IMAGES} ids if there is a page`,
    });
}

export type LinksBodySchema = ReturnType<typeof linksBody>;

function linkedRendition(sizes: readonly number[]) {
  return z
    .strictObject(
      {
        ...boxFields(oneOf(sizes)),
        format: z
          .enum(RENDITION_FORMATS, 'jpeg, png, webp or avif')
          .optional()
          .describe(
            'Default: that of the original, and PNG for a GIF. There is no `auto`: a link is one file.',
          ),
        quality: oneOf(QUALITIES).optional().meta({
          description: 'Of JPEG, WebP and AVIF.',
          default: DEFAULT_QUALITY,
        }),
        download: z
          .boolean('true or false')
          .optional()
          .meta({ description: '`true`: browsers save the file.', default: false }),
        metadata: metadataChoice(),
      },
      'a rendition',
    )
    .refine(hasItsSides, { path: ['fit'], error: BOX_NEEDS_BOTH_SIDES });
}

function oneOf(numbers: readonly number[]): z.ZodNumber {
  const message = `one of ${numbers.join(', ')}`;
  return z
    .number(message)
    .refine((number) => numbers.includes(number), message)
    .meta({ wire: { type: 'integer', enum: numbers } });
}
