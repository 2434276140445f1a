import type { ImageRecord } from '@image-catalog/client';
import { memo, useState } from 'react';
import type { GridSources } from '../catalog/link-cache.ts';
import { useLinks } from '../catalog/use-links.ts';
import { Icon } from '../controls/icon.tsx';
import { starTexts } from '../star/star-texts.ts';
import type { GridCell } from './grid-model.ts';
import { colorOf } from './placeholders.ts';

interface CellProps extends GridCell {
  readonly count: number;
  readonly isSelected: boolean;
  readonly isStarred: boolean;
  /** Whether the Tab key leads to it. */
  readonly isCurrent: boolean;
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
  const { record, placeholder, count, isSelected, isStarred, isCurrent } = props;
  const name = record?.title ?? record?.originalName;
  return (
    <div
      // oxlint-disable-next-line jsx-a11y/prefer-tag-over-role -- an <option> holds text only
      role="option"
      className="grid-cell"
      data-position={position}
      data-transparent={(record !== undefined && record.mediaType !== 'image/jpeg') || undefined}
      aria-label={isStarred && name !== undefined ? starTexts().starred(name) : name}
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
        />
      )}
      {isStarred && (
        <span className="grid-star">
          <Icon name="star-filled" />
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
}

interface Shown {
  readonly srcset: string;
  readonly isSharp: boolean;
}

/** Keeps its addresses: a renewed link is another address, and would load the same picture again. */
function Picture({ id, name, sources, sizes }: PictureProps): React.JSX.Element | null {
  const links = useLinks();
  const [shown, setShown] = useState(() => bestOf(sources));
  const [failed, setFailed] = useState<string | undefined>(undefined);
  const best = bestOf(sources);
  const isBetter = shown === undefined || (best?.isSharp === true && !shown.isSharp);
  if (best !== undefined && isBetter && best.srcset !== failed) setShown(best);
  if (shown === undefined) return null;
  const tryAgain = (): void => {
    if (failed !== undefined) return;
    // The link is over, or its key was withdrawn.
    links.forget(id);
    setFailed(shown.srcset);
    setShown(undefined);
  };
  return (
    <img
      ref={cancelWhenRemoved}
      className="grid-picture"
      alt={name}
      srcSet={shown.srcset}
      sizes={sizes}
      decoding="async"
      draggable={false}
      onLoad={({ currentTarget }) => currentTarget.setAttribute('data-loaded', '')}
      onError={tryAgain}
    />
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
