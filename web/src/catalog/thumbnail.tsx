import type { ImageRecord } from '@image-catalog/client';
import { nameOf } from './picture-name.ts';
import { useSquareThumbnail } from './use-square-thumbnail.ts';

/** A small square of a picture. */
export function Thumbnail({ record }: { readonly record: ImageRecord }): React.JSX.Element {
  const attributes = useSquareThumbnail(record);
  return <img {...attributes} className="panel-thumbnail" alt={nameOf(record)} sizes="96px" loading="lazy" />;
}
