import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { App } from './app.tsx';
import { GalleryProvider } from './gallery-provider.tsx';
import { openGallery } from './open-gallery.ts';
import { Boundary } from './states/boundary.tsx';
import { Loading, LoadingFailed } from './states/loading.tsx';
import './styles/tokens.css';
import './styles/base.css';

const element = document.getElementById('root');
if (element === null) throw new TypeError('index.html has no #root');
const root = createRoot(element);

async function start(): Promise<void> {
  root.render(<Loading />);
  try {
    const gallery = await openGallery();
    root.render(
      <StrictMode>
        <GalleryProvider gallery={gallery}>
          <Boundary>
            <App />
          </Boundary>
        </GalleryProvider>
      </StrictMode>,
    );
  } catch {
    window.addEventListener('online', retry, { once: true });
    root.render(<LoadingFailed retry={retry} />);
  }
}

function retry(): void {
  window.removeEventListener('online', retry);
  void start();
}

await start();
