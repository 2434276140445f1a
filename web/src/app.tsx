import { lazy, useRef } from 'react';
import { useChanges } from './contexts/changes.ts';
import { useService } from './contexts/service.ts';
import { useView } from './contexts/view.ts';
import { Grid } from './grid/grid.tsx';
import { Header } from './header/header.tsx';
import { NoticeList } from './notices/notice-list.tsx';
import { usePageTitle } from './page-title.ts';
import { Scrubber } from './scrubber/scrubber.tsx';
import { ViewBar } from './search/view-bar.tsx';
import { SelectionBar } from './selection/selection-bar.tsx';
import { ShortcutsDialog } from './shortcuts/shortcuts-dialog.tsx';
import { useShortcut } from './shortcuts/use-shortcut.ts';
import { Banner } from './states/banner.tsx';
import { Boundary } from './states/boundary.tsx';
import { SignedOut } from './states/signed-out.tsx';
import { useStoreValue } from './store.ts';
import { texts } from './texts.ts';
import { DropZone } from './upload/drop-zone.tsx';
import { UploadTray } from './upload/upload-tray.tsx';
import { Viewer } from './viewer/viewer.tsx';

export function App(): React.JSX.Element {
  const { session } = useService();
  const kind = useStoreValue(session.state, (state) => state.kind);
  // When a session has ended, what is on the screen stays.
  return kind === 'signed-in' || kind === 'ended' ? <Pictures /> : <SignedOut />;
}

const TagsPage = lazy(async () => ({ default: (await import('./tags-page/tags-page.tsx')).TagsPage }));

function Timeline(): React.JSX.Element {
  return (
    <>
      <Grid />
      <Scrubber />
    </>
  );
}

function Pictures(): React.JSX.Element {
  const page = useStoreValue(useView().addressBar.view, (view) => view.page);
  const { deletions } = useChanges();
  const main = useRef<HTMLElement>(null);
  usePageTitle();
  useShortcut('z', () => deletions.undo());
  return (
    <>
      <button type="button" className="button skip" onClick={() => main.current?.focus()}>
        {texts.app.skip}
      </button>
      <Header />
      <Banner />
      {page === 'pictures' && <ViewBar />}
      <main ref={main} className="content" tabIndex={-1}>
        <Boundary key={page}>{page === 'tags' ? <TagsPage /> : <Timeline />}</Boundary>
      </main>
      <Boundary>{page === 'pictures' && <SelectionBar />}</Boundary>
      <Boundary>
        <Viewer />
      </Boundary>
      <Boundary>
        <DropZone />
        <UploadTray />
      </Boundary>
      <NoticeList />
      <ShortcutsDialog />
    </>
  );
}
