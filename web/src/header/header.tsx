import type { MouseEvent } from 'react';
import { useGallery } from '../gallery.tsx';
import { Icon } from '../icons/icon.tsx';
import { SearchBox } from '../search/search-box.tsx';
import { texts } from '../texts.ts';
import { UploadButton } from '../upload/upload-button.tsx';
import { parseViewState } from '../view-state/view-state.ts';
import { AccountMenu } from './account-menu.tsx';
import './header.css';

export function Header(): React.JSX.Element {
  return (
    <header className="header">
      <Home />
      <div className="header-search">
        <SearchBox />
      </div>
      <UploadButton />
      <AccountMenu />
    </header>
  );
}

function Home(): React.JSX.Element {
  const { addressBar } = useGallery();
  const goHome = (event: MouseEvent): void => {
    if (event.ctrlKey || event.metaKey || event.shiftKey) return;
    event.preventDefault();
    addressBar.push(parseViewState(''));
  };
  return (
    <h1 className="header-title">
      <a className="header-home" href="./" aria-label={texts.header.home} onClick={goHome}>
        <Icon name="image" />
        <span className="header-name">{texts.app.title}</span>
      </a>
    </h1>
  );
}
