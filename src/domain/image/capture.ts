/** What the camera wrote into the file; `undefined` is unknown. Texts are at most 200 characters, numbers above 0. */
export interface Capture {
  /** RFC 3339 with milliseconds; without an offset if the camera's is unknown. */
  readonly takenAt?: string | undefined;
  readonly make?: string | undefined;
  readonly model?: string | undefined;
  readonly lens?: string | undefined;
  readonly iso?: number | undefined;
  readonly fNumber?: number | undefined;
  readonly exposureSeconds?: number | undefined;
  readonly focalLengthMm?: number | undefined;
  /** Signed degrees; both or neither. */
  readonly latitude?: number | undefined;
  readonly longitude?: number | undefined;
}

const MAX_CHARACTERS = 200;
/** Bad UTF-8 decodes to U+FFFD. */
const REMOVED = /[\p{Cc}\uFFFD]/gu;
const OUTER_WHITE_SPACE = /^\p{White_Space}+|\p{White_Space}+$/gu;

/** A text of the camera without what its bytes do not mean; `undefined` if nothing is left. */
export function cameraText(text: string | undefined): string | undefined {
  const cleaned = text?.replace(REMOVED, '').replace(OUTER_WHITE_SPACE, '') ?? '';
  const cut = Array.from(cleaned).slice(0, MAX_CHARACTERS).join('').replace(OUTER_WHITE_SPACE, '');
  return cut === '' ? undefined : cut;
}

/** `undefined` unless finite and above 0. */
export function cameraNumber(value: number | undefined): number | undefined {
  return value !== undefined && Number.isFinite(value) && value > 0 ? value : undefined;
}
