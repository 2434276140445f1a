import type { ImageList } from '../images/image-list.ts';

/** The picture in the grid below the viewer, if it is drawn. */
export function gridPictureOf(id: number, list: ImageList | undefined): HTMLImageElement | undefined {
  const image = gridCellOf(id, list)?.querySelector('img');
  return image?.complete && image.naturalWidth > 0 ? image : undefined;
}

/** Where it is, if it is on the screen. */
export function gridPlaceOf(id: number, list: ImageList | undefined): DOMRect | undefined {
  const box = gridCellOf(id, list)?.getBoundingClientRect();
  if (box === undefined || box.width === 0) return undefined;
  return box.bottom > 0 && box.top < window.innerHeight ? box : undefined;
}

export function gridCellOf(id: number, list: ImageList | undefined): HTMLElement | undefined {
  const position = list?.positionOf(id);
  const cell =
    position === undefined ? null : document.querySelector(`.grid-cell[data-position="${position}"]`);
  return cell instanceof HTMLElement ? cell : undefined;
}
