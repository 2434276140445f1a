import type { NamedImage } from '@image-catalog/client';
import { useCatalog } from '../catalog/use-catalog.ts';
import { useNotices } from '../notices/use-notices.ts';
import { useTrouble } from '../trouble/use-trouble.ts';
import { useUndo } from '../undo/use-undo.ts';
import { publishingTexts } from './publishing-texts.ts';
import { setPublic } from './set-public.ts';
import type { PublishedList } from './use-published-list.ts';
import { usePublishedNames } from './use-published-names.ts';

/** Ends a public address, which can be undone. */
export function useUnpublish({
  change,
}: Pick<PublishedList, 'change'>): (named: NamedImage) => Promise<void> {
  const catalog = useCatalog();
  const published = usePublishedNames();
  const notices = useNotices();
  const trouble = useTrouble();
  const undo = useUndo();

  /** @returns the name as it is then; `undefined` if it was removed, or the service has refused the change */
  async function send(name: string, isPublic: boolean, image?: number): Promise<NamedImage | undefined> {
    try {
      const named = await setPublic(catalog, name, isPublic, image);
      if (named === undefined) {
        published.forget(name);
        change(name, { id: 0, public: false, updatedAt: '' });
        notices.show(publishingTexts().gone(name), { tone: 'error' });
        return undefined;
      }
      published.learn(named);
      change(name, named);
      return named;
    } catch (error) {
      trouble.report(error);
      return undefined;
    }
  }

  async function publishAgain(name: string, image: number): Promise<void> {
    const named = await send(name, true, image);
    if (named?.public === true) notices.show(publishingTexts().published(name));
    else if (named !== undefined) notices.show(publishingTexts().moved(name), { tone: 'error' });
  }

  return async ({ name }) => {
    const named = await send(name, false);
    if (named === undefined) return;
    undo.add({
      text: publishingTexts().unpublished(name),
      undo: () => void publishAgain(name, named.id),
    });
  };
}
