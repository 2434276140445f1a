import type { ImageRecord } from '@image-catalog/client';
import { memo, useState } from 'react';
import type { GridSources } from '../catalog/link-cache.ts';
import { spokenName } from '../catalog/picture-name.ts';
import { useLinks } from '../catalog/use-links.ts';
import { Icon } from '../controls/icon.tsx';
import { publishingTexts } from '../publishing/publishing-texts.ts';
import { starTexts } from '../star/star-texts.ts';
import { RetrySign } from '../trouble/retry-sign.tsx';
import { useAttempts } from '../trouble/use-attempts.ts';
import type { GridCell } from './grid-model.ts';
import { colorOf } from './placeholders.ts';
import { useGrid } from './use-grid.ts';

interface CellProps extends GridCell {
  readonly count: number;
  readonly isSelected: boolean;
  readonly isStarred: boolean;
  /** Whether it has a public address. */
  readonly isPublished: boolean;
  /** Whether the Tab key leads to it. */
  readonly isCurrent: boolean;
  /** For what lies above the cells: an option has no controls inside. */
  readonly layer: HTMLElement | null;
}

/** An option of the list: its colour and then its preview are the background until the picture is there. */
export const Cell = memo(function Cell({
  position,
  x,
  y,
  width,
  height,
  ...props
}: CellProps): React.JSX.Element {
  const { record, placeholder, count, isSelected, isStarred, isPublished, isCurrent, layer } = props;
  const name = record && spokenName(record);
  const starred = isStarred && name !== undefined ? starTexts().starred(name) : name;
  return (
    <div
      // oxlint-disable-next-line jsx-a11y/prefer-tag-over-role -- an <option> holds text only
      role="option"
      className="grid-cell"
      data-position={position}
      data-transparent={(record !== undefined && record.mediaType !== 'image/jpeg') || undefined}
      aria-label={isPublished && starred !== undefined ? publishingTexts().marked(starred) : starred}
      aria-busy={record === undefined}
      aria-selected={isSelected}
      aria-setsize={count}
      aria-posinset={position + 1}
      tabIndex={isCurrent ? 0 : -1}
      style={{
        transform: `translate(${x}px, ${y}px)`,
        width,
        height,
        backgroundColor: record && colorOf(record),
        backgroundImage: placeholder,
      }}
    >
      {record !== undefined && (
        <Picture
          key={record.id}
          id={record.id}
          name={name ?? ''}
          sources={props.sources}
          sizes={sizesOf(record, width, height)}
          layer={layer}
          middle={{ x: x + width / 2, y: y + height / 2 }}
        />
      )}
      {isStarred && (
        <span className="grid-star">
          <Icon name="star-filled" />
        </span>
      )}
      {isPublished && (
        <span className="grid-star grid-public">
          <Icon name="globe" />
        </span>
      )}
    </div>
  );
});

/** The box shows a part of a picture whose shape is another one. */
function sizesOf(record: ImageRecord, width: number, height: number): string {
  return `${Math.ceil(Math.max(width, (height * record.width) / record.height))}px`;
}

interface PictureProps {
  readonly id: number;
  readonly name: string;
  readonly sources: GridSources | undefined;
  readonly sizes: string;
  readonly layer: HTMLElement | null;
  readonly middle: { readonly x: number; readonly y: number };
}

interface Shown {
  readonly srcset: string;
  readonly isSharp: boolean;
}

/** Keeps its addresses: a renewed link is another address, and would load the same picture again. */
function Picture({ id, name, sources, sizes, layer, middle }: PictureProps): React.JSX.Element | null {
  const links = useLinks();
  const grid = useGrid();
  const [shown, setShown] = useState(() => bestOf(sources));
  const [outdated, setOutdated] = useState<GridSources>();
  const attempts = useAttempts(() => {
    // The link may be over, or its key withdrawn.
    links.forget(id);
    setOutdated(sources);
    setShown(undefined);
  });
  const best = sources === outdated ? undefined : bestOf(sources);
  const isBetter = shown === undefined || (best?.isSharp === true && !shown.isSharp);
  if (best !== undefined && isBetter) setShown(best);
  if (shown === undefined) return null;
  return (
    <>
      <img
        key={attempts.number}
        ref={cancelWhenRemoved}
        className="grid-picture"
        alt={name}
        srcSet={shown.srcset}
        sizes={sizes}
        decoding="async"
        draggable={false}
        onLoad={({ currentTarget }) => {
          currentTarget.setAttribute('data-loaded', grid.isBegun.get() ? 'later' : 'first');
          grid.arrived(id);
          attempts.succeeded();
        }}
        onError={attempts.failed}
      />
      <RetrySign attempts={attempts} name={name} layer={layer} style={{ left: middle.x, top: middle.y }} />
    </>
  );
}

function bestOf(sources: GridSources | undefined): Shown | undefined {
  if (sources?.sharp !== undefined) return { srcset: sources.sharp, isSharp: true };
  return sources?.quick === undefined ? undefined : { srcset: sources.quick, isSharp: false };
}

/** Browsers go on with the request of an element that is removed. */
function cancelWhenRemoved(image: HTMLImageElement): () => void {
  const { srcset } = image;
  // Strict mode of React attaches twice.
  if (srcset === '') image.srcset = image.dataset['srcset'] ?? '';
  return () => {
    image.dataset['srcset'] = srcset;
    image.srcset = '';
  };
}
