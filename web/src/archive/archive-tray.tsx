import { useEffect } from 'react';
import { listen } from '../base/listen.ts';
import { useStore } from '../base/use-store.ts';
import { Button } from '../controls/button.tsx';
import { texts } from '../languages/texts.ts';
import type { ArchiveProgress } from './archive-download.ts';
import { useArchive } from './use-archive.ts';
import './archive.css';

/** How far a download of many pictures is. */
export function ArchiveTray(): React.JSX.Element | null {
  const progress = useStore(useArchive().progress);
  return progress === undefined ? null : <Progress progress={progress} />;
}

function Progress({ progress }: { readonly progress: ArchiveProgress }): React.JSX.Element {
  const archive = useArchive();
  const { count, receivedBytes, totalBytes } = progress;
  // The browser asks whether the page may be left.
  useEffect(() => listen(window, { beforeunload: (event) => event.preventDefault() }), []);
  return (
    <section className="archive floating" aria-label={texts.archive.label}>
      <p className="archive-title">{texts.archive.title(count)}</p>
      <p className="archive-size">
        {totalBytes === undefined
          ? texts.archive.waiting
          : texts.archive.progress(texts.formats.size(receivedBytes), texts.formats.size(totalBytes))}
      </p>
      <progress
        className="archive-progress"
        aria-label={texts.archive.label}
        max={totalBytes}
        value={totalBytes === undefined ? undefined : receivedBytes}
      />
      <Button data-kind="quiet" onClick={() => archive.cancel()}>
        {texts.archive.cancel}
      </Button>
    </section>
  );
}
