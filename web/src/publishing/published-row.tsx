import type { NamedImage } from '@image-catalog/client';
import { useQuery } from '@tanstack/react-query';
import { useRef, useState } from 'react';
import { imageQuery } from '../catalog/image-query.ts';
import { nameOf } from '../catalog/picture-name.ts';
import { Thumbnail } from '../catalog/thumbnail.tsx';
import { useCatalog } from '../catalog/use-catalog.ts';
import { Button } from '../controls/button.tsx';
import { useSeen } from '../controls/use-seen.ts';
import { UncopiedLink } from '../copying/uncopied-link.tsx';
import { useCopy } from '../copying/use-copy.ts';
import { useRights } from '../session/use-rights.ts';
import { ViewLink } from '../view-state/view-link.tsx';
import { NO_FILTERS } from '../view-state/view-state.ts';
import { PublicAddress } from './public-address.tsx';
import { publishingTexts } from './publishing-texts.ts';

interface PublishedRowProps {
  readonly named: NamedImage;
  readonly onUnpublish: (named: NamedImage) => Promise<void>;
}

/** A published name, its address, and the picture that it shows now. */
export function PublishedRow({ named, onUnpublish }: PublishedRowProps): React.JSX.Element {
  const rights = useRights();
  const { copy, uncopied } = useCopy();
  const [isRunning, setRunning] = useState(false);
  const { name, url } = named;

  async function unpublish(): Promise<void> {
    if (isRunning) return;
    setRunning(true);
    await onUnpublish(named);
    setRunning(false);
  }

  return (
    <li className="publishing-row">
      <Picture id={named.id} />
      <div className="publishing-text">
        <span>{name}</span>
        <PublicAddress name={name} url={url ?? undefined} onCopy={copy} />
        <UncopiedLink link={uncopied} />
      </div>
      {rights.publish && (
        <Button
          className="button publishing-end"
          aria-label={publishingTexts().unpublishName(name)}
          aria-disabled={isRunning || undefined}
          onClick={() => void unpublish()}
        >
          {publishingTexts().unpublish}
        </Button>
      )}
    </li>
  );
}

/** Is asked for when it is nearly in view: there may be thousands. */
function Picture({ id }: { readonly id: number }): React.JSX.Element {
  const box = useRef<HTMLDivElement>(null);
  const [layer, setLayer] = useState<HTMLElement | null>(null);
  const isSeen = useSeen(box);
  const { data } = useQuery({ ...imageQuery(useCatalog(), id), enabled: isSeen });
  return (
    <div ref={box} className="publishing-picture">
      {data !== undefined && (
        <ViewLink
          ref={setLayer}
          view={{ ...NO_FILTERS, page: 'pictures', image: id }}
          aria-label={publishingTexts().open(nameOf(data))}
        >
          <Thumbnail record={data} className="tag-card-picture" sizes="64px" isDecoration layer={layer} />
        </ViewLink>
      )}
    </div>
  );
}
