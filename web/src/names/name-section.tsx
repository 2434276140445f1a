import type { ImageRecord } from '@image-catalog/client';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useMemo, useRef, useState } from 'react';
import { useStore } from '../base/use-store.ts';
import { useCatalog } from '../catalog/use-catalog.ts';
import { Button } from '../controls/button.tsx';
import { Icon } from '../controls/icon.tsx';
import { UncopiedLink } from '../copying/uncopied-link.tsx';
import { useCopy } from '../copying/use-copy.ts';
import { useImages } from '../images/use-images.ts';
import { useLive } from '../live/use-live.ts';
import { useNotices } from '../notices/use-notices.ts';
import { publishingTexts } from '../publishing/publishing-texts.ts';
import { learnPublicState } from '../publishing/use-public-state.ts';
import { usePublishedNames } from '../publishing/use-published-names.ts';
import { useRights } from '../session/use-rights.ts';
import { useTrouble } from '../trouble/use-trouble.ts';
import { useUndo } from '../undo/use-undo.ts';
import { useUploads } from '../upload/use-uploads.ts';
import { learnName, MOST_NAMES, namesOf, namesQuery } from './known-names.ts';
import { NameActions, type NameParts } from './name-actions.ts';
import { NameForm } from './name-form.tsx';
import { NameRow } from './name-row.tsx';
import { namesTexts } from './names-texts.ts';

interface NameSectionProps {
  readonly id: number;
  readonly onShow: (record: ImageRecord) => void;
}

/** The names of a picture. Without any, it is there for those who may give one. */
export function NameSection({ id, onShow }: NameSectionProps): React.JSX.Element | null {
  const catalog = useCatalog();
  const rights = useRights();
  const { data } = useQuery(namesQuery(catalog));
  const actions = useActions(id);
  const { copy, uncopied } = useCopy();
  const names = data === undefined ? [] : namesOf(data, id);
  if (names.length === 0 && !rights.write) return null;
  const hint = names.length === 0 ? namesTexts().hint : namesTexts().linkHint;
  return (
    <section className="panel-section" aria-label={namesTexts().title}>
      <h4 className="panel-heading">{namesTexts().title}</h4>
      {names.length > 0 && (
        <ul className="names">
          {names.map((name) => (
            <NameRow key={name} name={name} id={id} actions={actions} onCopy={copy} onShow={onShow} />
          ))}
        </ul>
      )}
      <UncopiedLink link={uncopied} />
      <p className="panel-secondary">{hint}</p>
      {names.length > 0 && <PublicHint id={id} />}
      {data?.isAll === false && <p className="panel-secondary">{namesTexts().notAll(MOST_NAMES)}</p>}
      {rights.write && <Adding actions={actions} />}
    </section>
  );
}

/** What a public address means, for those who can make one or see one here. */
function PublicHint({ id }: { readonly id: number }): React.JSX.Element | null {
  const rights = useRights();
  const isPublic = useStore(usePublishedNames().ids).has(id);
  if (!rights.publish && !isPublic) return null;
  return <p className="panel-secondary">{publishingTexts().hint}</p>;
}

function Adding({ actions }: { readonly actions: NameActions }): React.JSX.Element {
  const [isOpen, setOpen] = useState(false);
  const button = useRef<HTMLButtonElement>(null);

  function close(): void {
    setOpen(false);
    // When it is there again.
    requestAnimationFrame(() => button.current?.focus());
  }

  if (isOpen) return <NameForm actions={actions} onClose={close} />;
  return (
    <Button ref={button} className="button names-add" onClick={() => setOpen(true)}>
      <Icon name="plus" />
      {namesTexts().add}
    </Button>
  );
}

function useActions(id: number): NameActions {
  const catalog = useCatalog();
  const images = useImages();
  const live = useLive();
  const uploads = useUploads();
  const notices = useNotices();
  const trouble = useTrouble();
  const undo = useUndo();
  const published = usePublishedNames();
  const { publish: mayPublish } = useRights();
  const queries = useQueryClient();
  return useMemo(() => {
    const learn: NameParts['learn'] = (name, named) => {
      learnName(queries, name, named?.id);
      if (named === undefined) {
        published.forget(name);
        return;
      }
      published.learn(named);
      learnPublicState(queries, named);
    };
    return new NameActions({ catalog, images, live, uploads, notices, trouble, undo, learn, mayPublish }, id);
  }, [catalog, images, live, uploads, notices, trouble, undo, published, mayPublish, queries, id]);
}
