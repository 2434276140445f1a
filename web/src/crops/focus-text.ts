import type { Focus } from '@image-catalog/client';
import { formats } from '../languages/formats.ts';
import { cropsTexts } from './crops-texts.ts';

export function focusText(focus: Focus | null): string {
  if (focus === null) return cropsTexts().middle;
  const [left, top] = [focus.x, focus.y].map((part) => formats().number(part * 100));
  return cropsTexts().place(left ?? '', top ?? '');
}
