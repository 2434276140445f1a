import { useChanges } from '../contexts/changes.ts';
import { useStore } from '../store.ts';
import { texts } from '../texts.ts';
import type { UploadSummary } from './upload-summary.ts';
import { announcementOf, headlineOf, holdText, totalOf } from './upload-words.ts';
import { useUploadPanel } from './use-upload-panel.ts';
// Not with the code of the panel: styles that could not be loaded once are not loaded again.
import './upload-panel.css';

/** The uploads, a row for each file. */
export function UploadTray(): React.JSX.Element {
  const { uploads } = useChanges();
  const summary = useStore(uploads.summary);
  const isShown = summary.reading || totalOf(summary.counts) + summary.skipped.files > 0;
  const panel = useUploadPanel(isShown);
  return (
    <>
      <output className="visually-hidden">{announcementOf(summary)}</output>
      {isShown && (panel ?? <Outline summary={summary} />)}
    </>
  );
}

/** As long as the code of the panel is not there. */
function Outline({ summary }: { readonly summary: UploadSummary }): React.JSX.Element {
  const { hold, waiting } = summary;
  return (
    <section className="upload-panel" aria-label={texts.upload.tray}>
      {waiting > 0 && hold !== undefined && (
        <div className="floating upload-remarks">
          <p>{holdText(hold)}</p>
        </div>
      )}
      <div className="floating upload-card">
        <header className="upload-head">
          <h2>{headlineOf(summary)}</h2>
        </header>
      </div>
    </section>
  );
}
