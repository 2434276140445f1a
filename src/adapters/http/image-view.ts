import { filenameOf, type Image } from '../../domain/image/image.ts';

/** The image record as clients see it: an allow-list, section 2 of the contract. */
export interface ImageView {
  readonly id: number;
  readonly filename: string;
  readonly originalName: string;
  readonly mediaType: string;
  readonly size: number;
  readonly width: number;
  readonly height: number;
  readonly sha256: string;
  readonly thumbhash: string;
  readonly createdAt: string;
}

export function imageView(image: Image): ImageView {
  return {
    id: image.id,
    filename: filenameOf(image),
    originalName: image.originalName,
    mediaType: image.mediaType,
    size: image.size,
    width: image.width,
    height: image.height,
    sha256: image.sha256,
    thumbhash: image.thumbhash,
    createdAt: image.createdAt.toISOString(),
  };
}
