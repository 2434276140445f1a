import type { RefObject } from 'react';
import { useRights } from '../session/use-rights.ts';
import { useShortcut } from '../shortcuts/use-shortcut.ts';
import { FITTED, ZOOM_STEP } from '../stage/geometry.ts';
import type { Zoom } from '../stage/use-zoom.ts';
import { useUndo } from '../undo/use-undo.ts';
import type { PictureActions } from './use-picture-actions.ts';
import type { Walk } from './use-walk.ts';

export interface ViewerKeysOptions {
  readonly dialog: RefObject<HTMLDialogElement | null>;
  readonly zoom: Zoom;
  readonly walk: Walk;
  readonly actions: PictureActions;
  readonly onPanel: () => void;
  readonly onTags: () => void;
}

/** The keys of an open picture. Arrows move a picture that is zoomed, and else to the next one. */
export function useViewerKeys({ dialog, zoom, walk, actions, onPanel, onTags }: ViewerKeysOptions): void {
  const undo = useUndo();
  const rights = useRights();
  const { step } = actions;
  const keys = { within: dialog };
  const pan = (x: number, y: number): boolean => {
    if (zoom.isZoomed) zoom.step(x, y);
    return zoom.isZoomed;
  };
  useShortcut('ArrowLeft', () => pan(-1, 0) || step(-1), keys);
  useShortcut('ArrowRight', () => pan(1, 0) || step(1), keys);
  // Taken also if they do nothing: the page below must not scroll.
  useShortcut('ArrowUp', () => void pan(0, -1), keys);
  useShortcut('ArrowDown', () => void pan(0, 1), keys);
  useShortcut('Home', walk.toFirst, keys);
  useShortcut('End', walk.toLast, keys);
  useShortcut(['+', '='], () => zoom.by(ZOOM_STEP, FITTED, true), keys);
  useShortcut('-', () => zoom.by(1 / ZOOM_STEP, FITTED, true), keys);
  useShortcut('0', zoom.reset, keys);
  useShortcut('f', actions.star, { ...keys, enabled: rights.write });
  useShortcut('d', actions.download, keys);
  useShortcut('Delete', actions.remove, { ...keys, enabled: rights.delete });
  useShortcut('z', () => undo.undo(), keys);
  useShortcut('i', onPanel, keys);
  useShortcut('t', onTags, { ...keys, enabled: rights.write });
}
