import { texts } from '../texts.ts';
import type { ViewState } from '../view-state/view-state.ts';
import { boundsLabel } from './date-label.ts';

/** A filter of the view, as it is shown. */
export interface FilterChip {
  readonly kind: 'words' | 'tag' | 'date' | 'type';
  readonly key: string;
  readonly label: string;
  /** The view without it. */
  readonly removal: Partial<ViewState>;
}

export function filterChips({
  q,
  tags,
  takenAfter,
  takenBefore,
  mediaType,
}: ViewState): readonly FilterChip[] {
  const chips: FilterChip[] = [];
  if (q !== '') chips.push({ kind: 'words', key: 'q', label: texts.search.words(q), removal: { q: '' } });
  for (const tag of tags) {
    const removal = { tags: tags.filter((other) => other !== tag) };
    chips.push({ kind: 'tag', key: `tag ${tag}`, label: tag, removal });
  }
  if (takenAfter !== undefined || takenBefore !== undefined) {
    const label = boundsLabel({ takenAfter, takenBefore });
    chips.push({
      kind: 'date',
      key: 'date',
      label,
      removal: { takenAfter: undefined, takenBefore: undefined },
    });
  }
  if (mediaType !== undefined) {
    const label = mediaType === 'image/png' ? 'PNG' : 'JPEG';
    chips.push({ kind: 'type', key: 'type', label, removal: { mediaType: undefined } });
  }
  return chips;
}
