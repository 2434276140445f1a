import {
  distance,
  FITTED,
  type Frame,
  isZoomed,
  middle,
  type Placement,
  type Point,
  panBy,
  type Size,
  zoomTo,
} from '../stage/geometry.ts';

/** Points and displacements are parts of the fitted picture: pictures of other sizes show the same part of themselves. */
const WHOLE: Size = { width: 1, height: 1 };

/** @param point pixels from the centre of the pane */
export function zoomShared(
  shared: Placement,
  factor: number,
  point: Point,
  { fitted, maxZoom }: Frame,
): Placement {
  return zoomTo(shared, shared.zoom * factor, partOf(point, fitted), unit(maxZoom));
}

/** @param by pixels */
export function panShared(shared: Placement, by: Point, { fitted, maxZoom }: Frame): Placement {
  return panBy(shared, partOf(by, fitted), unit(maxZoom));
}

/** @param before two fingers, pixels from the centre of the pane */
export function pinchShared(
  shared: Placement,
  before: readonly [Point, Point],
  after: readonly [Point, Point],
  frame: Frame,
): Placement {
  const [from, to] = [middle(...before), middle(...after)];
  const moved = panShared(shared, { x: to.x - from.x, y: to.y - from.y }, frame);
  return zoomShared(moved, distance(...after) / Math.max(1, distance(...before)), to, frame);
}

/** Between the whole picture and its pixels one to one, but twice its size at least. */
export function toggleShared(shared: Placement, point: Point, frame: Frame): Placement {
  return isZoomed(shared) ? FITTED : zoomShared(shared, Math.max(2, frame.maxZoom / 2), point, frame);
}

/** Where a picture of this size is on its pane. */
export function placementOf({ zoom, x, y }: Placement, fitted: Size): Placement {
  return { zoom, x: x * fitted.width, y: y * fitted.height };
}

function unit(maxZoom: number): Frame {
  return { stage: WHOLE, fitted: WHOLE, maxZoom };
}

function partOf({ x, y }: Point, { width, height }: Size): Point {
  return { x: x / Math.max(1, width), y: y / Math.max(1, height) };
}
