import { type KeyboardEvent, memo, type PointerEvent, useRef, useState } from 'react';
import { useStore } from '../base/use-store.ts';
import { useSize } from '../controls/use-size.ts';
import type { GridFrame } from '../grid/grid-model.ts';
import { useGrid } from '../grid/use-grid.ts';
import type { Section } from '../images/list-plan.ts';
import { periodText } from '../images/period-text.ts';
import { useShortcut } from '../shortcuts/use-shortcut.ts';
import { scrubberTexts } from './scrubber-texts.ts';
import { positionAt, sectionIndexAt, ticksOf } from './timeline-scale.ts';
import { yearFurther } from './year-further.ts';
import './scrubber.css';

/** The timeline at the edge: years and months with their counts. */
export function Scrubber(): React.JSX.Element | null {
  const grid = useGrid();
  const frame = useStore(grid.frame);
  const sections = grid.list?.contents?.sections;
  if (frame === undefined || frame.isOneScreen || sections?.[0]?.period === undefined) return null;
  return <Rail frame={frame} sections={sections} />;
}

interface RailProps {
  readonly frame: GridFrame;
  readonly sections: readonly Section[];
}

/** What the pointer is at. */
interface Pointed {
  /** 0 to 1. */
  readonly fraction: number;
  readonly isDragged: boolean;
}

function Rail({ frame, sections }: RailProps): React.JSX.Element {
  const grid = useGrid();
  const track = useRef<HTMLDivElement>(null);
  const height = useSize(track)?.height ?? 0;
  const [pointed, setPointed] = useState<Pointed | undefined>(undefined);
  const shown = pointed?.isDragged === true ? pointed.fraction : fractionOf(frame);
  const present = sectionIndexAt(sections, frame.jumpedTo ?? frame.firstInView);
  const follow = (event: PointerEvent, isDragged: boolean): void => {
    const top = track.current?.getBoundingClientRect().top ?? 0;
    const fraction = Math.min(1, Math.max(0, (event.clientY - top) / Math.max(1, height)));
    setPointed({ fraction, isDragged });
    if (isDragged) grid.jumpTo(positionAt(sections, fraction));
  };
  const press = (event: KeyboardEvent): void => {
    const target = targetOf(event.key, sections, present);
    if (target === undefined) return;
    event.preventDefault();
    grid.jumpTo(sections[target]?.first ?? 0);
  };
  return (
    <div
      className="scrubber"
      // oxlint-disable-next-line jsx-a11y/prefer-tag-over-role -- an <input> cannot show the years
      role="slider"
      tabIndex={0}
      aria-label={scrubberTexts().label}
      aria-orientation="vertical"
      aria-valuemin={0}
      aria-valuemax={sections.length - 1}
      aria-valuenow={present}
      aria-valuetext={describe(sections[present])}
      data-dragged={pointed?.isDragged || undefined}
      onKeyDown={press}
      onPointerDown={(event) => {
        if (event.button !== 0) return;
        event.currentTarget.setPointerCapture(event.pointerId);
        follow(event, true);
      }}
      onPointerMove={(event) => follow(event, pointed?.isDragged ?? false)}
      onLostPointerCapture={() => setPointed(undefined)}
      onPointerLeave={() => setPointed((present) => (present?.isDragged ? present : undefined))}
    >
      <div ref={track} className="scrubber-track">
        <Marks sections={sections} height={height} />
        <span
          className="scrubber-thumb"
          style={{ transform: `translateY(${Math.round(shown * height)}px)` }}
        />
        {pointed !== undefined && (
          <Bubble
            pointed={pointed}
            sections={sections}
            height={height}
            onDismiss={() => setPointed(undefined)}
          />
        )}
      </div>
    </div>
  );
}

interface BubbleProps {
  readonly pointed: Pointed;
  readonly sections: readonly Section[];
  /** Of the track, in pixels. */
  readonly height: number;
  readonly onDismiss: () => void;
}

/** The month at the pointer. Escape shows again what it covers (WCAG 1.4.13). */
function Bubble({ pointed, sections, height, onDismiss }: BubbleProps): React.JSX.Element {
  const { fraction, isDragged } = pointed;
  useShortcut('Escape', onDismiss, { enabled: !isDragged });
  return (
    <span
      className="scrubber-bubble"
      style={{ transform: `translateY(${Math.round(fraction * height)}px) translateY(-50%)` }}
    >
      {describe(sections[sectionIndexAt(sections, positionAt(sections, fraction))])}
    </span>
  );
}

const Marks = memo(function Marks({
  sections,
  height,
}: {
  readonly sections: readonly Section[];
  readonly height: number;
}): React.JSX.Element[] {
  return ticksOf(sections, height, textScale()).map(({ y, year }) => (
    <span
      // A month that becomes a year is another element: it does not move.
      key={`${y} ${year}`}
      className={year === undefined ? 'scrubber-month' : 'scrubber-year'}
      style={{ transform: `translateY(${Math.round(y)}px)` }}
    >
      {year}
    </span>
  ));
});

/** Of the person, beside the usual 16 pixels. */
function textScale(): number {
  return Number.parseFloat(getComputedStyle(document.documentElement).fontSize) / 16;
}

/** At the lower end if the last picture is in view. */
function fractionOf({ firstInView, lastInView, count }: GridFrame): number {
  const hidden = count - (lastInView - firstInView + 1);
  return hidden <= 0 ? 0 : Math.min(1, firstInView / hidden);
}

function targetOf(key: string, sections: readonly Section[], present: number): number | undefined {
  const last = sections.length - 1;
  if (key === 'ArrowDown' || key === 'ArrowRight') return Math.min(last, present + 1);
  if (key === 'ArrowUp' || key === 'ArrowLeft') return Math.max(0, present - 1);
  if (key === 'PageDown') return yearFurther(sections, present, 1);
  if (key === 'PageUp') return yearFurther(sections, present, -1);
  if (key === 'Home') return 0;
  return key === 'End' ? last : undefined;
}

function describe(section: Section | undefined): string {
  if (section?.period === undefined) return '';
  return scrubberTexts().month(periodText(section.period), section.count);
}
