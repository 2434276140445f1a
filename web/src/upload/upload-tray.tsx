import { createElement } from 'react';
import { Part } from '../base/part.ts';
import { useStore } from '../base/use-store.ts';
import { useConfig } from '../session/use-config.ts';
import { usePart } from '../states/use-part.ts';
import type { UploadSummary } from './upload-summary.ts';
import { uploadTexts } from './upload-texts.ts';
import { announcementOf, headlineOf, holdText, totalOf } from './upload-words.ts';
import { useUploads } from './use-uploads.ts';

const uploadPanel = new Part(
  () => import('./upload-panel.tsx'),
  ({ UploadPanel }) => UploadPanel,
);

/** The uploads, a row for each file. */
export function UploadTray(): React.JSX.Element {
  const uploads = useUploads();
  const config = useConfig();
  const summary = useStore(uploads.summary);
  const isShown = summary.reading || totalOf(summary.counts) + summary.skipped.files > 0;
  const panel = usePart(uploadPanel, isShown);
  return (
    <>
      <output className="visually-hidden">{announcementOf(summary, config.inputFormats)}</output>
      {isShown && (panel === undefined ? <Outline summary={summary} /> : createElement(panel))}
    </>
  );
}

/** As long as the code of the panel is not there. */
function Outline({ summary }: { readonly summary: UploadSummary }): React.JSX.Element {
  const { hold, waiting } = summary;
  return (
    <section className="upload-panel" aria-label={uploadTexts().tray}>
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
