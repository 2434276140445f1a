/** Pixels of CSS, unless said otherwise. */
export interface Size {
  readonly width: number;
  readonly height: number;
}

/** From the centre of the stage. */
export interface Point {
  readonly x: number;
  readonly y: number;
}

/** How the picture lies on the stage. */
export interface Placement {
  /** 1 is the fitted picture. */
  readonly zoom: number;
  /** The centre of the picture. */
  readonly x: number;
  readonly y: number;
}

/** The sizes on which limits depend. */
export interface Frame {
  readonly stage: Size;
  /** The picture at zoom 1. */
  readonly fitted: Size;
  readonly maxZoom: number;
}

export const FITTED: Placement = { zoom: 1, x: 0, y: 0 };

/** One step of `+` and `-`. */
export const ZOOM_STEP = 1.5;

/** One step of an arrow key, of the side of the stage. */
const PAN_STEP = 0.2;

/** The last step of double clicks shows pixels one to one, but zooms in by this at least. */
const MIN_TOGGLE = 2;

/** A picture that must be enlarged so much to fill the stage gets a step of its own for it. */
const PANORAMA = 1.5;

/** @param picture in pixels of the picture. It is made smaller until it fits, never larger. */
export function frameOf(picture: Size, stage: Size, pixelRatio: number): Frame {
  const natural = { width: picture.width / pixelRatio, height: picture.height / pixelRatio };
  const scale = Math.min(1, stage.width / picture.width, stage.height / picture.height);
  const fitted = { width: picture.width * scale, height: picture.height * scale };
  const oneToOne = fitted.width === 0 ? 1 : natural.width / fitted.width;
  return { stage, fitted, maxZoom: Math.max(4, oneToOne * 2, fillingZoom({ stage, fitted })) };
}

/** At which no part of the stage is empty. Pictures that are smaller than the stage stay so. */
function fillingZoom({ stage, fitted }: Pick<Frame, 'stage' | 'fitted'>): number {
  if (fitted.width === 0) return 1;
  const [across, down] = [stage.width / fitted.width, stage.height / fitted.height];
  return Math.min(across, down) > 1.001 ? 1 : Math.max(across, down);
}

/** What double clicks lead through: the whole picture, a panorama over the whole stage, pixels one to one. */
export function zoomSteps(frame: Frame, picture: Size, pixelRatio: number): readonly number[] {
  const filling = fillingZoom(frame);
  const steps = filling < PANORAMA ? [1] : [1, filling];
  const oneToOne = Math.max(MIN_TOGGLE, picture.width / pixelRatio / frame.fitted.width);
  return oneToOne > filling * 1.2 ? [...steps, oneToOne] : steps;
}

export function isZoomed({ zoom }: Placement): boolean {
  return zoom > 1.001;
}

/** The point of the picture below `point` stays there. */
export function zoomTo(placement: Placement, zoom: number, point: Point, frame: Frame): Placement {
  const limited = clamp(zoom, 1, frame.maxZoom);
  const factor = limited / placement.zoom;
  return within(frame, {
    zoom: limited,
    x: point.x + (placement.x - point.x) * factor,
    y: point.y + (placement.y - point.y) * factor,
  });
}

/** @returns `undefined` after the last step, and from a zoom between them */
export function stepAfter({ zoom }: Placement, steps: readonly number[]): number | undefined {
  const at = steps.findIndex((step) => Math.abs(step - zoom) < 0.001);
  return at < 0 ? undefined : steps[at + 1];
}

/** To the next step, or back to the whole picture. */
export function toggleZoom(
  placement: Placement,
  point: Point,
  frame: Frame,
  steps: readonly number[],
): Placement {
  const zoom = stepAfter(placement, steps);
  return zoom === undefined ? FITTED : zoomTo(placement, zoom, point, frame);
}

export function panBy(placement: Placement, by: Point, frame: Frame): Placement {
  return within(frame, { ...placement, x: placement.x + by.x, y: placement.y + by.y });
}

/** @param x -1 to see what is at the left; y: -1 to see what is above */
export function panStep(placement: Placement, x: number, y: number, frame: Frame): Placement {
  const { width, height } = frame.stage;
  return panBy(placement, { x: -x * width * PAN_STEP, y: -y * height * PAN_STEP }, frame);
}

/** No side of the picture leaves the side of the stage, and a picture that is smaller is in the middle. */
export function within({ stage, fitted }: Frame, { zoom, x, y }: Placement): Placement {
  const roomX = Math.max(0, (fitted.width * zoom - stage.width) / 2);
  const roomY = Math.max(0, (fitted.height * zoom - stage.height) / 2);
  return { zoom, x: clamp(x, -roomX, roomX), y: clamp(y, -roomY, roomY) };
}

/** After the stage or the pixel ratio changes, the same part of the picture stays in the middle. */
export function reframe(placement: Placement, before: Frame, after: Frame): Placement {
  if (!isZoomed(placement)) return FITTED;
  const factor = before.fitted.width === 0 ? 1 : after.fitted.width / before.fitted.width;
  const zoom = clamp(placement.zoom, 1, after.maxZoom);
  return within(after, { zoom, x: placement.x * factor, y: placement.y * factor });
}

/**
 * The factor of one wheel event. Browsers report the pinch of a touchpad as a wheel with `ctrlKey`, in small steps.
 *
 * @param deltaMode 0: pixels, 1: lines, 2: pages
 */
export function wheelFactor(deltaY: number, deltaMode: number, isPinch: boolean): number {
  const pixels = deltaY * ([1, 33, 400][deltaMode] ?? 1);
  return Math.exp(clamp(-pixels * (isPinch ? 0.01 : 0.0025), -0.7, 0.7));
}

/** Two fingers: the picture follows their middle and their distance. */
export function pinch(
  placement: Placement,
  before: readonly [Point, Point],
  after: readonly [Point, Point],
  frame: Frame,
): Placement {
  const zoom = placement.zoom * (distance(...after) / Math.max(1, distance(...before)));
  const [from, to] = [middle(...before), middle(...after)];
  const moved = { ...placement, x: placement.x + to.x - from.x, y: placement.y + to.y - from.y };
  return zoomTo(moved, zoom, to, frame);
}

export type Swipe = 'next' | 'previous' | 'close';

/** Of this, a slow swipe must pass the stage. */
const FAR = 0.3;

/** Pixels per millisecond from which a swipe counts that is not far. */
const FAST = 0.4;

/** What a finger that is lifted has asked for. @param ms since it was put down */
export function swipeOf(by: Point, ms: number, stage: Size): Swipe | undefined {
  const isAcross = Math.abs(by.x) >= Math.abs(by.y);
  const [way, side] = isAcross ? [Math.abs(by.x), stage.width] : [by.y, stage.height];
  if (way < side * FAR && (way < 24 || way / Math.max(1, ms) < FAST)) return undefined;
  if (!isAcross) return 'close';
  return by.x < 0 ? 'next' : 'previous';
}

/** The transform that puts a box at `to` where `from` is: FLIP. Both in pixels of the window. */
export function flipTransform(from: Box, to: Box): string {
  const scale = to.width === 0 ? 1 : from.width / to.width;
  const x = from.left + from.width / 2 - (to.left + to.width / 2);
  const y = from.top + from.height / 2 - (to.top + to.height / 2);
  return `translate(${x}px, ${y}px) scale(${scale})`;
}

export interface Box extends Size {
  readonly left: number;
  readonly top: number;
}

export function middle(a: Point, b: Point): Point {
  return { x: (a.x + b.x) / 2, y: (a.y + b.y) / 2 };
}

export function distance(a: Point, b: Point): number {
  return Math.hypot(a.x - b.x, a.y - b.y);
}

function clamp(value: number, low: number, high: number): number {
  // Adding 0 turns -0 into 0.
  return Math.min(high, Math.max(low, value)) + 0;
}
