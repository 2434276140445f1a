import { createElement, useEffect, useRef, useState } from 'react';
import { useChanges } from '../contexts/changes.ts';
import { usePage } from '../contexts/page.ts';
import { useView } from '../contexts/view.ts';
import { useStore, useStoreValue } from '../store.ts';
import { texts } from '../texts.ts';
import { useLeaveViewer } from './use-leave-viewer.ts';
import type { ViewerDialog } from './viewer-dialog.tsx';

type Dialog = typeof ViewerDialog;

/** One picture over the whole window, with its panel: `image` of the address bar. */
export function Viewer(): React.JSX.Element | null {
  const { addressBar } = useView();
  const { deletions } = useChanges();
  const image = useStoreValue(addressBar.view, (view) => view.image);
  // The picture stays until the dialog has closed.
  const [shown, setShown] = useState(image);
  if (image !== undefined && image !== shown) setShown(image);
  const close = useLeaveViewer(image);
  const dialog = useDialog(image !== undefined, close);
  useEffect(() => {
    const onLeave = (): void => deletions.undoAll();
    window.addEventListener('pagehide', onLeave);
    return () => window.removeEventListener('pagehide', onLeave);
  }, [deletions]);
  if (shown === undefined || dialog === undefined) return null;
  return createElement(dialog, {
    id: shown,
    isClosing: image === undefined,
    onClose: close,
    onClosed: () => setShown((last) => (last === shown ? undefined : last)),
  });
}

/** A chunk of its own, loaded before it is needed: when the first pictures are there and nothing else is to be done. */
function useDialog(isNeeded: boolean, onFailed: () => void): Dialog | undefined {
  const { images } = useView();
  const { notices } = usePage();
  const list = useStore(images.list);
  const [dialog, setDialog] = useState<Dialog>();
  const isWanted = isNeeded || list !== undefined;
  const failed = useRef(onFailed);
  useEffect(() => {
    failed.current = onFailed;
  });
  useEffect(() => {
    if (!isWanted || dialog !== undefined) return undefined;
    let isOver = false;
    const load = async (): Promise<void> => {
      try {
        const loaded = await import('./viewer-dialog.tsx');
        if (!isOver) setDialog(() => loaded.ViewerDialog);
      } catch {
        // Silent until it is needed.
        if (isOver || !isNeeded) return;
        notices.show(texts.viewer.notLoaded, { tone: 'error' });
        failed.current();
      }
    };
    if (isNeeded) void load();
    const cancel = isNeeded ? undefined : whenIdle(() => void load());
    return () => {
      isOver = true;
      cancel?.();
    };
  }, [isNeeded, isWanted, dialog, notices]);
  return dialog;
}

/** Safari has no `requestIdleCallback`. */
function whenIdle(run: () => void): () => void {
  if (typeof requestIdleCallback !== 'function') {
    const timer = setTimeout(run, 1000);
    return () => clearTimeout(timer);
  }
  const handle = requestIdleCallback(run, { timeout: 5000 });
  return () => cancelIdleCallback(handle);
}
