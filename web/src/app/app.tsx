import { useRef } from 'react';
import { ArchiveTray } from '../archive/archive-tray.tsx';
import { useStore } from '../base/use-store.ts';
import { Compare } from '../compare/compare.tsx';
import { useDeletionsAtLeave } from '../deletion/use-deletions-at-leave.ts';
import { Grid } from '../grid/grid.tsx';
import { NewPictures } from '../grid/new-pictures.tsx';
import { Header } from '../header/header.tsx';
import { ShortcutsDialog } from '../header/shortcuts-dialog.tsx';
import { useLanguage } from '../languages/use-language.ts';
import { NoticeList } from '../notices/notice-list.tsx';
import { EndingAddressesPart } from '../publishing/ending-addresses-part.tsx';
import { Scrubber } from '../scrubber/scrubber.tsx';
import { SelectionBar } from '../selection-bar/selection-bar.tsx';
import { useShortcut } from '../shortcuts/use-shortcut.ts';
import { SlideshowPart } from '../slideshow/slideshow-part.tsx';
import { Banner } from '../states/banner.tsx';
import { Boundary } from '../states/boundary.tsx';
import { ComingPart } from '../states/coming-part.tsx';
import { lazyPart } from '../states/lazy-part.tsx';
import { NoSpace } from '../states/no-space.tsx';
import { useTrouble } from '../trouble/use-trouble.ts';
import { useUndo } from '../undo/use-undo.ts';
import { DropZone } from '../upload/drop-zone.tsx';
import { UploadTray } from '../upload/upload-tray.tsx';
import { ViewBar } from '../view-bar/view-bar.tsx';
import { useAddressBar } from '../view-state/use-address-bar.ts';
import { Viewer } from '../viewer/viewer.tsx';
import { appTexts } from './app-texts.ts';
import { usePageTitle } from './page-title.ts';
import { useEarlyParts } from './use-early-parts.ts';
import { usePage } from './use-page.ts';
// Of parts that come later: the browser does not load a style again that it could not load once.
import '../combobox/option-list.css';
import '../compare/compare.css';
import '../controls/inputs.css';
import '../copies-page/copies-page.css';
import '../crops/crops.css';
import '../dialogs/form-dialog.css';
import '../header/space-usage.css';
import '../names/names.css';
import '../panel/panel.css';
import '../publishing/publishing.css';
import '../selection-bar/selection-toolbar.css';
import '../header/shortcuts.css';
import '../slideshow/slideshow.css';
import '../tags/tags.css';
import '../tags-page/tags-page.css';
import '../trash/trash.css';
import '../upload/upload-panel.css';
import '../viewer/viewer.css';

/** The page of a person who is signed in. */
export function App(): React.JSX.Element {
  // What it renders again says everything in the new language.
  const code = useStore(useLanguage().current);
  const isSpaceMissing = useStore(useTrouble().spaceMissing);
  return isSpaceMissing ? <NoSpace /> : <Pictures code={code} />;
}

const TrashPage = lazyPart(() => import('../trash/trash-page.tsx'), 'TrashPage', ComingPage);
const TagsPage = lazyPart(() => import('../tags-page/tags-page.tsx'), 'TagsPage', ComingPage);

const PublishedPage = lazyPart(() => import('../publishing/published-page.tsx'), 'PublishedPage', ComingPage);

const CopiesPage = lazyPart(() => import('../copies-page/copies-page.tsx'), 'CopiesPage', ComingPage);

function ComingPage(): React.JSX.Element {
  const addressBar = useAddressBar();
  return <ComingPart back={() => addressBar.push({ page: 'pictures' })} />;
}

function Timeline(): React.JSX.Element {
  return (
    <>
      <NewPictures />
      <Grid />
      <Scrubber />
    </>
  );
}

function Pictures({ code }: { readonly code: string }): React.JSX.Element {
  const page = usePage();
  const undo = useUndo();
  const main = useRef<HTMLElement>(null);
  usePageTitle();
  useDeletionsAtLeave();
  useEarlyParts();
  useShortcut('z', () => undo.undo());
  return (
    <>
      <button type="button" className="button skip" onClick={() => main.current?.focus()}>
        {appTexts().skip}
      </button>
      <Boundary>
        <Header />
        <Banner />
        {page === 'pictures' && <ViewBar />}
      </Boundary>
      <main ref={main} className="content" tabIndex={-1}>
        <Boundary key={`${code} ${page}`}>
          {page === 'tags' && <TagsPage />}
          {page === 'copies' && <CopiesPage />}
          {page === 'trash' && <TrashPage />}
          {page === 'published' && <PublishedPage />}
          {page === 'pictures' && <Timeline />}
        </Boundary>
      </main>
      <Boundary>{page === 'pictures' && <SelectionBar />}</Boundary>
      <Boundary>
        <Viewer />
        <Compare />
        <SlideshowPart />
        <EndingAddressesPart />
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
