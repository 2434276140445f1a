import { ImageCatalog } from '@image-catalog/client';
import { ArchiveDownload } from './archive/archive-download.ts';
import { chooseArchiveFile } from './archive/archive-file.ts';
import { LinkCache } from './catalog/link-cache.ts';
import type { Changes } from './contexts/changes.ts';
import type { Page } from './contexts/page.ts';
import type { Service } from './contexts/service.ts';
import type { View } from './contexts/view.ts';
import { Deletions } from './deletion/deletions.ts';
import type { Gallery } from './gallery-provider.tsx';
import { browserTimers } from './grid/browser-timers.ts';
import { GridModel } from './grid/grid-model.ts';
import { CurrentImages } from './images/current-images.ts';
import { PAGE_SIZE } from './images/list-plan.ts';
import type { Language } from './languages/language.ts';
import { followChanges } from './live/follow-changes.ts';
import { Notices } from './notices/notices.ts';
import { Selection } from './selection/selection.ts';
import { openSession } from './session/open-session.ts';
import { loadWebConfig, type WebConfig } from './session/web-config.ts';
import { listenForShortcuts } from './shortcuts/listen-for-shortcuts.ts';
import { Stars } from './star/stars.ts';
import { watchConnection } from './states/watch-connection.ts';
import { PHONE } from './styles/breakpoints.ts';
import { applyTheme } from './theme/apply-theme.ts';
import { createUploads } from './upload/browser-uploads.ts';
import { AddressBar } from './view-state/address-bar.ts';

/** More pictures than the first view has. */
const FIRST_LINKS = 100;

/** Some screens of a phone, whose network may be slow. */
const PHONE_PAGE = 60;

/** Rejects if the listener cannot be reached. */
export async function openGallery(language: Language): Promise<Gallery> {
  const config = await loadWebConfig();
  const session = await openSession(config);
  const page = openPage(config, language);
  const catalog = new ImageCatalog({
    url: config.apiUrl,
    getToken: session.getToken,
    tokenPerRequest: true,
    observer: page.trouble,
  });
  const service = {
    config,
    session,
    catalog,
    links: new LinkCache(catalog, { prerendered: config.prerender }),
  };
  const view = openView(service);
  if (session.state.get().kind === 'signed-in') view.images.open();
  return { service, page, view, changes: openChanges(service, view, page) };
}

function openPage(config: WebConfig, language: Language): Page {
  const notices = new Notices();
  return {
    notices,
    trouble: watchConnection(config, notices),
    shortcuts: listenForShortcuts(),
    theme: applyTheme(),
    language,
  };
}

function openView({ catalog, links }: Service): View {
  const addressBar = new AddressBar(window);
  const images = new CurrentImages(catalog, addressBar.view, {
    onHead: ({ records }) => links.prepare(records.slice(0, FIRST_LINKS)),
    pageSize: matchMedia(PHONE).matches ? PHONE_PAGE : PAGE_SIZE,
  });
  return { addressBar, images, grid: new GridModel(links, browserTimers), selection: new Selection() };
}

function openChanges(service: Service, view: View, page: Page): Changes {
  const { config, session, catalog } = service;
  const { images, addressBar } = view;
  const deletions = new Deletions(catalog, images, page.notices, config.trashDays > 0);
  const uploads = createUploads({ config, session, images });
  return {
    archive: new ArchiveDownload({ ...page, catalog, choose: chooseArchiveFile }),
    deletions,
    live: followChanges(service, view, { deletions, uploads, trouble: page.trouble }),
    stars: new Stars({ ...page, catalog, images, view: addressBar.view }),
    uploads,
  };
}
