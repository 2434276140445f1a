import type { ImageRecord, SimilarImage } from '@image-catalog/client';
import { useQuery } from '@tanstack/react-query';
import { Button } from '../button.tsx';
import { useChanges } from '../contexts/changes.ts';
import { useService } from '../contexts/service.ts';
import { useView } from '../contexts/view.ts';
import { Icon } from '../icons/icon.tsx';
import { useStore } from '../store.ts';
import { texts } from '../texts.ts';
import { Thumbnail } from './thumbnail.tsx';

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
        <Button
          data-kind="quiet"
          onClick={() => addressBar.push({ compare: [id, ...shown.map(({ image }) => image.id)] })}
        >
          <Icon name="compare" />
          {texts.compare.open}
        </Button>
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
