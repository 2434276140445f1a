import { InvalidMetadata } from '../errors.ts';

/** The point of an image that its crops keep. */
export interface Focus {
  /** Fractions of the width and of the height of the upright image, from 0 to 1, in whole thousandths. */
  readonly x: number;
  readonly y: number;
}

const PARTS = 1000;

/** @throws {InvalidMetadata} */
export function parseFocus(value: unknown): Focus {
  const { x, y } = Object(value) as Readonly<Record<string, unknown>>;
  if (isFraction(x) && isFraction(y)) return { x: x + 0, y: y + 0 };
  throw new InvalidMetadata(
    'focus',
    'must be x and y, each from 0 to 1 with at most three decimals, or null',
  );
}

function isFraction(value: unknown): value is number {
  return typeof value === 'number' && value >= 0 && value <= 1 && Math.round(value * PARTS) / PARTS === value;
}

/** Writes the focus in thousandths. Safe in a file name. */
export function focusText({ x, y }: Focus): string {
  return `${Math.round(x * PARTS)}x${Math.round(y * PARTS)}`;
}

/** `undefined` for any text but those of `focusText`. */
export function parseFocusText(text: string): Focus | undefined {
  const [, x, y] = /^(0|[1-9]\d{0,3})x(0|[1-9]\d{0,3})$/.exec(text) ?? [];
  const focus = { x: Number(x) / PARTS, y: Number(y) / PARTS };
  return focus.x <= 1 && focus.y <= 1 ? focus : undefined;
}
