import { type TrashedImage, thumbhashColor, thumbhashDataUrl } from '@image-catalog/client';
import { memo, useRef } from 'react';
import { nameOf } from '../catalog/picture-name.ts';
import { useSeen } from '../controls/use-seen.ts';
import { formats } from '../languages/formats.ts';
import { useRights } from '../session/use-rights.ts';
import { useSession } from '../session/use-session.ts';
import { daysLeft } from './days-left.ts';
import { trashTexts } from './trash-texts.ts';

interface TrashCardProps {
  readonly picture: TrashedImage;
  /** Epoch ms. */
  readonly now: number;
  readonly isSelected: boolean;
  /** The selection is needed. */
  readonly isDisabled: boolean;
  readonly onToggle: (id: number) => void;
}

/** A picture in the trash: the service shows nothing of it but its record. */
function Card({ picture, now, isSelected, isDisabled, onToggle }: TrashCardProps): React.JSX.Element {
  const rights = useRights();
  const { id } = picture.image;
  if (!rights.delete) {
    return (
      <li className="trash-card">
        <Content picture={picture} now={now} />
      </li>
    );
  }
  return (
    <li>
      <label className="trash-card">
        <input
          type="checkbox"
          className="trash-card-check"
          checked={isSelected}
          disabled={isDisabled}
          onChange={() => onToggle(id)}
        />
        <Content picture={picture} now={now} />
      </label>
    </li>
  );
}

/** There may be thousands, of which one changes. */
export const TrashCard = memo(Card);

function Content({ picture, now }: Pick<TrashCardProps, 'picture' | 'now'>): React.JSX.Element {
  const session = useSession();
  const { image, trashedAt, trashedBy, erasedAt } = picture;
  const by = trashedBy === null ? undefined : trashedBy === session.subject ? 'you' : { subject: trashedBy };
  return (
    <>
      <Preview image={image} />
      <span className="tag-card-name">{nameOf(image)}</span>
      <span className="tag-card-count">{trashTexts().daysLeft(daysLeft(erasedAt, now))}</span>
      <span className="trash-card-fact">
        {trashTexts().deleted(formats().period(trashedAt.slice(0, 10)), by)}
      </span>
    </>
  );
}

function Preview({ image }: Pick<TrashedImage, 'image'>): React.JSX.Element {
  const box = useRef<HTMLSpanElement>(null);
  const isSeen = useSeen(box);
  return (
    <span
      ref={box}
      className="tag-card-box trash-card-box"
      style={{
        backgroundColor: thumbhashColor(image),
        ...(isSeen && { backgroundImage: `url("${thumbhashDataUrl(image)}")` }),
      }}
    />
  );
}
