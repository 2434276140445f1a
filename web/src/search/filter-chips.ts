import { formatMediaType } from '../base/media-types.ts';
import type { ViewState } from '../view-state/view-state.ts';
import { boundsLabel } from './bounds-label.ts';
import { searchTexts } from './search-texts.ts';

/** A filter of the view, as it is shown. */
export interface FilterChip {
  readonly kind: 'words' | 'tag' | 'date' | 'alt' | 'type' | 'camera' | 'lens' | 'person';
  readonly key: string;
  readonly label: string;
  /** The view without it. */
  readonly removal: Partial<ViewState>;
}

export function filterChips(view: ViewState): readonly FilterChip[] {
  const { q, alt, mediaType, camera, lens, createdBy } = view;
  const { words, captures, undescribed, uploadedBy } = searchTexts();
  return [
    ...(q === '' ? [] : [chip('words', words(q), { q: '' })]),
    ...tagChips(view),
    ...dateChips(view),
    ...(alt === undefined ? [] : [chip('alt', undescribed[0], { alt: undefined })]),
    ...(mediaType === undefined ? [] : [chip('type', formatMediaType(mediaType), { mediaType: undefined })]),
    ...(camera === '' ? [] : [chip('camera', captures.camera(camera), { camera: '' })]),
    ...(lens === '' ? [] : [chip('lens', captures.lens(lens), { lens: '' })]),
    ...(createdBy === '' ? [] : [chip('person', uploadedBy(createdBy), { createdBy: '' })]),
  ];
}

function tagChips({ tags, tagged }: ViewState): readonly FilterChip[] {
  if (tagged === false) return [chip('tag', searchTexts().untagged[0], { tagged: undefined })];
  return tags.map((tag) => chip('tag', tag, { tags: tags.filter((other) => other !== tag) }));
}

function dateChips({ takenAfter, takenBefore, dated }: ViewState): readonly FilterChip[] {
  if (dated === false) return [chip('date', searchTexts().undated[0], { dated: undefined })];
  if (takenAfter === undefined && takenBefore === undefined) return [];
  const label = boundsLabel({ takenAfter, takenBefore });
  return [chip('date', label, { takenAfter: undefined, takenBefore: undefined })];
}

function chip(kind: FilterChip['kind'], label: string, removal: Partial<ViewState>): FilterChip {
  return { kind, label, key: kind === 'tag' ? `tag ${label}` : kind, removal };
}
