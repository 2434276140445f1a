import { loadPart } from '../base/load-part.ts';
import { FirstPage } from '../first/first-page.ts';
import { loadingFailedState } from '../first/loading-failed-state.ts';
import { pageReady } from '../first/page-ready.ts';
import { signedOutState } from '../first/signed-out-state.ts';
import { openSession } from '../session/open-session.ts';
import type { Session } from '../session/session.ts';
import { loadWebConfig, type WebConfig } from '../session/web-config.ts';
import { giveCatalogName } from '../states/catalog-name.ts';
import { applyTheme } from '../theme/apply-theme.ts';
import type { OpenGallery } from './open-gallery.tsx';
import { openLanguage } from './open-language.ts';
import '../styles/tokens.css';
import '../styles/base.css';
import '../styles/header.css';
import '../states/states.css';
import '../controls/icon.css';
import '../first/first.css';

interface Opened {
  readonly config: WebConfig;
  readonly session: Session;
  /** `undefined` if there is no session: a sign-in leaves the page. */
  readonly openGallery: OpenGallery | undefined;
}

const theme = applyTheme();
const language = openLanguage();
const firstPage = openFirstPage();

// Awaited here, it would wait for files that wait for this one.
void start();

/** Until there is something to show, what index.html has stays on the screen. */
async function start(): Promise<void> {
  const opening = open();
  // It may fail before the page can say so.
  opening.catch(() => undefined);
  const page = await firstPage;
  try {
    const { config, session, openGallery } = await opening;
    if (openGallery !== undefined) page.leave();
    const close = openGallery?.(page.root, { config, session, theme, language });
    const follow = (): void => {
      const { kind } = session.state.get();
      // When a session has ended, what is on the screen stays.
      if (kind === 'signed-in' || kind === 'ended') return;
      close?.();
      page.show(() => signedOutState(session));
      prefetchNeededNext();
    };
    follow();
    session.state.subscribe(follow);
  } catch (error) {
    fail(page, error);
  }
}

async function openFirstPage(): Promise<FirstPage> {
  const root = await pageReady();
  await language.ready;
  return new FirstPage(root, language);
}

async function open(): Promise<Opened> {
  // Something is left of a sign-in of this tab.
  const early = sessionStorage.length > 0 ? loadGallery() : undefined;
  early?.catch(() => undefined);
  const config = await loadWebConfig();
  giveCatalogName(config.title);
  if (config.title !== null) {
    document.title = config.title;
    // Of index.html, until something else is drawn.
    document.querySelector('.header-name')?.replaceChildren(config.title);
  }
  const session = await openSession(config);
  const isOpen = session.state.get().kind === 'signed-in';
  return { config, session, openGallery: isOpen ? await (early ?? loadGallery()) : undefined };
}

/** While the person looks for the button. Not all at once: of what is cut off by leaving the page, nothing is kept. */
function prefetchNeededNext(): void {
  // Of index.html.
  const links = document.querySelectorAll<HTMLLinkElement>('link[rel=needed-next]').values();
  const next = (): void => {
    const link = links.next().value;
    if (link === undefined) return;
    link.addEventListener('load', next);
    link.addEventListener('error', next);
    link.rel = 'prefetch';
  };
  next();
  next();
}

function fail(page: FirstPage, error: unknown): void {
  const retry = (): void => {
    window.removeEventListener('online', retry);
    void loadAgain(page, error);
  };
  window.addEventListener('online', retry);
  page.show(() => loadingFailedState(error, retry));
}

/** As a whole, when it can be: browsers keep that an import has failed. */
async function loadAgain(page: FirstPage, failure: unknown): Promise<void> {
  page.show(() => loadingFailedState(failure));
  try {
    await loadWebConfig();
    location.reload();
  } catch (error) {
    fail(page, error);
  }
}

async function loadGallery(): Promise<OpenGallery> {
  return await loadPart(
    () => import('./open-gallery.tsx'),
    (chunk) => chunk.openGallery,
  );
}
