import { useRef, useState } from 'react';
import { PHONE } from '../base/breakpoints.ts';
import { useStore } from '../base/use-store.ts';
import { Button } from '../controls/button.tsx';
import { IconButton } from '../controls/icon-button.tsx';
import { useLostFocus } from '../controls/use-lost-focus.ts';
import { useConfig } from '../session/use-config.ts';
import { focusAnother } from './focus-another.ts';
import { focusUploadButton } from './upload-button.tsx';
import { UploadRows } from './upload-rows.tsx';
import type { UploadSummary } from './upload-summary.ts';
import { uploadTexts } from './upload-texts.ts';
import { headlineOf, holdText, skippedText, totalOf, totalsOf } from './upload-words.ts';
import { useUploads } from './use-uploads.ts';

/** Keeps the place of a line. */
const NO_BREAK_SPACE = '\u00a0';

/** The tray: totals in words, and the files unless it is collapsed. */
export function UploadPanel(): React.JSX.Element {
  const uploads = useUploads();
  const summary = useStore(uploads.summary);
  const hasFiles = totalOf(summary.counts) > 0;
  // Another panel when the first files are known: it does not jump to its height.
  return <Panel key={String(hasFiles)} summary={summary} hasFiles={hasFiles} />;
}

interface PanelProps {
  readonly summary: UploadSummary;
  readonly hasFiles: boolean;
}

function Panel({ summary, hasFiles }: PanelProps): React.JSX.Element {
  const uploads = useUploads();
  const [isOpen, setOpen] = useState(() => !matchMedia(PHONE).matches);
  const panel = useRef<HTMLElement>(null);
  useLostFocus(panel, () => focusAnother(panel.current));
  const close = (): void => {
    uploads.clearFinished();
    focusUploadButton();
  };
  return (
    <section ref={panel} className="upload-panel" aria-label={uploadTexts().tray}>
      <Remarks summary={summary} />
      <div className="floating upload-card">
        <header className="upload-head">
          <h2>{headlineOf(summary)}</h2>
          {hasFiles && (
            <IconButton
              icon={isOpen ? 'chevron-down' : 'chevron-up'}
              label={isOpen ? uploadTexts().collapse : uploadTexts().expand}
              aria-expanded={isOpen}
              onClick={() => setOpen(!isOpen)}
            />
          )}
          <Controls summary={summary} />
          {summary.waiting === 0 && !summary.reading && (
            <IconButton icon="close" label={uploadTexts().close} onClick={close} />
          )}
        </header>
        {hasFiles && <Progress summary={summary} />}
        {isOpen && hasFiles && <UploadRows />}
      </div>
    </section>
  );
}

function Controls({ summary }: { readonly summary: UploadSummary }): React.JSX.Element | null {
  const uploads = useUploads();
  const { counts, waiting } = summary;
  if (waiting === 0) return null;
  const allPaused = summary.paused || counts.paused === waiting;
  return allPaused ? (
    <IconButton icon="play" label={uploadTexts().resumeAll} onClick={() => uploads.resumeAll()} />
  ) : (
    <IconButton icon="pause" label={uploadTexts().pauseAll} onClick={() => uploads.pauseAll()} />
  );
}

/** Keeps its place when nothing is under way. */
function Progress({ summary }: { readonly summary: UploadSummary }): React.JSX.Element {
  if (summary.waiting === 0) return <div className="upload-progress" data-idle />;
  return (
    <progress className="upload-progress" aria-label={uploadTexts().tray} max={1} value={summary.progress} />
  );
}

/**
 * What stops the queue and how it goes on; what became of the files so far; what can be done about all of them. Above the files,
 * which do not move when it changes.
 */
function Remarks({ summary }: { readonly summary: UploadSummary }): React.JSX.Element | null {
  const uploads = useUploads();
  const config = useConfig();
  const { hold, full, waiting, counts } = summary;
  const isUnderWay = waiting > 0;
  const isHeld = isUnderWay && hold !== undefined;
  const isFurther = isUnderWay && totalOf(counts) > waiting;
  const skipped = skippedText(summary, config.inputFormats);
  const again = counts.failed + counts.cancelled;
  if (!isUnderWay && skipped === undefined && again === 0) return null;
  return (
    <div className="floating upload-remarks">
      {skipped !== undefined && <p>{skipped}</p>}
      {isHeld && <p>{holdText(hold)}</p>}
      {full && <p>{uploadTexts().full}</p>}
      {isUnderWay && <p>{isFurther ? `${totalsOf(summary)}.` : NO_BREAK_SPACE}</p>}
      {isHeld && hold.kind !== 'offline' && hold.kind !== 'signed-out' && (
        <Button onClick={() => uploads.tryNow()}>{uploadTexts().tryNow}</Button>
      )}
      {isUnderWay && <Button onClick={() => uploads.cancelAll()}>{uploadTexts().cancelAll}</Button>}
      {again > 0 && <Button onClick={() => uploads.retryAll()}>{uploadTexts().retryAll(again)}</Button>}
    </div>
  );
}
