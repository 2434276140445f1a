import type { ImageRecord } from '@image-catalog/client';
import { useMemo, useRef } from 'react';
import { formatMediaType } from '../base/media-types.ts';
import { chooseWidth } from '../catalog/choose-width.ts';
import { formatDimensions } from '../catalog/file-facts.ts';
import { formatTaken } from '../catalog/format-taken.ts';
import { altOf, nameOf } from '../catalog/picture-name.ts';
import { Button } from '../controls/button.tsx';
import { useSize } from '../controls/use-size.ts';
import { commonTexts } from '../languages/common-texts.ts';
import { formats } from '../languages/formats.ts';
import { frameOf, isZoomed, type Placement, type Size } from '../stage/geometry.ts';
import { PictureWaiting } from '../stage/picture-waiting.tsx';
import { StageImage } from '../stage/stage-image.tsx';
import { useSharpPicture } from '../stage/use-sharp-picture.ts';
import type { CompareFact } from './compare-facts.ts';
import { compareTexts } from './compare-texts.ts';
import { placementOf } from './shared-zoom.ts';
import { type ChangeZoom, usePaneGestures } from './use-pane-gestures.ts';

export interface ComparePaneProps {
  readonly record: ImageRecord;
  readonly facts: readonly CompareFact[];
  readonly shared: Placement;
  readonly onZoom: ChangeZoom;
  /** Without, pictures cannot be deleted. */
  readonly onKeep: (() => void) | undefined;
}

const NO_SIZE: Size = { width: 0, height: 0 };

/** One of the pictures, with what is known about it. */
export function ComparePane({ record, facts, shared, onZoom, onKeep }: ComparePaneProps): React.JSX.Element {
  const stage = useRef<HTMLDivElement>(null);
  const size = useSize(stage) ?? NO_SIZE;
  const pixelRatio = window.devicePixelRatio;
  const frame = useMemo(() => frameOf(record, size, pixelRatio), [record, size, pixelRatio]);
  usePaneGestures(stage, frame, onZoom);
  return (
    <li className="compare-pane">
      <div ref={stage} className="compare-stage" data-zoomed={isZoomed(shared) || undefined}>
        {size.width > 0 && <Picture record={record} fitted={frame.fitted} shared={shared} />}
      </div>
      <div className="compare-about">
        <div className="compare-known">
          <h3 className="compare-name" title={nameOf(record)}>
            {nameOf(record)}
          </h3>
          <p>{formatDimensions(record)}</p>
          <p>
            {formatMediaType(record.mediaType)} · {formats().size(record.size)}
          </p>
          <p>{record.takenAt === null ? commonTexts().takenUnknown : formatTaken(record.takenAt)}</p>
          <ul className="compare-facts">
            {facts.map((fact) => (
              <li key={fact}>{compareTexts().facts[fact]}</li>
            ))}
          </ul>
        </div>
        {onKeep !== undefined && (
          <Button aria-label={compareTexts().keepNamed(nameOf(record))} onClick={onKeep}>
            {compareTexts().keep}
          </Button>
        )}
      </div>
    </li>
  );
}

interface PictureProps {
  readonly record: ImageRecord;
  readonly fitted: Size;
  readonly shared: Placement;
}

function Picture({ record, fitted, shared }: PictureProps): React.JSX.Element {
  const pixelRatio = window.devicePixelRatio;
  const wanted = chooseWidth(record, { fitted, zoom: shared.zoom, pixelRatio });
  const { src, state, retry, onError } = useSharpPicture(record, wanted);
  const placement = placementOf(shared, fitted);
  return (
    <>
      <StageImage src={src} onError={onError} alt={altOf(record)} fitted={fitted} placement={placement} />
      {state !== 'sharp' && <PictureWaiting hasFailed={state === 'failed'} retry={retry} />}
    </>
  );
}
