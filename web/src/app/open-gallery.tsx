import { ImageCatalog } from '@image-catalog/client';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { ArchiveDownload } from '../archive/archive-download.ts';
import { chooseArchiveFile } from '../archive/archive-file.ts';
import { useArchive } from '../archive/use-archive.ts';
import { PHONE } from '../base/breakpoints.ts';
import { SharedValues, SharedValuesProvider } from '../base/shared-value.ts';
import { LinkCache } from '../catalog/link-cache.ts';
import { useCatalog } from '../catalog/use-catalog.ts';
import { useLinks } from '../catalog/use-links.ts';
import { Deletions } from '../deletion/deletions.ts';
import { useDeletions } from '../deletion/use-deletions.ts';
import { Edits } from '../edits/edits.ts';
import { useEdits } from '../edits/use-edits.ts';
import { browserTimers } from '../grid/browser-timers.ts';
import { GridModel } from '../grid/grid-model.ts';
import { useGrid } from '../grid/use-grid.ts';
import { CurrentImages } from '../images/current-images.ts';
import { PAGE_SIZE } from '../images/list-plan.ts';
import { useImages } from '../images/use-images.ts';
import type { Language } from '../languages/language.ts';
import { useLanguage } from '../languages/use-language.ts';
import { followChanges } from '../live/follow-changes.ts';
import { useLive } from '../live/use-live.ts';
import { Notices } from '../notices/notices.ts';
import { useNotices } from '../notices/use-notices.ts';
import { EndingAddresses } from '../publishing/ending-addresses.ts';
import { PublishedNames } from '../publishing/published-names.ts';
import { useEndingAddresses } from '../publishing/use-ending-addresses.ts';
import { usePublishedNames } from '../publishing/use-published-names.ts';
import { Selection } from '../selection/selection.ts';
import { useSelection } from '../selection/use-selection.ts';
import type { Session } from '../session/session.ts';
import { useConfig } from '../session/use-config.ts';
import { useSession } from '../session/use-session.ts';
import type { WebConfig } from '../session/web-config.ts';
import { listenForShortcuts } from '../shortcuts/listen-for-shortcuts.ts';
import { useShortcuts } from '../shortcuts/use-shortcuts.ts';
import { Stars } from '../star/stars.ts';
import { useStars } from '../star/use-stars.ts';
import { Boundary } from '../states/boundary.tsx';
import { watchConnection } from '../states/watch-connection.ts';
import type { Theme } from '../theme/theme.ts';
import { useTheme } from '../theme/use-theme.ts';
import { useTrouble } from '../trouble/use-trouble.ts';
import { UndoSteps } from '../undo/undo-steps.ts';
import { useUndo } from '../undo/use-undo.ts';
import { createUploads } from '../upload/browser-uploads.ts';
import { useUploads } from '../upload/use-uploads.ts';
import { AddressBar } from '../view-state/address-bar.ts';
import { useAddressBar } from '../view-state/use-address-bar.ts';
import { App } from './app.tsx';

/** More pictures than the first view has. */
const FIRST_LINKS = 100;

/** Some screens of a phone, whose network may be slow. */
const PHONE_PAGE = 60;

/** What the page has before the pictures. */
interface PageParts {
  readonly config: WebConfig;
  readonly session: Session;
  readonly theme: Theme;
  readonly language: Language;
}

export type OpenGallery = typeof openGallery;

/**
 * Shows the pictures to a person who is signed in. A person who is not does without this file.
 *
 * @returns a function that removes them
 */
export function openGallery(element: Element, page: PageParts): () => void {
  const root = createRoot(element);
  root.render(
    <StrictMode>
      <SharedValuesProvider values={sharedValues(page)}>
        <Boundary>
          <App />
        </Boundary>
      </SharedValuesProvider>
    </StrictMode>,
  );
  return () => root.unmount();
}

/** Makes what the components share. */
function sharedValues({ config, session, theme, language }: PageParts): SharedValues {
  const notices = new Notices();
  const trouble = watchConnection(config, notices);
  const catalog = new ImageCatalog({
    url: config.apiUrl,
    getToken: session.getToken,
    tokenPerRequest: true,
    observer: trouble,
  });
  const links = new LinkCache(catalog, { prerendered: config.prerender });
  const addressBar = new AddressBar(window);
  const { view } = addressBar;
  const images = new CurrentImages(catalog, view, {
    onHead: ({ records }) => links.prepare(records.slice(0, FIRST_LINKS)),
    pageSize: matchMedia(PHONE).matches ? PHONE_PAGE : PAGE_SIZE,
  });
  images.open();
  const selection = new Selection(notices);
  const undo = new UndoSteps(notices);
  const deletions = new Deletions({ catalog, images, notices, undo, hasTrash: config.trashDays > 0 });
  const edits = new Edits({ catalog, images, view, notices, trouble, undo });
  const uploads = createUploads({ config, session, images });
  const published = new PublishedNames(catalog, config.publishNames);
  const followed = { config, session, addressBar, images, selection, deletions, uploads, trouble, published };
  return new SharedValues()
    .with(useConfig, config)
    .with(useSession, session)
    .with(useTheme, theme)
    .with(useLanguage, language)
    .with(useCatalog, catalog)
    .with(useLinks, links)
    .with(useAddressBar, addressBar)
    .with(useImages, images)
    .with(useGrid, new GridModel(links, browserTimers))
    .with(useSelection, selection)
    .with(useUndo, undo)
    .with(useDeletions, deletions)
    .with(usePublishedNames, published)
    .with(useEndingAddresses, new EndingAddresses(published))
    .with(useEdits, edits)
    .with(useUploads, uploads)
    .with(useLive, followChanges(followed))
    .with(useStars, new Stars({ edits, images, view, notices }))
    .with(useArchive, new ArchiveDownload({ catalog, notices, trouble, choose: chooseArchiveFile }))
    .with(useNotices, notices)
    .with(useTrouble, trouble)
    .with(useShortcuts, listenForShortcuts());
}
