import { keepParts } from '../clean/keep-parts.ts';
import { findFlaw } from './find-flaw.ts';
import type { Of } from './picture.ts';

/** What an upload accepts has a clean original. */
export async function requireCleanForm(
  picture: Of<'file' | 'mediaType' | 'structure' | 'cleanExif' | 'isStored'>,
): Promise<Of<'flaw'>> {
  return { flaw: await findFlaw(picture, () => void keepParts(picture)) };
}
