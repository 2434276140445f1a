import { texts } from '../languages/texts.ts';
import { PlainHeader } from './plain-header.tsx';
import './states.css';

/** Until the gallery knows its service and its session. The text appears if that takes longer than a second. */
export function Loading(): React.JSX.Element {
  return (
    <>
      <PlainHeader />
      <main>
        <output className="loading-text">{texts.app.loading}</output>
      </main>
    </>
  );
}
