import { PlainHeader } from './plain-header.tsx';
import { statesTexts } from './states-texts.ts';
import './states.css';

/** Until the gallery knows its service and its session. The text appears if that takes longer than a second. */
export function Loading(): React.JSX.Element {
  return (
    <>
      <PlainHeader />
      <main>
        <output className="loading-text">{statesTexts().loading}</output>
      </main>
    </>
  );
}
