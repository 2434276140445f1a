import { Icon } from '../icons/icon.tsx';
import { texts } from '../texts.ts';
import './header.css';

/** Without a session nothing can be searched: only the name is there, in its place. */
export function PlainHeader(): React.JSX.Element {
  return (
    <header className="header">
      <h1 className="header-title header-home">
        <Icon name="image" />
        {texts.app.title}
      </h1>
    </header>
  );
}
