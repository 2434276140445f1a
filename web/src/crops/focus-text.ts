import type { Focus } from '@image-catalog/client';
import { texts } from '../languages/texts.ts';

export function focusText(focus: Focus | null): string {
  if (focus === null) return texts.crops.middle;
  const [left, top] = [focus.x, focus.y].map((part) => texts.formats.number(part * 100));
  return texts.crops.place(left ?? '', top ?? '');
}
