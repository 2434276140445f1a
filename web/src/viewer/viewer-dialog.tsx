import type { ImageRecord } from '@image-catalog/client';
import { useQueryClient } from '@tanstack/react-query';
import { useCallback, useEffect, useEffectEvent, useLayoutEffect, useRef, useState } from 'react';
import { nameOf } from '../catalog/picture-name.ts';
import { useImages } from '../images/use-images.ts';
import { useNameChanges } from '../names/use-name-changes.ts';
import { NoticeList } from '../notices/notice-list.tsx';
import { useShortcut } from '../shortcuts/use-shortcut.ts';
import { gridCellOf, gridPlaceOf } from '../stage/grid-picture.ts';
import { stageTexts } from '../stage/stage-texts.ts';
import { Banner } from '../states/banner.tsx';
import { Waiting } from '../states/waiting.tsx';
import { withQueries } from '../states/with-queries.tsx';
import { useAddressBar } from '../view-state/use-address-bar.ts';
import { animateClosing, animateOpening } from './opening.ts';
import { PictureView } from './picture-view.tsx';
import { useEditsOfOthers } from './use-edits-of-others.ts';
import { type Picture, usePicture } from './use-picture.ts';
import { useSavedStars } from './use-saved-stars.ts';
import { viewerTexts } from './viewer-texts.ts';

type DialogRef = React.RefObject<HTMLDialogElement | null>;

interface ViewerDialogProps {
  readonly id: number;
  /** It was shown before this code was there. */
  readonly isInPlace: boolean;
  /** The address bar names no picture any more. */
  readonly isClosing: boolean;
  readonly onClose: () => void;
  /** The picture is back in the grid. */
  readonly onClosed: () => void;
}

function Dialog({ id, isInPlace, isClosing, onClose, onClosed }: ViewerDialogProps): React.JSX.Element {
  const addressBar = useAddressBar();
  const queries = useQueryClient();
  const dialog = useRef<HTMLDialogElement>(null);
  const [isOpen, setOpen] = useState(false);
  const openModal = useCallback((element: HTMLDialogElement | null) => {
    dialog.current = element;
    if (element === null || element.open) return;
    element.showModal();
    // Not on the first button: it would look as if it were meant.
    element.focus();
    // What is in it can be measured now.
    setOpen(true);
  }, []);
  const picture = usePicture(id);
  useSavedStars();
  useEditsOfOthers();
  useNameChanges();
  useOpening(dialog, id, isOpen && picture.kind === 'shown' && !isInPlace);
  useShortcut('Escape', onClose, { within: dialog });

  useClosing(dialog, id, isClosing, onClosed);

  function show(record: ImageRecord): void {
    queries.setQueryData(['image', record.id], record);
    addressBar.replace({ image: record.id });
  }

  return (
    <dialog
      ref={openModal}
      className="viewer"
      data-theme="dark"
      tabIndex={-1}
      aria-label={picture.kind === 'shown' ? nameOf(picture.record) : viewerTexts().label}
      onCancel={(event) => {
        // Of the dialog, not of a field in it. The address bar closes it.
        if (event.target !== event.currentTarget) return;
        event.preventDefault();
        onClose();
      }}
      onClose={(event) => {
        if (event.target === event.currentTarget) onClose();
      }}
    >
      <div className="viewer-backdrop" data-fades />
      {isOpen && picture.kind === 'shown' && (
        <PictureView dialog={dialog} record={picture.record} onShow={show} onClose={onClose} />
      )}
      {isOpen && picture.kind !== 'shown' && <Message picture={picture} onClose={onClose} />}
      {/* The page behind a modal dialog is inert: its notices could not be used. */}
      {isOpen && <Banner />}
      {isOpen && <NoticeList />}
    </dialog>
  );
}

interface MessageProps {
  readonly picture: Exclude<Picture, { readonly kind: 'shown' }>;
  readonly onClose: () => void;
}

/** In the place of the picture. */
function Message({ picture, onClose }: MessageProps): React.JSX.Element {
  return (
    <div className="viewer-message">
      {picture.kind === 'deleted' ? (
        <Waiting sentence={stageTexts().missing} back={onClose} />
      ) : (
        <Waiting error={picture.error} retry={picture.retry} back={onClose} />
      )}
    </div>
  );
}

export const ViewerDialog = withQueries(Dialog);

/** Once, when the picture is there. */
function useOpening(dialog: DialogRef, id: number, isReady: boolean): void {
  const images = useImages();
  const isDone = useRef(false);
  useLayoutEffect(() => {
    if (!isReady || isDone.current || dialog.current === null) return;
    isDone.current = true;
    animateOpening(dialog.current, gridPlaceOf(id, images.list.get()));
  }, [dialog, images, id, isReady]);
}

/** The page below can be used at once, while the picture is on its way to its place. */
function useClosing(dialog: DialogRef, id: number, isClosing: boolean, onClosed: () => void): void {
  const images = useImages();
  const begin = useEffectEvent((element: HTMLDialogElement) => {
    const list = images.list.get();
    element.dataset['closing'] = '';
    // Gives the focus back to what had it; it may be another picture by now.
    element.close();
    gridCellOf(id, list)?.focus({ preventScroll: true });
    return animateClosing(element, gridPlaceOf(id, list));
  });
  const end = useEffectEvent(onClosed);
  useEffect(() => {
    const element = dialog.current;
    if (!isClosing || element === null) return undefined;
    let isOver = false;
    void begin(element).then(() => {
      if (!isOver) end();
    });
    return () => {
      isOver = true;
    };
  }, [dialog, isClosing]);
}
