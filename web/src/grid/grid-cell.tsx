import { memo, useState } from 'react';
import { useService } from '../contexts/service.ts';
import { Icon } from '../icons/icon.tsx';
import { texts } from '../texts.ts';
import type { GridCell } from './grid-model.ts';

interface CellProps extends GridCell {
  readonly count: number;
  readonly isSelected: boolean;
  readonly isStarred: boolean;
  /** Whether the Tab key leads to it. */
  readonly isCurrent: boolean;
}

/** An option of the list: its preview is the background until the picture is there. */
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
      aria-label={isStarred && name !== undefined ? texts.star.starred(name) : name}
      aria-busy={record === undefined}
      aria-selected={isSelected}
      aria-setsize={count}
      aria-posinset={position + 1}
      tabIndex={isCurrent ? 0 : -1}
      style={{ transform: `translate(${x}px, ${y}px)`, width, height, backgroundImage: placeholder }}
    >
      {record !== undefined && (
        <Picture key={record.id} id={record.id} name={name ?? ''} srcset={props.srcset} width={width} />
      )}
      {isStarred && (
        <span className="grid-star">
          <Icon name="star-filled" />
        </span>
      )}
    </div>
  );
});

interface PictureProps {
  readonly id: number;
  readonly name: string;
  readonly srcset: string | undefined;
  readonly width: number;
}

/** Keeps its first address: a renewed link is another address, and would load the same picture again. */
function Picture({ id, name, srcset, width }: PictureProps): React.JSX.Element | null {
  const { links } = useService();
  const [shown, setShown] = useState(srcset);
  const [failed, setFailed] = useState<string | undefined>(undefined);
  if (shown === undefined && srcset !== undefined && srcset !== failed) setShown(srcset);
  if (shown === undefined) return null;
  const tryAgain = (): void => {
    if (failed !== undefined) return;
    // The link is over, or its key was withdrawn.
    links.forget(id);
    setFailed(shown);
    setShown(undefined);
  };
  return (
    <img
      className="grid-picture"
      alt={name}
      srcSet={shown}
      sizes={`${width}px`}
      decoding="async"
      draggable={false}
      onLoad={({ currentTarget }) => currentTarget.setAttribute('data-loaded', '')}
      onError={tryAgain}
    />
  );
}
