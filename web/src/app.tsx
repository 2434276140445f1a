import { useRef } from 'react';
import { ArchiveTray } from './archive/archive-tray.tsx';
import { Compare } from './compare/compare.tsx';
import { useChanges } from './contexts/changes.ts';
import { usePage } from './contexts/page.ts';
import { useService } from './contexts/service.ts';
import { useView } from './contexts/view.ts';
import { useDeletionsAtLeave } from './deletion/use-deletions-at-leave.ts';
import { Grid } from './grid/grid.tsx';
import { Header } from './header/header.tsx';
import { NewPictures } from './live/new-pictures.tsx';
import { NoticeList } from './notices/notice-list.tsx';
import { usePageTitle } from './page-title.ts';
import { lazyPart } from './parts/lazy-part.tsx';
import { useEarlyParts } from './parts/use-early-parts.ts';
import { Scrubber } from './scrubber/scrubber.tsx';
import { ViewBar } from './search/view-bar.tsx';
import { SelectionBar } from './selection/selection-bar.tsx';
import { ShortcutsDialog } from './shortcuts/shortcuts-dialog.tsx';
import { useShortcut } from './shortcuts/use-shortcut.ts';
import { SlideshowPart } from './slideshow/slideshow-part.tsx';
import { Banner } from './states/banner.tsx';
import { Boundary } from './states/boundary.tsx';
import { NoSpace } from './states/no-space.tsx';
import { SignedOut } from './states/signed-out.tsx';
import { useStore, useStoreValue } from './store.ts';
import { type LanguageCode, texts } from './texts.ts';
import { DropZone } from './upload/drop-zone.tsx';
import { UploadTray } from './upload/upload-tray.tsx';
import { Viewer } from './viewer/viewer.tsx';
// Of parts that come later: the browser does not load a style again that it could not load once.
import './combobox/option-list.css';
import './compare/compare.css';
import './crops/crops.css';
import './dialogs/form-dialog.css';
import './header/space-usage.css';
import './names/names.css';
import './panel/panel.css';
import './selection/selection-toolbar.css';
import './shortcuts/shortcuts.css';
import './slideshow/slideshow.css';
import './tags/tags.css';
import './tags-page/tags-page.css';
import './trash/trash.css';
import './upload/upload-panel.css';
import './viewer/viewer.css';

export function App(): React.JSX.Element {
  const { session } = useService();
  const { language, trouble } = usePage();
  // What it renders again says everything in the new language.
  const code = useStore(language.current);
  const kind = useStoreValue(session.state, (state) => state.kind);
  const isSpaceMissing = useStore(trouble.spaceMissing);
  if (kind === 'signed-in' && isSpaceMissing) return <NoSpace />;
  // When a session has ended, what is on the screen stays.
  return kind === 'signed-in' || kind === 'ended' ? <Pictures code={code} /> : <SignedOut />;
}

const TrashPage = lazyPart(async () => (await import('./trash/trash-page.tsx')).TrashPage);
const TagsPage = lazyPart(async () => (await import('./tags-page/tags-page.tsx')).TagsPage);

function Timeline(): React.JSX.Element {
  return (
    <>
      <NewPictures />
      <Grid />
      <Scrubber />
    </>
  );
}

function Pictures({ code }: { readonly code: LanguageCode }): React.JSX.Element {
  const page = useStoreValue(useView().addressBar.view, (view) => view.page);
  const { deletions } = useChanges();
  const main = useRef<HTMLElement>(null);
  usePageTitle();
  useDeletionsAtLeave();
  useEarlyParts();
  useShortcut('z', () => deletions.undo());
  return (
    <>
      <button type="button" className="button skip" onClick={() => main.current?.focus()}>
        {texts.app.skip}
      </button>
      <Boundary>
        <Header />
        <Banner />
        {page === 'pictures' && <ViewBar />}
      </Boundary>
      <main ref={main} className="content" tabIndex={-1}>
        <Boundary key={`${code} ${page}`}>
          {page === 'tags' && <TagsPage />}
          {page === 'trash' && <TrashPage />}
          {page === 'pictures' && <Timeline />}
        </Boundary>
      </main>
      <Boundary>{page === 'pictures' && <SelectionBar />}</Boundary>
      <Boundary>
        <Viewer />
        <Compare />
        <SlideshowPart />
      </Boundary>
      <Boundary>
        <DropZone />
        <UploadTray />
        <ArchiveTray />
      </Boundary>
      <Boundary>
        <NoticeList />
        <ShortcutsDialog />
      </Boundary>
    </>
  );
}
