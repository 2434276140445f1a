import type { ImageRecord } from '@image-catalog/client';
import { useEffect } from 'react';
import { chooseWidth } from '../catalog/choose-width.ts';
import { altOf } from '../catalog/picture-name.ts';
import type { Placement, Size } from '../stage/geometry.ts';
import { PictureWaiting } from '../stage/picture-waiting.tsx';
import { StageImage } from '../stage/stage-image.tsx';
import { useSharpPicture } from '../stage/use-sharp-picture.ts';

interface SlideProps {
  readonly record: ImageRecord;
  /** In slides from the one that is shown. */
  readonly offset: -1 | 0 | 1;
  readonly fitted: Size;
  readonly placement: Placement;
  readonly isAnimated: boolean;
  /** The renditions of neighbours are loaded after that of the picture. */
  readonly isLoading: boolean;
  /** Its rendition is there, or cannot be had. */
  readonly onSettled: ((id: number) => void) | undefined;
}

/** One picture in the middle of its stage. */
export function Slide({
  record,
  offset,
  fitted,
  placement,
  isAnimated,
  isLoading,
  onSettled,
}: SlideProps): React.JSX.Element {
  const { id } = record;
  const pixelRatio = window.devicePixelRatio;
  const wanted = chooseWidth(record, { fitted, zoom: placement.zoom, pixelRatio });
  const { src, state, retry, onError } = useSharpPicture(record, isLoading ? wanted : undefined);
  useEffect(() => {
    if (state !== 'loading') onSettled?.(id);
  }, [state, id, onSettled]);
  return (
    <div className="viewer-slide" data-offset={offset} aria-hidden={offset !== 0 || undefined}>
      <StageImage
        src={src}
        onError={onError}
        alt={offset === 0 ? altOf(record) : ''}
        fitted={fitted}
        placement={placement}
        data-picture={offset === 0 || undefined}
        data-animated={isAnimated || undefined}
        data-transparent={(state === 'sharp' && record.mediaType !== 'image/jpeg') || undefined}
      />
      {state !== 'sharp' && offset === 0 && <PictureWaiting hasFailed={state === 'failed'} retry={retry} />}
    </div>
  );
}
