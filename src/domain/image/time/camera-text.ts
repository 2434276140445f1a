import { withoutOuterSpace } from '../words/without-outer-space.ts';

/** Code points. */
export const CAMERA_TEXT_MAX_LENGTH = 200;

/** Bad UTF-8 decodes to U+FFFD. */
const REMOVED = /[\p{Cc}\uFFFD]/gu;

/** A text of the camera without what its bytes do not mean; null if nothing is left. */
export function cameraText(text: string | undefined): string | null {
  const cleaned = withoutOuterSpace(text?.replace(REMOVED, '') ?? '');
  const cut = withoutOuterSpace(Array.from(cleaned).slice(0, CAMERA_TEXT_MAX_LENGTH).join(''));
  return cut === '' ? null : cut;
}
