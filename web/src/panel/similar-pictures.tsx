import type { ImageRecord, SimilarImage } from '@image-catalog/client';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useStore } from '../base/use-store.ts';
import { Thumbnail } from '../catalog/thumbnail.tsx';
import { useCatalog } from '../catalog/use-catalog.ts';
import { Button } from '../controls/button.tsx';
import { Icon } from '../controls/icon.tsx';
import { CopiesLink } from '../copies-page/copies-link.tsx';
import { copiesPageTexts } from '../copies-page/copies-page-texts.ts';
import { useDeletions } from '../deletion/use-deletions.ts';
import { useAddressBar } from '../view-state/use-address-bar.ts';
import { panelTexts } from './panel-texts.ts';

interface SimilarPicturesProps {
  readonly id: number;
  readonly onShow: (record: ImageRecord) => void;
}

const NONE: readonly SimilarImage[] = [];

/** Pictures that look like this one. */
export function SimilarPictures({ id, onShow }: SimilarPicturesProps): React.JSX.Element | null {
  const catalog = useCatalog();
  const addressBar = useAddressBar();
  const deletions = useDeletions();
  const hidden = useStore(deletions.hidden);
  const { data = NONE } = useQuery({
    queryKey: ['similar', id],
    queryFn: ({ signal }) => catalog.similar(id, {}, { signal }),
    staleTime: 60_000,
  });
  const shown = data.filter(({ image }) => !hidden.has(image.id));
  if (shown.length === 0) return null;
  return (
    <section className="panel-section">
      <div className="panel-heading-row">
        <h3 className="panel-heading">{panelTexts().similar}</h3>
        <Button
          data-kind="quiet"
          onClick={() => addressBar.push({ compare: [id, ...shown.map(({ image }) => image.id)] })}
        >
          <Icon name="compare" />
          {panelTexts().compare}
        </Button>
      </div>
      <ul className="panel-strip">
        {shown.map((similar) => (
          <Similar key={similar.image.id} {...similar} onShow={onShow} />
        ))}
      </ul>
      {shown.some(({ kind }) => kind === 'copy') && (
        <CopiesLink className="button" data-kind="quiet" label={copiesPageTexts().all} />
      )}
    </section>
  );
}

type SimilarProps = SimilarImage & Pick<SimilarPicturesProps, 'onShow'>;

function Similar({ image, kind, onShow }: SimilarProps): React.JSX.Element {
  const [item, setItem] = useState<HTMLElement | null>(null);
  return (
    <li ref={setItem}>
      <button type="button" className="panel-similar" onClick={() => onShow(image)}>
        <Thumbnail record={image} className="panel-thumbnail" sizes="96px" layer={item} />
        <span className="panel-kind">{panelTexts().kinds[kind]}</span>
      </button>
    </li>
  );
}
