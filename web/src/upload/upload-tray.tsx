import { lazy, Suspense } from 'react';
import { useGallery } from '../gallery.tsx';
import { useStore } from '../store.ts';
import { announcementOf, headlineOf, totalOf } from './upload-words.ts';

const UploadPanel = lazy(async () => {
  try {
    return { default: (await import('./upload-panel.tsx')).UploadPanel };
  } catch {
    // The uploads go on without their list.
    return { default: Headline };
  }
});

/** The uploads, a row for each file. */
export function UploadTray(): React.JSX.Element | null {
  const { features, uploads } = useGallery();
  const summary = useStore(uploads.summary);
  if (!features.has('uploadImage')) return null;
  const isShown = summary.reading || totalOf(summary.counts) + summary.skipped.files > 0;
  return (
    <>
      <output className="visually-hidden">{announcementOf(summary)}</output>
      {isShown && (
        <Suspense>
          <UploadPanel />
        </Suspense>
      )}
    </>
  );
}

function Headline(): React.JSX.Element {
  const { uploads } = useGallery();
  return <p className="upload-headline">{headlineOf(useStore(uploads.summary))}</p>;
}
