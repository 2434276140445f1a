import * as z from 'zod';
import type { CatalogImage } from '../../../domain/image/image.ts';
import { RECORD_FIELDS } from '../../../domain/image/image-metadata.ts';
import { MEDIA_TYPES } from '../../../domain/image/media-type.ts';
import type { HttpSettings } from '../route/http-settings.ts';
import type { Immutable } from '../route/operation.ts';
import { recordFields } from './metadata-fields.ts';

/** An allow-list of fields (section 2 of the contract). */
export const imageRecord = z
  .object({
    id: z.int().min(1).describe('Never reused, not even after a delete.'),
    filename: z.string().describe('A UUID, fresh for every upload, and the original name.'),
    originalName: z.string().describe('The name of the uploaded file.'),
    mediaType: z.enum(MEDIA_TYPES).describe('Found from the bytes.'),
    size: z.int().min(1).describe('Bytes of the original.'),
    width: z.int().min(1).describe('Pixels as a viewer shows them: EXIF orientation is applied.'),
    height: z.int().min(1).describe('Pixels as a viewer shows them.'),
    frames: z.int().min(1).describe('Of an animation; 1 of every other image.'),
    sha256: z
      .string()
      .meta({ pattern: '^[0-9a-f]{64}$', description: 'Of the original, in lower-case hex.' }),
    thumbhash: z.string().meta({
      contentEncoding: 'base64',
      description: 'A ThumbHash of about 25 bytes, for an instant blurred preview.',
    }),
    createdAt: z
      .string()
      .meta({ format: 'date-time', description: 'When the upload was committed, in UTC.' }),
    ...recordFields,
    createdBy: z
      .string()
      .nullable()
      .describe(
        'Who has uploaded the image: `sub`, or else `client_id` or `azp`, of the token. Null for commands, and if it is not recorded.',
      ),
    links: z.object({
      self: z.string().describe('The path of this record.'),
      file: z.string().describe('The path of the bytes.'),
      metadata: z.string().describe('The path of the metadata.'),
      similar: z.string().describe('The path of the similar images.'),
      renditions: z
        .object({
          template: z.string().describe('A URI template (RFC 6570).'),
          widths: z
            .array(z.int().min(1))
            .describe('The sides in pixels that renditions can have, ascending.'),
        })
        .describe('For `srcset`, so that front ends need no constants of their own.'),
    }),
  })
  .meta({
    id: 'ImageRecord',
    description: `One image of the catalog. Of its fields, only these can change between upload and delete: ${RECORD_FIELDS.map((field) => `\`${field}\``).join(', ')}. Fields may be added later; ignore those that you do not know.`,
  });

export type ImageView = Immutable<z.output<typeof imageRecord>>;

/** What a view depends on. */
export type ViewSettings = Pick<HttpSettings, 'renditions'>;

export function imageView(image: CatalogImage, { renditions: { sizes } }: ViewSettings): ImageView {
  const self = `/api/image/${image.id}`;
  const file = `${self}/file`;
  return {
    id: image.id,
    filename: `${image.uuid}-${image.originalName}`,
    originalName: image.originalName,
    mediaType: image.mediaType,
    size: image.size,
    width: image.width,
    height: image.height,
    frames: image.frames,
    sha256: image.sha256,
    thumbhash: image.thumbhash,
    createdAt: image.createdAt.toISOString(),
    title: image.title,
    alt: image.alt,
    tags: image.tags,
    takenAt: image.takenAt,
    createdBy: image.createdBy,
    links: {
      self,
      file,
      metadata: `${self}/metadata`,
      similar: `${self}/similar`,
      renditions: { template: `${file}{?width,height,fit,format,quality}`, widths: sizes },
    },
  };
}
