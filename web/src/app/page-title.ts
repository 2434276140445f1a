import { useEffect } from 'react';
import { useStore } from '../base/use-store.ts';
import { copiesPageTexts } from '../copies-page/copies-page-texts.ts';
import type { ImageList } from '../images/image-list.ts';
import { useImages } from '../images/use-images.ts';
import { commonTexts } from '../languages/common-texts.ts';
import { publishingTexts } from '../publishing/publishing-texts.ts';
import { catalogName } from '../states/catalog-name.ts';
import { useAddressBar } from '../view-state/use-address-bar.ts';
import type { ViewState } from '../view-state/view-state.ts';
import { appTexts } from './app-texts.ts';
import { usePage } from './use-page.ts';

/** The title of the page says which view it is: in tabs, in the history and to screen readers. */
export function usePageTitle(): void {
  const addressBar = useAddressBar();
  const images = useImages();
  const view = useStore(addressBar.view);
  const list = useStore(images.list);
  const title = titleOf({ ...view, page: usePage() }, list);
  useEffect(() => {
    document.title = title;
  }, [title]);
}

function titleOf(view: ViewState, list: ImageList | undefined): string {
  const record = view.image === undefined ? undefined : list?.find(view.image);
  const name = record?.title ?? record?.originalName ?? nameOf(view);
  return name === '' ? catalogName() : `${name} – ${catalogName()}`;
}

function nameOf({ page, image, q, tags, camera, lens }: ViewState): string {
  if (page === 'copies') return copiesPageTexts().title;
  if (page === 'published') return publishingTexts().title;
  if (page !== 'pictures') return page === 'tags' ? commonTexts().tags : commonTexts().trash;
  if (image !== undefined) return appTexts().picture(image);
  return [q, ...tags, camera, lens].filter(Boolean).join(', ');
}
