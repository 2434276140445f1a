import type { NamedImage } from '@image-catalog/client';
import { useCatalog } from '../catalog/use-catalog.ts';
import { useNotices } from '../notices/use-notices.ts';
import { useTrouble } from '../trouble/use-trouble.ts';
import { useUndo } from '../undo/use-undo.ts';
import { publishingTexts } from './publishing-texts.ts';
import { type PublicChange, publishAgain, unpublish } from './set-public.ts';
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

  /** @returns `undefined` if the name was removed, or the service has refused the change */
  async function send(
    name: string,
    request: () => Promise<PublicChange | undefined>,
  ): Promise<PublicChange | undefined> {
    try {
      const changed = await request();
      if (changed === undefined) {
        published.forget(name);
        change(name, { id: 0, public: false });
        notices.show(publishingTexts().gone(name), { tone: 'error' });
        return undefined;
      }
      published.learn(changed.named);
      change(name, changed.named);
      return changed;
    } catch (error) {
      trouble.report(error);
      return undefined;
    }
  }

  async function undoUnpublish(named: NamedImage): Promise<void> {
    const { name } = named;
    const changed = await send(name, () => publishAgain(catalog, named));
    if (changed?.isDone === true) notices.show(publishingTexts().published(name));
    else if (changed !== undefined) notices.show(publishingTexts().changedMeanwhile(name), { tone: 'error' });
  }

  return async ({ name }) => {
    const changed = await send(name, () => unpublish(catalog, name));
    if (changed === undefined) return;
    const text = publishingTexts().unpublished(name);
    // What another person has done is not undone here.
    if (changed.isDone) undo.add({ text, undo: () => void undoUnpublish(changed.named) });
    else notices.show(text);
  };
}
