const DISTANCE_PX = 8;
const MARGIN_PX = 8;

/** Below the anchor, their right sides aligned if there is room, and never outside of the window. */
export function placeBelow(anchor: HTMLElement, panel: HTMLElement): void {
  const { right, bottom } = anchor.getBoundingClientRect();
  const left = Math.max(MARGIN_PX, Math.min(right, innerWidth - MARGIN_PX) - panel.offsetWidth);
  const top = bottom + DISTANCE_PX;
  panel.style.left = `${left}px`;
  panel.style.top = `${top}px`;
  panel.style.maxHeight = `${Math.max(120, innerHeight - top - MARGIN_PX)}px`;
}
