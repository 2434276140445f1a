import { useGallery } from './gallery.tsx';
import { Grid } from './grid/grid.tsx';
import { Header } from './header/header.tsx';
import { NoticeList } from './notices/notice-list.tsx';
import { Scrubber } from './scrubber/scrubber.tsx';
import { ViewBar } from './search/view-bar.tsx';
import { SelectionBar } from './selection/selection-bar.tsx';
import { ShortcutsDialog } from './shortcuts/shortcuts-dialog.tsx';
import { SignedOut } from './states/signed-out.tsx';
import { useStore } from './store.ts';
import { DropZone } from './upload/drop-zone.tsx';
import { UploadTray } from './upload/upload-tray.tsx';
import { Viewer } from './viewer/viewer.tsx';

export function App(): React.JSX.Element {
  const { session } = useGallery();
  const { kind } = useStore(session.state);
  if (kind !== 'signed-in') return <SignedOut kind={kind} />;
  return (
    <>
      <Header />
      <ViewBar />
      <main className="content">
        <Grid />
        <Scrubber />
      </main>
      <SelectionBar />
      <Viewer />
      <DropZone />
      <UploadTray />
      <NoticeList />
      <ShortcutsDialog />
    </>
  );
}
