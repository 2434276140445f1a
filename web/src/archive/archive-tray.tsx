import { useEffect } from 'react';
import { listen } from '../base/listen.ts';
import { useStore } from '../base/use-store.ts';
import { Button } from '../controls/button.tsx';
import { commonTexts } from '../languages/common-texts.ts';
import { formats } from '../languages/formats.ts';
import type { ArchiveProgress } from './archive-download.ts';
import { archiveTexts } from './archive-texts.ts';
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
    <section className="archive floating" aria-label={archiveTexts().label}>
      <p className="archive-title">{archiveTexts().title(count)}</p>
      <p className="archive-size">
        {totalBytes === undefined
          ? archiveTexts().waiting
          : archiveTexts().progress(formats().size(receivedBytes), formats().size(totalBytes))}
      </p>
      <progress
        className="archive-progress"
        aria-label={archiveTexts().label}
        max={totalBytes}
        value={totalBytes === undefined ? undefined : receivedBytes}
      />
      <Button data-kind="quiet" onClick={() => archive.cancel()}>
        {commonTexts().cancel}
      </Button>
    </section>
  );
}
