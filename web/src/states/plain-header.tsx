import { Icon } from '../controls/icon.tsx';
import { catalogName } from './catalog-name.ts';
import '../styles/header.css';

/** Without a session nothing can be searched: only the name is there, in its place. */
export function PlainHeader(): React.JSX.Element {
  return (
    <header className="header">
      <h1 className="header-title header-home">
        <Icon name="image" />
        {catalogName()}
      </h1>
    </header>
  );
}
