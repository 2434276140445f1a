import { filenameOf, type Image } from '../../domain/image/image.ts';

/** An allow-list of fields (section 2 of the contract). */
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
  readonly links: {
    readonly self: string;
    readonly file: string;
    /** For `srcset`, so that front ends need no constants of their own. */
    readonly renditions: {
      /** URI template, RFC 6570. */
      readonly template: string;
      /** In pixels, ascending. */
      readonly widths: readonly number[];
    };
  };
}

export type ViewImage = (image: Image) => ImageView;

export function imageView(sizes: readonly number[]): ViewImage {
  return (image) => {
    const self = `/api/image/${image.id}`;
    const file = `${self}/file`;
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
      links: {
        self,
        file,
        renditions: { template: `${file}{?width,height,fit,format,quality}`, widths: sizes },
      },
    };
  };
}
