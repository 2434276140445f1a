import type { ImageRecord } from '@image-catalog/client';
import { useEffect } from 'react';
import { chooseWidth } from '../catalog/choose-width.ts';
import { nameOf } from '../catalog/picture-name.ts';
import { Button } from '../controls/button.tsx';
import type { Placement, Size } from '../stage/geometry.ts';
import { StageImage } from '../stage/stage-image.tsx';
import { stageTexts } from '../stage/stage-texts.ts';
import { useSharpPicture } from '../stage/use-sharp-picture.ts';
import { statesTexts } from '../states/states-texts.ts';
import { viewerTexts } from './viewer-texts.ts';

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
  const { src, state, retry } = useSharpPicture(record, isLoading ? wanted : undefined);
  useEffect(() => {
    if (state !== 'loading') onSettled?.(id);
  }, [state, id, onSettled]);
  return (
    <div className="viewer-slide" data-offset={offset} aria-hidden={offset !== 0 || undefined}>
      <StageImage
        src={src}
        alt={offset === 0 ? nameOf(record) : ''}
        fitted={fitted}
        placement={placement}
        data-picture={offset === 0 || undefined}
        data-animated={isAnimated || undefined}
        data-transparent={(state === 'sharp' && record.mediaType !== 'image/jpeg') || undefined}
      />
      {state === 'loading' && offset === 0 && (
        <p className="viewer-hint viewer-waiting">{stageTexts().loading}</p>
      )}
      {state === 'failed' && offset === 0 && (
        <div className="viewer-failed" role="alert">
          <span>{viewerTexts().pictureFailed}</span>
          <Button onClick={retry}>{statesTexts().retry}</Button>
        </div>
      )}
    </div>
  );
}
