import { ImageCatalog } from '@image-catalog/client';
import { ArchiveDownload } from '../archive/archive-download.ts';
import { chooseArchiveFile } from '../archive/archive-file.ts';
import { useArchive } from '../archive/use-archive.ts';
import { PHONE } from '../base/breakpoints.ts';
import { SharedValues } from '../base/shared-value.ts';
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
import { Selection } from '../selection/selection.ts';
import { useSelection } from '../selection/use-selection.ts';
import { openSession } from '../session/open-session.ts';
import { useConfig } from '../session/use-config.ts';
import { useSession } from '../session/use-session.ts';
import { loadWebConfig } from '../session/web-config.ts';
import { listenForShortcuts } from '../shortcuts/listen-for-shortcuts.ts';
import { useShortcuts } from '../shortcuts/use-shortcuts.ts';
import { Stars } from '../star/stars.ts';
import { useStars } from '../star/use-stars.ts';
import { useTrouble } from '../states/use-trouble.ts';
import { watchConnection } from '../states/watch-connection.ts';
import { applyTheme } from '../theme/apply-theme.ts';
import { useTheme } from '../theme/use-theme.ts';
import { UndoSteps } from '../undo/undo-steps.ts';
import { useUndo } from '../undo/use-undo.ts';
import { createUploads } from '../upload/browser-uploads.ts';
import { useUploads } from '../upload/use-uploads.ts';
import { AddressBar } from '../view-state/address-bar.ts';
import { useAddressBar } from '../view-state/use-address-bar.ts';

/** More pictures than the first view has. */
const FIRST_LINKS = 100;

/** Some screens of a phone, whose network may be slow. */
const PHONE_PAGE = 60;

/** Makes what the components of the page share. Rejects if the listener cannot be reached. */
export async function openGallery(language: Language): Promise<SharedValues> {
  const config = await loadWebConfig();
  const session = await openSession(config);
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
  if (session.state.get().kind === 'signed-in') images.open();
  const selection = new Selection(notices);
  const undo = new UndoSteps(notices);
  const deletions = new Deletions({ catalog, images, notices, undo, hasTrash: config.trashDays > 0 });
  const edits = new Edits({ catalog, images, view, notices, trouble, undo });
  const uploads = createUploads({ config, session, images });
  const followed = { config, session, addressBar, images, selection, deletions, uploads, trouble };
  return new SharedValues()
    .with(useConfig, config)
    .with(useSession, session)
    .with(useCatalog, catalog)
    .with(useLinks, links)
    .with(useAddressBar, addressBar)
    .with(useImages, images)
    .with(useGrid, new GridModel(links, browserTimers))
    .with(useSelection, selection)
    .with(useUndo, undo)
    .with(useDeletions, deletions)
    .with(useEdits, edits)
    .with(useUploads, uploads)
    .with(useLive, followChanges(followed))
    .with(useStars, new Stars({ edits, images, view, notices }))
    .with(useArchive, new ArchiveDownload({ catalog, notices, trouble, choose: chooseArchiveFile }))
    .with(useNotices, notices)
    .with(useTrouble, trouble)
    .with(useShortcuts, listenForShortcuts())
    .with(useTheme, applyTheme())
    .with(useLanguage, language);
}
