import * as z from 'zod';
import { WRITTEN_ROWS } from '../../../domain/image/fields.ts';
import { NO_CAPTURE } from '../../../domain/image/image-metadata.ts';
import { imageMetadata, type MetadataView } from './metadata-view.ts';

/** The cat of the demo, after the change that the document shows. */
const EXAMPLE_METADATA = {
  ...Object.fromEntries(WRITTEN_ROWS.map(([field, { example }]) => [field, example])),
  capture: NO_CAPTURE,
  updatedAt: '2026-01-31T12:30:00.000Z',
} as Readonly<Partial<MetadataView>> as MetadataView;

export const metadataValidators = z.object({
  ETag: z.string().meta({
    description: 'The version: it rises by 1 with every change.',
    pattern: '^"m[1-9]\\d*"$',
    examples: ['"m2"'],
  }),
});

export const metadataResponse = {
  description: 'The metadata.',
  cache: 'private, no-cache, no-transform',
  headers: metadataValidators,
  json: imageMetadata,
  example: EXAMPLE_METADATA,
} as const;
