import { type MouseEvent, type PointerEvent, useRef } from 'react';
import type { Selection } from '../selection/selection.ts';
import type { GridCursor } from './grid-cursor.ts';

const LONG_PRESS_MS = 500;
/** Pixels. A finger that has moved further scrolls. */
const STEADY = 10;
/** Pixels: the corner with the check mark. */
const CHECK_MARK = 44;

export interface PointerHandlers {
  readonly onPointerDown: (event: PointerEvent) => void;
  readonly onPointerMove: (event: PointerEvent) => void;
  readonly onPointerUp: () => void;
  readonly onPointerCancel: () => void;
  readonly onContextMenu: (event: MouseEvent) => void;
  readonly onClick: (event: MouseEvent) => void;
}

/** Clicks, taps and long presses on pictures. */
export function usePointer(cursor: GridCursor, selection: Selection): PointerHandlers {
  const press = useRef({ timer: 0, x: 0, y: 0, isTouch: false, isLong: false });
  const end = (): void => clearTimeout(press.current.timer);
  return {
    onPointerDown: (event) => {
      const position = positionOf(event.target);
      const isTouch = event.pointerType === 'touch';
      end();
      press.current = { timer: 0, x: event.clientX, y: event.clientY, isTouch, isLong: false };
      if (!isTouch || position === undefined) return;
      press.current.timer = window.setTimeout(() => {
        press.current.isLong = true;
        cursor.click(position, { isChecked: true, isRange: false });
      }, LONG_PRESS_MS);
    },
    onPointerMove: ({ clientX, clientY }) => {
      const { x, y } = press.current;
      if (Math.hypot(clientX - x, clientY - y) > STEADY) end();
    },
    onPointerUp: end,
    onPointerCancel: end,
    onContextMenu: (event) => {
      // The menu of a long press would cover the selection.
      if (press.current.isTouch) event.preventDefault();
    },
    onClick: (event) => {
      const position = positionOf(event.target);
      if (position === undefined || press.current.isLong) return;
      const isTapWhileSelecting = press.current.isTouch && selection.ids.get().size > 0;
      const isChecked = isTapWhileSelecting || event.ctrlKey || event.metaKey || isOnCheckMark(event);
      cursor.click(position, { isChecked, isRange: event.shiftKey });
    },
  };
}

function cellOf(target: EventTarget): HTMLElement | null {
  return target instanceof Element ? target.closest<HTMLElement>('[data-position]') : null;
}

function positionOf(target: EventTarget): number | undefined {
  const cell = cellOf(target);
  return cell === null ? undefined : Number(cell.dataset['position']);
}

/** The mark is no element of its own: an option has no controls inside. */
function isOnCheckMark({ target, clientX, clientY }: MouseEvent): boolean {
  const box = cellOf(target)?.getBoundingClientRect();
  return box !== undefined && clientX - box.left < CHECK_MARK && clientY - box.top < CHECK_MARK;
}
