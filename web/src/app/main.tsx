import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { SharedValuesProvider } from '../base/shared-value.ts';
import { Boundary } from '../states/boundary.tsx';
import { Loading } from '../states/loading.tsx';
import { LoadingFailed } from '../states/loading-failed.tsx';
import { App } from './app.tsx';
import { openGallery } from './open-gallery.ts';
import { openLanguage } from './open-language.ts';
import '../styles/tokens.css';
import '../styles/base.css';

const element = document.getElementById('root');
if (element === null) throw new TypeError('index.html has no #root');
const root = createRoot(element);
const language = openLanguage();

async function start(): Promise<void> {
  const opening = openGallery(language);
  // It may fail before the texts are there.
  opening.catch(() => undefined);
  await language.ready;
  root.render(<Loading />);
  try {
    const gallery = await opening;
    root.render(
      <StrictMode>
        <SharedValuesProvider values={gallery}>
          <Boundary>
            <App />
          </Boundary>
        </SharedValuesProvider>
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

// Awaited here, it would wait for files that wait for this one.
void start();
