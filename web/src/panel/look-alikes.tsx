import type { ImageRecord, SimilarImage } from '@image-catalog/client';
import { thumbhashDataUrl } from '@image-catalog/client';
import { useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { useChanges } from '../contexts/changes.ts';
import { useService } from '../contexts/service.ts';
import { useView } from '../contexts/view.ts';
import { Icon } from '../icons/icon.tsx';
import { useStore } from '../store.ts';
import { texts } from '../texts.ts';
import { nameOf } from '../viewer/picture/picture-name.ts';

interface LookAlikesProps {
  readonly id: number;
  readonly onShow: (record: ImageRecord) => void;
}

const NONE: readonly SimilarImage[] = [];

/** Pictures that look like this one. */
export function LookAlikes({ id, onShow }: LookAlikesProps): React.JSX.Element | null {
  const { catalog } = useService();
  const { addressBar } = useView();
  const { deletions } = useChanges();
  const hidden = useStore(deletions.hidden);
  const { data = NONE } = useQuery({
    queryKey: ['similar', id],
    queryFn: ({ signal }) => catalog.similar(id, {}, { signal }),
    // The strip is an extra: without it nothing is missing.
    meta: { quiet: true },
    staleTime: 60_000,
  });
  const shown = data.filter(({ image }) => !hidden.has(image.id));
  if (shown.length === 0) return null;
  return (
    <section className="panel-section">
      <div className="panel-heading-row">
        <h3 className="panel-heading">{texts.panel.lookAlikes}</h3>
        <button
          type="button"
          className="button"
          data-kind="quiet"
          onClick={() => addressBar.push({ compare: [id, ...shown.map(({ image }) => image.id)] })}
        >
          <Icon name="compare" />
          {texts.compare.open}
        </button>
      </div>
      <ul className="panel-strip">
        {shown.map(({ image, kind }) => (
          <li key={image.id}>
            <button type="button" className="panel-look-alike" onClick={() => onShow(image)}>
              <Thumbnail record={image} />
              <span className="panel-kind">{texts.panel.kinds[kind]}</span>
            </button>
          </li>
        ))}
      </ul>
    </section>
  );
}

function Thumbnail({ record }: { readonly record: ImageRecord }): React.JSX.Element {
  const { links } = useService();
  const { id, thumbhash } = record;
  const placeholder = useMemo(() => thumbhashDataUrl({ thumbhash }), [thumbhash]);
  const { data: srcSet } = useQuery({
    queryKey: ['thumbnail', id],
    queryFn: () => links.srcset(record),
    meta: { quiet: true },
    staleTime: 60_000,
  });
  return (
    <img
      className="panel-thumbnail"
      alt={nameOf(record)}
      src={placeholder}
      srcSet={srcSet}
      sizes="96px"
      loading="lazy"
      style={{ backgroundImage: `url("${placeholder}")` }}
    />
  );
}
