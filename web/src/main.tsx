import { ImageCatalog } from '@image-catalog/client';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { App } from './app.tsx';
import { ImageLinks } from './catalog/image-links.ts';
import { Deletions } from './deletion/deletions.ts';
import { type Gallery, GalleryProvider } from './gallery.tsx';
import { browserTimers } from './grid/browser-timers.ts';
import { GridModel } from './grid/grid-model.ts';
import { CurrentImages } from './images/current-images.ts';
import { Notices } from './notices/notices.ts';
import { Selection } from './selection/selection.ts';
import { openSession } from './session/open-session.ts';
import { loadWebConfig } from './session/web-config.ts';
import { listenForShortcuts } from './shortcuts/listen-for-shortcuts.ts';
import { Loading, LoadingFailed } from './states/loading.tsx';
import { watchConnection } from './states/watch-connection.ts';
import { applyTheme } from './theme/apply-theme.ts';
import { createUploads } from './upload/browser-uploads.ts';
import { AddressBar } from './view-state/address-bar.ts';
import './styles/tokens.css';
import './styles/base.css';

/** More pictures than the first view has. */
const FIRST_LINKS = 100;

async function openGallery(): Promise<Gallery> {
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
  const addressBar = new AddressBar(window);
  const links = new ImageLinks(catalog);
  const images = new CurrentImages(catalog, addressBar.view, (records) =>
    links.prepare(records.slice(0, FIRST_LINKS)),
  );
  if (session.state.get().kind === 'signed-in') images.open();
  return {
    config,
    session,
    catalog,
    addressBar,
    images,
    notices,
    trouble,
    shortcuts: listenForShortcuts(),
    theme: applyTheme(),
    links,
    grid: new GridModel(links, browserTimers),
    selection: new Selection(),
    deletions: new Deletions(catalog, images, notices),
    uploads: createUploads({ config, session, images }),
  };
}

const element = document.getElementById('root');
if (element === null) throw new TypeError('index.html has no #root');
const root = createRoot(element);

async function start(): Promise<void> {
  root.render(<Loading />);
  try {
    const gallery = await openGallery();
    root.render(<Page gallery={gallery} />);
  } catch {
    window.addEventListener('online', retry, { once: true });
    root.render(<LoadingFailed retry={retry} />);
  }
}

function retry(): void {
  window.removeEventListener('online', retry);
  void start();
}

function Page({ gallery }: { gallery: Gallery }): React.JSX.Element {
  return (
    <StrictMode>
      <GalleryProvider value={gallery}>
        <App />
      </GalleryProvider>
    </StrictMode>
  );
}

await start();
