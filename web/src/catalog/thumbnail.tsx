import type { ImageRecord } from '@image-catalog/client';
import { RetrySign } from '../trouble/retry-sign.tsx';
import { altOf, spokenName } from './picture-name.ts';
import { useSquareThumbnail } from './use-square-thumbnail.ts';

interface ThumbnailProps {
  readonly record: ImageRecord;
  readonly className: string;
  readonly sizes: string;
  /** What stands beside it says what it is. */
  readonly isDecoration?: boolean;
  /** Around the control that it is part of. */
  readonly layer: HTMLElement | null;
}

/** A small square of a picture. */
export function Thumbnail({ record, isDecoration, layer, ...props }: ThumbnailProps): React.JSX.Element {
  const { attributes, attempts } = useSquareThumbnail(record);
  return (
    <>
      <img
        {...attributes}
        {...props}
        alt={isDecoration === true ? '' : altOf(record)}
        loading="lazy"
        decoding="async"
      />
      <RetrySign attempts={attempts} name={spokenName(record)} layer={layer} />
    </>
  );
}
