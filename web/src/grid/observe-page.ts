import { PHONE } from '../base/breakpoints.ts';
import { listen } from '../base/listen.ts';
import type { GridModel } from './grid-model.ts';

/** CSS pixels of the pictures on a large screen. */
const WIDE = 2000;

/** Tells the grid about sizes and scroll positions. @returns a function that ends it */
export function observePage(root: HTMLElement, grid: GridModel): () => void {
  history.scrollRestoration = 'manual';
  const resize = (): void => {
    const width = root.clientWidth;
    const rem = Number.parseFloat(getComputedStyle(document.documentElement).fontSize);
    const top = root.getBoundingClientRect().top + window.scrollY;
    grid.resize({
      width,
      rowHeight: rowHeightOf(width),
      gap: matchMedia(PHONE).matches ? 4 : 8,
      headingHeight: 3.5 * rem,
      headingWidth: 11 * rem,
      viewport: Math.max(100, window.innerHeight - top),
      pixelRatio: window.devicePixelRatio,
    });
  };
  const scroll = (): void => grid.scrolled(Math.max(0, window.scrollY));
  const observer = new ResizeObserver(resize);
  observer.observe(root);
  // Larger text needs higher headings, and need not change the width.
  for (const ruler of root.querySelectorAll('.grid-ruler')) observer.observe(ruler);
  const end = listen(window, { resize, scroll }, { passive: true });
  resize();
  return () => {
    observer.disconnect();
    end();
  };
}

function rowHeightOf(width: number): number {
  if (matchMedia(PHONE).matches) return 140;
  return width < WIDE ? 220 : 280;
}
