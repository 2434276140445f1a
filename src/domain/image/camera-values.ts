/** What the camera wrote into the file; null is unknown. */
export interface Capture {
  /** RFC 3339 with milliseconds; without an offset if the camera's is unknown. */
  readonly takenAt: string | null;
  readonly make: string | null;
  readonly model: string | null;
  readonly lens: string | null;
  readonly iso: number | null;
  readonly fNumber: number | null;
  readonly exposureSeconds: number | null;
  readonly focalLengthMm: number | null;
  /** Signed degrees; both or neither. */
  readonly latitude?: number | undefined;
  readonly longitude?: number | undefined;
}

const MAX_CHARACTERS = 200;
/** Bad UTF-8 decodes to U+FFFD. */
const REMOVED = /[\p{Cc}\uFFFD]/gu;
const OUTER_WHITE_SPACE = /^\p{White_Space}+|\p{White_Space}+$/gu;

/** A text of the camera without what its bytes do not mean; null if nothing is left. */
export function cameraText(text: string | undefined): string | null {
  const cleaned = text?.replace(REMOVED, '').replace(OUTER_WHITE_SPACE, '') ?? '';
  const cut = Array.from(cleaned).slice(0, MAX_CHARACTERS).join('').replace(OUTER_WHITE_SPACE, '');
  return cut === '' ? null : cut;
}

/** Null unless finite and above 0. */
export function cameraNumber(value: number | undefined): number | null {
  return value !== undefined && Number.isFinite(value) && value > 0 ? value : null;
}
