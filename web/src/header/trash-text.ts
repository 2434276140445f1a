import type { Usage } from '@image-catalog/client';
import { headerTexts } from './header-texts.ts';

/** `undefined` if nothing is in the trash. */
export function trashText({ trashed: { images, bytes } }: Usage): string | undefined {
  return images === 0 ? undefined : headerTexts().usage.trashed(images, bytes);
}
