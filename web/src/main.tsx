import { ImageCatalog } from '@image-catalog/client';
import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { App } from './app.tsx';
import { loadFeatures } from './catalog/catalog-features.ts';
import { ImageLinks } from './catalog/image-links.ts';
import { signLinksWith } from './catalog/sign-links.ts';
import { Deletions } from './deletion/deletions.ts';
import { type Gallery, GalleryProvider } from './gallery.tsx';
import { CurrentImages } from './images/current-images.ts';
import { Notices } from './notices/notices.ts';
import { Selection } from './selection/selection.ts';
import { Session } from './session/session.ts';
import { loadWebConfig } from './session/web-config.ts';
import { listenForShortcuts } from './shortcuts/listen-for-shortcuts.ts';
import { watchConnection } from './states/watch-connection.ts';
import { applyTheme } from './theme/apply-theme.ts';
import { createUploads } from './upload/browser-uploads.ts';
import { AddressBar } from './view-state/address-bar.ts';
import './styles/tokens.css';
import './styles/base.css';

async function openGallery(): Promise<Gallery> {
  const [config, features] = await Promise.all([loadWebConfig(), loadFeatures()]);
  const session = new Session(config);
  await session.begin();
  const notices = new Notices();
  const trouble = watchConnection(config, notices);
  const catalog = new ImageCatalog({ url: config.apiUrl, getToken: session.getToken, observer: trouble });
  const addressBar = new AddressBar(window);
  const images = new CurrentImages(catalog, addressBar.view);
  return {
    config,
    features,
    session,
    catalog,
    addressBar,
    images,
    notices,
    trouble,
    shortcuts: listenForShortcuts(),
    theme: applyTheme(),
    links: new ImageLinks(signLinksWith(config, session)),
    selection: new Selection(),
    deletions: new Deletions(catalog, images, notices),
    uploads: createUploads({ config, features, session, images }),
  };
}

const root = document.getElementById('root');
if (root === null) throw new TypeError('index.html has no #root');
const gallery = await openGallery();
createRoot(root).render(
  <StrictMode>
    <QueryClientProvider client={new QueryClient()}>
      <GalleryProvider value={gallery}>
        <App />
      </GalleryProvider>
    </QueryClientProvider>
  </StrictMode>,
);
