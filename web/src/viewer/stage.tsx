import type { ImageRecord } from '@image-catalog/client';
import { useRef, useState } from 'react';
import { FITTED, frameOf } from '../stage/geometry.ts';
import { useWheel } from '../stage/use-wheel.ts';
import { Slide } from './slide.tsx';
import { type GestureTargets, useGestures } from './use-gestures.ts';

interface StageProps extends GestureTargets {
  readonly record: ImageRecord;
  readonly previous: ImageRecord | undefined;
  readonly next: ImageRecord | undefined;
}

/** The picture and its neighbours. */
export function Stage(props: StageProps): React.JSX.Element {
  const { record, previous, next, size, zoom } = props;
  const stage = useRef<HTMLDivElement>(null);
  const track = useRef<HTMLDivElement>(null);
  const [settledId, setSettledId] = useState<number>();

  useGestures(props, stage, track);
  useWheel(stage, zoom);

  const slides = [
    [previous, -1],
    [record, 0],
    [next, 1],
  ] as const;
  return (
    <div ref={stage} className="viewer-stage" data-zoomed={zoom.isZoomed || undefined}>
      <div ref={track} className="viewer-track">
        {slides.map(
          ([shown, offset]) =>
            shown !== undefined && (
              <Slide
                key={shown.id}
                record={shown}
                offset={offset}
                fitted={offset === 0 ? zoom.frame.fitted : frameOf(shown, size, 1).fitted}
                placement={offset === 0 ? zoom.placement : FITTED}
                isAnimated={offset === 0 && zoom.isAnimated}
                isLoading={offset === 0 || settledId === record.id}
                onSettled={offset === 0 ? setSettledId : undefined}
              />
            ),
        )}
      </div>
    </div>
  );
}
