import * as z from 'zod';
import { CAPTURE_ROWS, WRITTEN_ROWS } from '../../../domain/image/fields.ts';
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
  const written = { ...metadata, takenAt: takenAtOf(metadata) };
  return {
    ...only(WRITTEN_ROWS, written),
    capture: only(CAPTURE_ROWS, metadata.capture) as MetadataView['capture'],
    updatedAt: metadata.updatedAt?.toISOString() ?? null,
  };
}

function only<Field extends string, Values extends { readonly [Name in Field]?: unknown }>(
  rows: ReadonlyArray<readonly [Field, unknown]>,
  values: Values,
): Pick<Values, Field> {
  const shown: { [Name in Field]?: unknown } = {};
  for (const [field] of rows) if (values[field] !== undefined) shown[field] = values[field];
  return shown as Pick<Values, Field>;
}

export function metadataEtag({ version }: Pick<ImageMetadata, 'version'>): string {
  return `"m${version}"`;
}
