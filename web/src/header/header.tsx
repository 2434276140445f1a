import { useRef, useState } from 'react';
import { useStore } from '../base/use-store.ts';
import { useStoreValue } from '../base/use-store-value.ts';
import { useWaited } from '../base/use-waited.ts';
import { Icon } from '../controls/icon.tsx';
import { IconButton } from '../controls/icon-button.tsx';
import { useGrid } from '../grid/use-grid.ts';
import { ComingSearch } from '../search/coming-search.tsx';
import { SearchBox } from '../search/search-box.tsx';
import { catalogName } from '../states/catalog-name.ts';
import { UploadButton } from '../upload/upload-button.tsx';
import { useAddressBar } from '../view-state/use-address-bar.ts';
import { ViewLink } from '../view-state/view-link.tsx';
import { parseViewState } from '../view-state/view-state.ts';
import { AccountMenu } from './account-menu.tsx';
import { headerTexts } from './header-texts.ts';
import '../styles/header.css';

export function Header(): React.JSX.Element {
  return (
    <header className="header">
      <Home />
      <Search />
      <UploadButton />
      <AccountMenu />
    </header>
  );
}

function Home(): React.JSX.Element {
  return (
    <h1 className="header-title">
      <ViewLink
        className="header-home"
        view={parseViewState('')}
        aria-label={headerTexts().home(catalogName())}
      >
        <Icon name="image" />
        <span className="header-name">{catalogName()}</span>
      </ViewLink>
    </h1>
  );
}

/** On phones it is open as long as the focus is in it. */
function Search(): React.JSX.Element {
  const box = useRef<HTMLDivElement>(null);
  const open = useRef<HTMLButtonElement>(null);
  const isTimeToSearch = useTimeToSearch();
  return (
    <>
      <div ref={box} className="header-search" tabIndex={-1}>
        <IconButton
          icon="back"
          className="header-search-close"
          aria-label={headerTexts().closeSearch}
          onClick={() => open.current?.focus()}
        />
        {isTimeToSearch ? <SearchBox /> : <ComingSearch />}
      </div>
      <IconButton
        icon="search"
        ref={open}
        className="header-search-open"
        aria-label={headerTexts().search}
        onClick={() => box.current?.querySelector('input')?.focus()}
      />
    </>
  );
}

/** On a slow line, its code would take the place of the first pictures. Those that do not come have 3 s. */
function useTimeToSearch(): boolean {
  const [isTime, setTime] = useState(false);
  const hasPictures = useStore(useGrid().isBegun);
  const isElsewhere = useStoreValue(useAddressBar().view, ({ page }) => page !== 'pictures');
  const [waited] = useWaited(!isTime);
  // For good: what is typed leads to other pictures.
  if (!isTime && (hasPictures || isElsewhere || waited === 'words')) setTime(true);
  return isTime;
}
