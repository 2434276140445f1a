import * as z from 'zod';
import type { ImageMetadata } from '../../../domain/image/image-metadata.ts';
import { DESCRIPTION_MAX_LENGTH, takenAtOf } from '../../../domain/image/image-metadata.ts';
import { tags, takenAt, title } from '../record/metadata-fields.ts';

const fraction = z.number().meta({ minimum: 0, maximum: 1, description: 'At most three decimals.' });

const focus = z
  .object({ x: fraction, y: fraction })
  .nullable()
  .describe(
    'The point that crops (`fit=cover`) keep, in fractions of the width and the height of the upright picture. Null: the middle.',
  );

const number = z.number().nullable();

const capture = z
  .object({
    takenAt,
    make: z.string().nullable(),
    model: z.string().nullable(),
    lens: z.string().nullable(),
    iso: number,
    fNumber: number,
    exposureSeconds: number,
    focalLengthMm: number,
    latitude: z.number().optional().describe('Signed degrees; only if the catalog stores positions.'),
    longitude: z.number().optional().describe('Signed degrees; only if the catalog stores positions.'),
  })
  .describe('What the camera wrote into the file; null is unknown. Read-only.');

export const imageMetadata = z
  .object({
    title,
    description: z.string().nullable().meta({ maxLength: DESCRIPTION_MAX_LENGTH }),
    tags,
    takenAt,
    focus,
    capture,
    updatedAt: z
      .string()
      .nullable()
      .meta({ format: 'date-time', description: 'The last change, in UTC; null until the first.' }),
  })
  .meta({ id: 'ImageMetadata', description: 'What people and the camera say about an image.' });

export type MetadataView = z.output<typeof imageMetadata>;

/** An allow-list of fields (section 9 of the contract). */
export function metadataView(metadata: ImageMetadata): MetadataView {
  return {
    title: metadata.title,
    description: metadata.description,
    tags: [...metadata.tags],
    takenAt: takenAtOf(metadata),
    focus: metadata.focus,
    capture: capture.parse(metadata.capture),
    updatedAt: metadata.updatedAt?.toISOString() ?? null,
  };
}

export function metadataEtag({ version }: Pick<ImageMetadata, 'version'>): string {
  return `"m${version}"`;
}
