import type { ImageRecord } from '@image-catalog/client';
import { useState } from 'react';
import { formatMediaType } from '../base/media-types.ts';
import { formatDimensions } from '../catalog/file-facts.ts';
import { nameOf } from '../catalog/picture-name.ts';
import { Thumbnail } from '../catalog/thumbnail.tsx';
import { compareTexts } from '../compare/compare-texts.ts';
import { Button } from '../controls/button.tsx';
import { Icon } from '../controls/icon.tsx';
import { useDeletions } from '../deletion/use-deletions.ts';
import { formats } from '../languages/formats.ts';
import { useEndingAddresses } from '../publishing/use-ending-addresses.ts';
import { useRights } from '../session/use-rights.ts';
import { focusHeading } from '../states/sub-page.tsx';
import { useAddressBar } from '../view-state/use-address-bar.ts';
import { ViewLink } from '../view-state/view-link.tsx';
import { MAX_COMPARED, NO_FILTERS } from '../view-state/view-state.ts';
import { bestOf } from './best-of.ts';
import { copiesPageTexts } from './copies-page-texts.ts';
import { losesWords } from './loses-words.ts';

/** Copies of one picture, oldest first, of which one may be kept. */
export function CopyGroup({ images }: { readonly images: readonly ImageRecord[] }): React.JSX.Element {
  const rights = useRights();
  const best = bestOf(images);
  return (
    <li className="copies-group">
      <GroupBar images={images} best={best} />
      {rights.delete && best !== undefined && losesWords(best, images) && (
        <p className="copies-note">{copiesPageTexts().wordsLost}</p>
      )}
      <ul className="tags-page-cards">
        {images.map((record) => (
          <CopyCard key={record.id} record={record} isBest={record === best} />
        ))}
      </ul>
    </li>
  );
}

interface GroupBarProps {
  readonly images: readonly ImageRecord[];
  readonly best: ImageRecord | undefined;
}

function GroupBar({ images, best }: GroupBarProps): React.JSX.Element | null {
  const addressBar = useAddressBar();
  const deletions = useDeletions();
  const endings = useEndingAddresses();
  const rights = useRights();
  if (best === undefined) return null;
  const others = images.map(({ id }) => id).filter((id) => id !== best.id);
  const keep = (): void =>
    endings.ask(others, () => {
      deletions.delete(others);
      focusHeading();
    });
  return (
    <div className="copies-group-bar">
      <h3 className="copies-group-title">{copiesPageTexts().group(images.length)}</h3>
      <Button
        data-kind="quiet"
        aria-label={copiesPageTexts().compareWith(nameOf(best))}
        onClick={() => addressBar.push({ compare: [best.id, ...others].slice(0, MAX_COMPARED) })}
      >
        <Icon name="compare" />
        {compareTexts().title}
      </Button>
      {rights.delete && (
        <Button aria-label={copiesPageTexts().keepBestOf(nameOf(best))} onClick={keep}>
          {copiesPageTexts().keepBest}
        </Button>
      )}
    </div>
  );
}

interface CopyCardProps {
  readonly record: ImageRecord;
  readonly isBest: boolean;
}

function CopyCard({ record, isBest }: CopyCardProps): React.JSX.Element {
  const [item, setItem] = useState<HTMLElement | null>(null);
  return (
    <li ref={setItem}>
      <ViewLink className="tag-card" view={{ ...NO_FILTERS, page: 'pictures', image: record.id }}>
        <span className="tag-card-box">
          <Thumbnail
            record={record}
            className="tag-card-picture"
            sizes="(max-width: 639px) 45vw, 200px"
            isDecoration
            layer={item}
          />
          {isBest && (
            <span className="copies-best" title={copiesPageTexts().bestHint}>
              {copiesPageTexts().best}
            </span>
          )}
        </span>
        <span className="tag-card-name">{nameOf(record)}</span>
        <span className="tag-card-count">{formatDimensions(record)}</span>
        <span className="tag-card-count">
          {formatMediaType(record.mediaType)} · {formats().size(record.size)}
        </span>
      </ViewLink>
    </li>
  );
}
