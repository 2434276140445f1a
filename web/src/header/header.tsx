import { useRef } from 'react';
import { Icon } from '../controls/icon.tsx';
import { IconButton } from '../controls/icon-button.tsx';
import { SearchBox } from '../search/search-box.tsx';
import { catalogName } from '../states/catalog-name.ts';
import { UploadButton } from '../upload/upload-button.tsx';
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
  return (
    <>
      <div ref={box} className="header-search" tabIndex={-1}>
        <IconButton
          icon="back"
          className="header-search-close"
          aria-label={headerTexts().closeSearch}
          onClick={() => open.current?.focus()}
        />
        <SearchBox />
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
