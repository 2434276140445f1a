import type { Focus, ImageRecord } from '@image-catalog/client';
import { type RefObject, useRef } from 'react';
import { MIDDLE } from '../catalog/crop-position.ts';
import { altOf } from '../catalog/picture-name.ts';
import { useThumbnail } from '../catalog/use-thumbnail.ts';
import { cropsTexts } from './crops-texts.ts';
import { focusAfter, focusAt } from './focus-point.ts';
import { focusText } from './focus-text.ts';

/** The same for the picture and its crops: they share one file. */
export const FOCUS_SIZES = '(max-width: 639px) 90vw, 640px';

interface FocusPictureProps {
  readonly record: ImageRecord;
  readonly focus: Focus | null;
  readonly onChange: (focus: Focus) => void;
}

/** The whole picture, with the point on it: moved by pointer and by keys. */
export function FocusPicture({ record, focus, onChange }: FocusPictureProps): React.JSX.Element {
  const { attributes } = useThumbnail(record);
  const handle = useRef<HTMLInputElement>(null);
  const ratio = record.width / record.height;

  function follow({ currentTarget, clientX, clientY }: React.PointerEvent): void {
    onChange(focusAt(currentTarget.getBoundingClientRect(), clientX, clientY));
  }

  return (
    <div
      className="focus-picture"
      style={{ aspectRatio: ratio, width: `min(100%, 44vh * ${ratio})` }}
      onPointerDown={(event) => {
        if (event.button !== 0) return;
        // Neither selects text nor drags the picture away.
        event.preventDefault();
        event.currentTarget.setPointerCapture(event.pointerId);
        handle.current?.focus({ preventScroll: true });
        follow(event);
      }}
      onPointerMove={(event) => {
        if (event.currentTarget.hasPointerCapture(event.pointerId)) follow(event);
      }}
    >
      <img
        {...attributes}
        className="focus-whole"
        alt={altOf(record)}
        sizes={FOCUS_SIZES}
        draggable={false}
      />
      <Point handle={handle} focus={focus} onChange={onChange} />
    </div>
  );
}

interface PointProps {
  readonly handle: RefObject<HTMLInputElement | null>;
  readonly focus: Focus | null;
  readonly onChange: (focus: Focus) => void;
}

/** A slider for each direction, of which none is seen but its point: the arrow keys move it in both. */
function Point({ handle, focus, onChange }: PointProps): React.JSX.Element {
  const { x, y } = focus ?? MIDDLE;
  const shared = {
    type: 'range',
    className: 'visually-hidden',
    min: 0,
    max: 100,
    'aria-valuetext': focusText(focus),
    onKeyDown: (event: React.KeyboardEvent) => {
      const moved = focusAfter(focus, event);
      if (moved === undefined) return;
      event.preventDefault();
      onChange(moved);
    },
  } as const;
  return (
    <label className="focus-point" style={{ left: `${x * 100}%`, top: `${y * 100}%` }}>
      <input
        {...shared}
        ref={handle}
        aria-label={cropsTexts().left}
        value={Math.round(x * 100)}
        onChange={({ target }) => onChange({ x: target.valueAsNumber / 100, y })}
      />
      {/* For screen readers on devices without arrow keys. */}
      <input
        {...shared}
        tabIndex={-1}
        aria-label={cropsTexts().top}
        value={Math.round(y * 100)}
        onChange={({ target }) => onChange({ x, y: target.valueAsNumber / 100 })}
      />
    </label>
  );
}
