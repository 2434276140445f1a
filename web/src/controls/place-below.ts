const DISTANCE_PX = 8;
const MARGIN_PX = 8;

/** Below the anchor, or above it if there is more room; their right sides aligned, and never outside of the window. */
export function placeBelow(anchor: HTMLElement, panel: HTMLElement): void {
  const { right, top, bottom } = anchor.getBoundingClientRect();
  const left = Math.max(MARGIN_PX, Math.min(right, innerWidth - MARGIN_PX) - panel.offsetWidth);
  const [above, below] = [top, innerHeight - bottom].map((room) => room - DISTANCE_PX - MARGIN_PX);
  const isAbove = (below ?? 0) < panel.offsetHeight && (above ?? 0) > (below ?? 0);
  panel.style.left = `${left}px`;
  panel.style.top = isAbove ? 'auto' : `${bottom + DISTANCE_PX}px`;
  panel.style.bottom = isAbove ? `${innerHeight - top + DISTANCE_PX}px` : 'auto';
  panel.style.maxHeight = `${Math.max(120, (isAbove ? above : below) ?? 0)}px`;
}
