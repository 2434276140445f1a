import { SearchBox } from '../search/search-box.tsx';
import { texts } from '../texts.ts';
import { UploadButton } from '../upload/upload-button.tsx';
import { AccountMenu } from './account-menu.tsx';
import './header.css';

export function Header(): React.JSX.Element {
  return (
    <header className="header">
      <h1 className="header-title">{texts.app.title}</h1>
      <SearchBox />
      <UploadButton />
      <AccountMenu />
    </header>
  );
}
