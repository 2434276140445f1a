import type { ImageView } from '../image-view.ts';
import type { MetadataView } from '../metadata/metadata-view.ts';

/** The response to an upload of the cat of the demo. A test compares it with a real one. */
export const EXAMPLE_RECORD: ImageView = {
  id: 1,
  filename: '3c4f7f1e-8d0a-4b5f-9a55-2d4c3a8f6e21-chelsea.png',
  originalName: 'chelsea.png',
  mediaType: 'image/png',
  size: 240512,
  width: 451,
  height: 300,
  sha256: '596aa1e7cb875eb79f437e310381d26b338a81c2da23439704a73c4651e8c4bb',
  thumbhash: 'XEkGFYL2WGix1qmreEWIhgx41HBm',
  createdAt: '2026-01-31T12:00:00.000Z',
  title: null,
  tags: [],
  takenAt: null,
  links: {
    self: '/api/image/1',
    file: '/api/image/1/file',
    metadata: '/api/image/1/metadata',
    similar: '/api/image/1/similar',
    renditions: {
      template: '/api/image/1/file{?width,height,fit,format,quality}',
      widths: [16, 32, 48, 64, 96, 128, 256, 320, 384, 480, 640, 750, 828, 1080, 1200, 1920, 2048, 3840],
    },
  },
};

/** Of the same cat, after the change that the document shows. */
export const EXAMPLE_METADATA: MetadataView = {
  title: 'Chelsea',
  description: null,
  tags: ['sofa', 'tabby'],
  takenAt: null,
  capture: {
    takenAt: null,
    make: null,
    model: null,
    lens: null,
    iso: null,
    fNumber: null,
    exposureSeconds: null,
    focalLengthMm: null,
  },
  updatedAt: '2026-01-31T12:30:00.000Z',
};
