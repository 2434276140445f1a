import type { Usage } from '@image-catalog/client';
import { texts } from '../languages/texts.ts';

/** `undefined` if nothing is in the trash. */
export function trashText({ trashed: { images, bytes } }: Usage): string | undefined {
  return images === 0 ? undefined : texts.header.usage.trashed(images, bytes);
}
