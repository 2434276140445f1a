import { withoutOuterSpace } from '../words/without-outer-space.ts';

const MAX_CHARACTERS = 200;

/** Bad UTF-8 decodes to U+FFFD. */
const REMOVED = /[\p{Cc}\uFFFD]/gu;

/** A text of the file without what its bytes do not mean; null if nothing is left. */
export function cameraText(text: string | undefined, maxLength = MAX_CHARACTERS): string | null {
  const cleaned = withoutOuterSpace(text?.replace(REMOVED, '') ?? '');
  const cut = withoutOuterSpace(Array.from(cleaned).slice(0, maxLength).join(''));
  return cut === '' ? null : cut;
}
