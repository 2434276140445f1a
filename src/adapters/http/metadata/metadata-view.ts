import * as z from 'zod';
import { WRITTEN_ROWS } from '../../../domain/image/fields.ts';
import { type ImageMetadata, takenAtOf } from '../../../domain/image/image-metadata.ts';
import { captureFields, writtenFields } from '../record/metadata-fields.ts';

const capture = z
  .object(captureFields)
  .describe('What the file says: values of the camera, and credits. Null is unknown. Read-only.');

export const imageMetadata = z
  .object({
    ...writtenFields,
    capture,
    updatedAt: z
      .string()
      .nullable()
      .meta({ format: 'date-time', description: 'The last change, in UTC; null until the first.' }),
  })
  .meta({ id: 'ImageMetadata', description: 'What people and the file say about an image.' });

export type MetadataView = z.output<typeof imageMetadata>;

/** The fields of the table, and no others. */
export function metadataView(metadata: ImageMetadata): MetadataView {
  const shown = { ...metadata, takenAt: takenAtOf(metadata) };
  const fields = Object.fromEntries(WRITTEN_ROWS.map(([field]) => [field, shown[field]]));
  return {
    ...(fields as Pick<typeof shown, (typeof WRITTEN_ROWS)[number][0]>),
    capture: capture.parse(metadata.capture),
    updatedAt: metadata.updatedAt?.toISOString() ?? null,
  };
}

export function metadataEtag({ version }: Pick<ImageMetadata, 'version'>): string {
  return `"m${version}"`;
}
