import { emptyValue, RECORD_FIELDS, type RecordField } from '../../../domain/image/image-metadata.ts';
import type { ImageView } from './image-view.ts';

/**
 * The response to an upload of the cat of the demo. A test compares it with a real one.
 *
 * @param sizes of renditions, in pixels, ascending
 */
export function exampleRecord(sizes: readonly number[]): ImageView {
  return { ...EXAMPLE_IMAGE, links: { ...EXAMPLE_LINKS, renditions: { ...RENDITIONS, widths: sizes } } };
}

const NOTHING_WRITTEN = Object.fromEntries(
  RECORD_FIELDS.map((field) => [field, emptyValue(field)]),
) as Readonly<Partial<Pick<ImageView, RecordField>>> as Pick<ImageView, RecordField>;

export const EXAMPLE_IMAGE = {
  id: 1,
  filename: '3c4f7f1e-8d0a-4b5f-9a55-2d4c3a8f6e21-chelsea.png',
  originalName: 'chelsea.png',
  mediaType: 'image/png',
  size: 240512,
  width: 451,
  height: 300,
  frames: 1,
  sha256: '596aa1e7cb875eb79f437e310381d26b338a81c2da23439704a73c4651e8c4bb',
  thumbhash: 'XEkGFYL2WGix1qmreEWIhgx41HBm',
  createdAt: '2026-01-31T12:00:00.000Z',
  ...NOTHING_WRITTEN,
  createdBy: 'demo',
} satisfies Partial<ImageView>;

const EXAMPLE_LINKS = {
  self: '/api/image/1',
  file: '/api/image/1/file',
  metadata: '/api/image/1/metadata',
  similar: '/api/image/1/similar',
};

const RENDITIONS = { template: '/api/image/1/file{?width,height,fit,format,quality}' };
