import { useState } from 'react';
import { useCatalog } from '../catalog/use-catalog.ts';
import { useCopy } from '../copying/use-copy.ts';
import { useNotices } from '../notices/use-notices.ts';
import { selectionTexts } from '../selection/selection-texts.ts';
import { useTrouble } from '../trouble/use-trouble.ts';
import { LIFETIMES, type Lifetime, type SharedPage, sharePictures } from './share-pictures.ts';

export interface Share {
  readonly title: string;
  readonly setTitle: (title: string) => void;
  readonly lifetime: Lifetime;
  readonly setLifetime: (lifetime: Lifetime) => void;
  readonly isRunning: boolean;
  /** `undefined` until it is made. */
  readonly page: SharedPage | undefined;
  readonly create: () => void;
  readonly copy: () => void;
}

export function useShare(ids: readonly number[]): Share {
  const catalog = useCatalog();
  const notices = useNotices();
  // If the browser does not let the page copy: the address is in a field.
  const { copy } = useCopy();
  const trouble = useTrouble();
  const [title, setTitle] = useState('');
  const [lifetime, setLifetime] = useState<Lifetime>(LIFETIMES[1]);
  const [isRunning, setRunning] = useState(false);
  const [page, setPage] = useState<SharedPage>();

  async function create(): Promise<void> {
    setRunning(true);
    try {
      const made = await sharePictures(catalog, ids, { title, ttlSeconds: lifetime });
      setPage(made);
      if (made === undefined) notices.show(selectionTexts().missing(ids.length), { tone: 'error' });
      else await copy(made.url);
    } catch (error) {
      trouble.report(error);
    } finally {
      setRunning(false);
    }
  }

  return {
    title,
    setTitle,
    lifetime,
    setLifetime,
    isRunning,
    page,
    create: () => void create(),
    copy: () => void (page && copy(page.url)),
  };
}
